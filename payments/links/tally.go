package links

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
)

// TakeIn takes a place of a link for a new session. A link without a limit counts no
// places, so that its payers do not wait for each other. Errors:
// ErrNotActive, ErrLimitReached.
func TakeIn(ctx context.Context, tx Tx, l Link) error {
	l = l.At(tx.Now())
	switch {
	case l.Status == Completed:
		return ErrLimitReached
	case l.Status != Active:
		return ErrNotActive
	case l.QuantityLimit == 0:
		return nil
	}
	tally, err := TallyOf(ctx, tx, l.Scope, l.ID)
	if err != nil {
		return err
	}
	if tally.Taken >= l.QuantityLimit {
		return ErrLimitReached
	}
	tally.Taken++
	return TallyKind.Put(ctx, tx, tally)
}

// FreeIn gives a place back that was taken and not paid.
func FreeIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	l, err := LinkKind.Get(ctx, tx, scope, id)
	if err != nil || l.QuantityLimit == 0 {
		return err
	}
	tally, err := TallyOf(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	tally.Taken--
	return TallyKind.Put(ctx, tx, tally)
}

// CountIn counts a payment that succeeded. A link of policy A that has no place
// left is completed.
func CountIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, amount money.Amount) error {
	tally, err := addIn(ctx, tx, scope, id, 1, amount)
	if err != nil {
		return err
	}
	l, err := LinkKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	l = l.At(tx.Now())
	if l.Policy != business.DialectA || l.Status != Active || l.QuantityLimit == 0 || tally.Paid < l.QuantityLimit {
		return nil
	}
	_, err = moveIn(ctx, tx, l, causeCompleted)
	return err
}

// UncountIn takes a payment out that was reversed. Its place stays taken.
func UncountIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, amount money.Amount) error {
	_, err := addIn(ctx, tx, scope, id, -1, amount.Neg())
	return err
}

func addIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, count int64, amount money.Amount) (Tally, error) {
	tally, err := TallyOf(ctx, tx, scope, id)
	if err != nil {
		return Tally{}, err
	}
	tally.Paid += count
	tally.Taken = max(tally.Taken, tally.Paid) // who paid has a place, also where none is taken before
	if tally.Total, err = tally.Total.Add(amount); err != nil {
		return Tally{}, err
	}
	return tally, TallyKind.Put(ctx, tx, tally)
}
