package sandbox

import (
	"context"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// What the fee payer paid for is a list of signatures in the order in which
// they landed.
const sentPrefix = "chain/sent/"

// recordSent lists a transaction that has landed, unless it came from outside.
func (t *tip) recordSent(tx transaction) error {
	if tx.Issued {
		return nil
	}
	t.Seq++
	if err := save(t, sentPrefix+ordered(t.Seq), tx.Signature); err != nil {
		return err
	}
	return t.keep()
}

func (c simChain) Sent(ctx context.Context, after chain.Cursor, limit int) ([]chain.Payment, error) {
	if err := checkCursor(after, "what was sent"); err != nil {
		return nil, err
	}
	return viewed(ctx, c, func(t *tip, slot uint64) ([]chain.Payment, error) {
		sent, err := t.sent(after, limit, t.finalized(slot))
		return mayRepeat(t, sent, limit, err)
	})
}

// sent returns the listed transactions after a place that are final at a height.
func (t *tip) sent(after chain.Cursor, limit int, finalized uint64) ([]chain.Payment, error) {
	signatures, err := scan[chain.Signature](t, sentPrefix, string(after), limit)
	if err != nil {
		return nil, err
	}
	var sent []chain.Payment
	for _, s := range signatures {
		var tx transaction
		if _, err := load(t, transactionKey(s.doc), &tx); err != nil {
			return nil, err
		}
		if tx.Height > finalized {
			break
		}
		sent = append(sent, t.payment(tx, chain.Cursor(s.place)))
	}
	return sent, nil
}

// payment is a transaction in the form of the port.
func (t *tip) payment(tx transaction, cursor chain.Cursor) chain.Payment {
	p := chain.Payment{
		Signature: tx.Signature, Slot: tx.Slot, Memo: tx.Memo, Err: tx.Err, At: t.timeOf(tx.Slot), Cursor: cursor,
	}
	if tx.Err != "" {
		return p
	}
	for _, s := range tx.Sources {
		p.Sources = append(p.Sources, chain.Source{Address: s.Owner, Amount: money.USDC(s.Amount)})
	}
	p.Destination = tx.To
	return p
}
