package sandbox

import (
	"context"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// Recall takes back what has not gone back of a credit, as a bank does that a payer
// convinced, and returns the notice without its cursor. Errors: bank.ErrUnknownSession,
// and bank.ErrTooMuch when nothing is left of it.
func (w *World) Recall(ctx context.Context, session string) (bank.Credit, error) {
	var notice credit
	var refused error
	err := w.write(ctx, func(m *moment) (err error) {
		notice, refused, err = m.recall(session)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return bank.Credit{}, err
	}
	return bank.Credit{
		SessionID: notice.SessionID, AccountNumber: notice.AccountNumber, Amount: money.NGN(notice.Kobo), Recalled: true,
		Sender: notice.Sender, Narration: notice.Narration, At: notice.At,
	}, nil
}

// recall appends a recall to the reports of the bank. The credit can no longer be
// returned.
func (m *moment) recall(session string) (c credit, refused, err error) {
	found, err := load(m, sessionKey(session), &c)
	if err != nil || !found {
		return c, bank.ErrUnknownSession, err
	}
	var back int64
	if _, err := load(m, givenBackKey(session), &back); err != nil {
		return c, nil, err
	}
	if back >= c.Kobo {
		return c, bank.ErrTooMuch, nil
	}
	if err := save(m, givenBackKey(session), c.Kobo); err != nil {
		return c, nil, err
	}
	var head bankHead
	if _, err := load(m, bankHeadKey, &head); err != nil {
		return c, nil, err
	}
	c.Kobo, c.Recalled, c.At = c.Kobo-back, true, m.now
	head.Told++
	if err := save(m, creditPrefix+ordered(head.Told), c); err != nil {
		return c, nil, err
	}
	return c, nil, save(m, bankHeadKey, head)
}
