package statement_test

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

var shop = ferry.Scope{Business: "biz_1", Env: ferry.Test}

// noon is the time at which the clock of these tests stands.
type noon struct{}

func (noon) Now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// setup returns a service, and a function that runs a unit of work.
func setup(t *testing.T) (*statement.Service, func(func(context.Context, statement.Tx) error)) {
	t.Helper()
	units := ferry.Narrow(
		store.Open(memstore.New(), ferry.OneClock(noon{}), ferry.NewIDs(rand.Reader)),
		func(tx store.Tx) statement.Tx { return tx },
	)
	return statement.New(units), func(body func(context.Context, statement.Tx) error) {
		t.Helper()
		require.NoError(t, units.In(shop.Env).Write(t.Context(), body))
	}
}

// TestATransactionIsFoundByEachOfItsNames has an order of the shop and one of a stranger
// of the same name: the shop's own comes first.
func TestATransactionIsFoundByEachOfItsNames(t *testing.T) {
	s, do := setup(t)
	var own, public statement.Transaction
	do(func(ctx context.Context, tx statement.Tx) error {
		from := statement.Sender{AccountName: "Bola"}
		public = statement.Incoming(tx, shop, "checkout", "pay_2", money.NGN(2), from)
		public.TrxID, public.Public = "order-1", true
		return statement.Kind.Insert(ctx, tx, public)
	})
	get := func(ref statement.Ref) statement.ID {
		t.Helper()
		found, err := s.Get(t.Context(), shop, ref)
		require.NoError(t, err)
		return found.ID
	}
	require.Equal(t, public.ID, get(statement.Ref{TrxID: "order-1"}), "there is no other one yet")
	do(func(ctx context.Context, tx statement.Tx) error {
		own = statement.Incoming(tx, shop, "checkout", "pay_1", money.NGN(1), statement.Sender{})
		own.TrxID = "order-1"
		return statement.Kind.Insert(ctx, tx, own)
	})
	for name, ref := range map[string]statement.Ref{
		"its id":                  {ID: string(own.ID)},
		"the legacy form of it":   {ID: ferry.UID(string(own.ID))},
		"its trx_id":              {TrxID: "order-1"},
		"its reference":           {Reference: "pay_1"},
		"a trx_id as a reference": {Reference: "order-1"},
		"a reference as a trx_id": {TrxID: "pay_1"},
		"all":                     {ID: string(own.ID), TrxID: "order-1", Reference: "pay_1"},
	} {
		require.Equal(t, own.ID, get(ref), name)
	}
	require.Equal(t, public.ID, get(statement.Ref{TrxID: "order-1", Reference: "pay_2"}), "the reference says which of two")
	for name, ref := range map[string]statement.Ref{
		"no id":                            {ID: "trx_1"},
		"an unused one":                    {TrxID: "order-2"},
		"nothing":                          {},
		"names that contradict each other": {ID: string(own.ID), TrxID: "order-2"},
	} {
		_, err := s.Get(t.Context(), shop, ref)
		require.ErrorIs(t, err, statement.ErrNotFound, name)
	}
}

func TestALineIsReversedOnceAndNotWhenItsMoneyWentBack(t *testing.T) {
	s, do := setup(t)
	do(func(ctx context.Context, tx statement.Tx) error {
		line := statement.Incoming(tx, shop, "virtual_account", "session-1", money.NGN(1), statement.Sender{})
		back := statement.Incoming(tx, shop, "virtual_account", "session-2", money.NGN(1), statement.Sender{})
		back.Status = statement.Returned
		if err := statement.Kind.Insert(ctx, tx, line); err != nil {
			return err
		}
		return statement.Kind.Insert(ctx, tx, back)
	})
	for range 2 {
		for reference, want := range map[string]statement.Status{"session-1": statement.Reversed, "session-2": statement.Returned} {
			do(func(ctx context.Context, tx statement.Tx) error { return statement.ReverseIn(ctx, tx, shop, reference) })
			found, err := s.Get(t.Context(), shop, statement.Ref{Reference: reference})
			require.NoError(t, err)
			require.Equal(t, want, found.Status)
		}
	}
	do(func(ctx context.Context, tx statement.Tx) error {
		require.ErrorIs(t, statement.ReverseIn(ctx, tx, shop, "session-3"), statement.ErrNotFound)
		return nil
	})
}
