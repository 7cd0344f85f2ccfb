package sandbox

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

const returnPrefix = "bank/return/"

func returnKey(key string) string { return named(returnPrefix, key) }
func givenBackKey(session string) string {
	return named("bank/given_back/", session)
}

// givenBack is the document of one return.
type givenBack struct {
	SessionID string
	Kobo      int64
}

func (b simBank) Return(ctx context.Context, key, session string, amount money.Amount) error {
	refused, err := answered(ctx, b.provider().effect, func(m *moment) (refused, err error) {
		err = m.giveBack(key, givenBack{session, amount.Minor()})
		if errors.Is(err, bank.ErrUnknownSession) || errors.Is(err, bank.ErrTooMuch) {
			return err, nil
		}
		return nil, err
	})
	return cmp.Or(err, refused)
}

// giveBack sends part of a credit back, once for a key.
func (m *moment) giveBack(key string, r givenBack) error {
	var known givenBack
	if found, err := load(m, returnKey(key), &known); err != nil || found {
		return err
	}
	came, before, err := m.returned(r.SessionID)
	switch {
	case err != nil:
		return err
	case r.Kobo <= 0 || r.Kobo > came.Kobo-before:
		return bank.ErrTooMuch
	}
	if err := save(m, givenBackKey(r.SessionID), before+r.Kobo); err != nil {
		return err
	}
	return save(m, returnKey(key), r)
}

// returned is a credit, and how much of it has gone back, in kobo. Errors:
// bank.ErrUnknownSession.
func (m *moment) returned(session string) (came credit, back int64, err error) {
	found, err := load(m, sessionKey(session), &came)
	switch {
	case err != nil:
		return came, 0, err
	case !found:
		return came, 0, bank.ErrUnknownSession
	}
	_, err = load(m, givenBackKey(session), &back)
	return came, back, err
}

// Returns lists returns in the order of their keys.
func (b simBank) Returns(ctx context.Context, after bank.Cursor, limit int) ([]bank.Returned, error) {
	return answered(ctx, b.provider().query, func(m *moment) ([]bank.Returned, error) {
		found, err := scan[givenBack](m, returnPrefix, string(after), limit)
		if err != nil {
			return nil, err
		}
		var all []bank.Returned
		for _, r := range found {
			key, err := hex.DecodeString(r.place)
			if err != nil {
				return nil, err
			}
			all = append(all, bank.Returned{
				Key: string(key), SessionID: r.doc.SessionID, Amount: money.NGN(r.doc.Kobo), Cursor: bank.Cursor(r.place),
			})
		}
		return all, nil
	})
}

// Recall takes back what has not gone back of a credit, as a bank does that a payer
// convinced, and returns the notice without its cursor. Errors: bank.ErrUnknownSession,
// and bank.ErrTooMuch when nothing is left of it.
func (w *World) Recall(ctx context.Context, session string) (bank.Credit, error) {
	return answered(ctx, w.write, func(m *moment) (bank.Credit, error) {
		c, err := m.recall(session)
		return c.notice(""), err
	})
}

// recall appends a recall to the reports of the bank. The credit can no longer be
// returned.
func (m *moment) recall(session string) (credit, error) {
	c, back, err := m.returned(session)
	switch {
	case err != nil:
		return c, err
	case back >= c.Kobo:
		return c, bank.ErrTooMuch
	}
	if err := save(m, givenBackKey(session), c.Kobo); err != nil {
		return c, err
	}
	var head bankHead
	if _, err := load(m, bankHeadKey, &head); err != nil {
		return c, err
	}
	c.Kobo, c.Recalled, c.At = c.Kobo-back, true, m.now
	return c, m.report(c, head)
}
