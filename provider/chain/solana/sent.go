package solana

import (
	"context"
	"fmt"

	sol "github.com/gagliardetto/solana-go"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// Sent reads the list of the fee payer, and leaves out what others paid for.
func (c *Chain) Sent(ctx context.Context, after chain.Cursor, limit int) ([]chain.Payment, error) {
	at := place{account: c.feePayer}
	if after != "" {
		var err error
		if at.signature, err = sol.SignatureFromBase58(string(after)); err != nil {
			return nil, fmt.Errorf("solana: %q is no cursor of what was sent", after)
		}
	}
	list, err := c.follow(ctx, at)
	if err != nil {
		return nil, err
	}
	var payments []chain.Payment
	read := at.signature
	for len(payments) < limit && len(list) > 0 {
		entry := list[0]
		l, err := c.landing(ctx, entry.signature)
		if err != nil {
			c.note(at, read, list)
			if len(payments) > 0 {
				err = nil // what was read stands, and the next reading meets the error again
			}
			return payments, err
		}
		list, read = list[1:], entry.signature
		if l.payer == c.feePayer {
			payments = append(payments, c.paymentOf(l))
			at.signature = entry.signature
		}
	}
	c.note(at, read, list)
	return payments, nil
}

// paymentOf is a transaction of the fee payer in the form of the port.
func (c *Chain) paymentOf(l *landing) chain.Payment {
	p := chain.Payment{
		Signature: chain.Signature(l.signature.String()), Slot: l.slot, Memo: l.memo, Err: l.err, At: l.at,
		Cursor: chain.Cursor(l.signature.String()),
	}
	for _, ch := range l.changes {
		switch {
		case ch.mint != c.usdc():
		case ch.delta < 0:
			p.Sources = append(p.Sources, chain.Source{Address: chain.Address(ch.owner.String()), Amount: money.USDC(-ch.delta)})
		default:
			p.Destination = chain.Address(ch.owner.String())
		}
	}
	return p
}
