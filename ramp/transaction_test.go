package ramp_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/store"
)

// recorded is an onramp of 15,000 naira for 10 USDC that waits for its naira.
func (s *shop) recorded(t *testing.T, id ramp.TransactionID, visit ramp.Visit) ramp.Transaction {
	t.Helper()
	made := ramp.Transaction{
		ID: id, Scope: s.scope, Side: ramp.Onramp, Reference: string(id), Visit: visit,
		Status: ramp.Pending, Stage: ramp.AwaitingFunds, Fiat: money.NGN(15_000_00), Crypto: money.USDC(10_000_000),
	}
	require.NoError(t, s.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return ramp.RecordIn(ctx, tx, made)
	}))
	return made
}

// moved moves a transaction, and returns it.
func (s *shop) moved(t *testing.T, of ramp.Transaction, status ramp.Status, stage ramp.Stage) ramp.Transaction {
	t.Helper()
	require.NoError(t, s.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return ramp.MoveIn(ctx, tx, s.scope, of.ID, status, stage)
	}))
	found, err := s.Quotes.Transaction(t.Context(), s.scope, ramp.TransactionRef{Side: of.Side, ID: of.ID})
	require.NoError(t, err)
	return found
}

func (s *shop) figures(t *testing.T, widget string) ramp.Figures {
	t.Helper()
	found, err := ferry.InRead(t.Context(), s.Units(ferry.Test), func(ctx context.Context, tx store.Tx) (ramp.Figures, error) {
		return ramp.FiguresIn(ctx, tx, s.scope, widget, ramp.Onramp)
	})
	require.NoError(t, err)
	return found
}

func TestAnOrderOfAWidgetCountsOnceAndWhenItIsSuccessful(t *testing.T) {
	s := open(t, onePercent)
	const widget = "rwdg_1"
	order := s.recorded(t, "onr_1", ramp.Visit{Widget: widget, Session: "rses_1"})
	s.moved(t, order, ramp.Processing, ramp.FundsReceived)
	s.moved(t, order, ramp.Processing, ramp.PaymentSubmitted)
	require.True(t, s.figures(t, widget).Fiat.IsZero(), "it is not successful yet")
	for range 2 {
		found := s.moved(t, order, ramp.Successful, ramp.Done)
		require.Equal(t, ramp.Successful, found.Status)
		require.Equal(t, ramp.Done, found.Stage)
		figures := s.figures(t, widget)
		require.Equal(t, order.Fiat, figures.Fiat)
		require.Equal(t, order.Crypto, figures.Crypto)
		require.Equal(t, 1, figures.Orders[ramp.Successful])
	}
	failed := s.recorded(t, "onr_2", ramp.Visit{Widget: widget, Session: "rses_1"})
	s.moved(t, failed, ramp.Failed, ramp.Expired)
	require.Equal(t, order.Fiat, s.figures(t, widget).Fiat)
}

func TestAnOrderOfTheBusinessItselfCountsForNoWidget(t *testing.T) {
	s := open(t, onePercent)
	order := s.recorded(t, "onr_1", ramp.Visit{})
	require.Equal(t, ramp.Successful, s.moved(t, order, ramp.Successful, ramp.Done).Status)
	require.True(t, s.figures(t, "").Fiat.IsZero())
}

func TestOfSeveralTransactionsTheNewestIsFound(t *testing.T) {
	s := open(t, onePercent)
	older := s.recorded(t, "onr_1", ramp.Visit{})
	_, err := s.World.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	newer := s.recorded(t, "onr_2", ramp.Visit{})
	refs := []ramp.TransactionRef{{Side: ramp.Onramp, ID: newer.ID}, {Side: ramp.Onramp, Reference: "none"}, {Side: ramp.Onramp, Reference: older.Reference}}
	for range 2 {
		found, err := s.Quotes.Transaction(t.Context(), s.scope, refs...)
		require.NoError(t, err)
		require.Equal(t, newer.ID, found.ID)
		slices.Reverse(refs)
	}
	_, err = s.Quotes.Transaction(t.Context(), s.scope, refs[1])
	require.ErrorIs(t, err, ramp.ErrNotFound)
}

func TestTheQuoteOfAnOrderIsOfNoOther(t *testing.T) {
	s := open(t, onePercent)
	offer, err := s.Quotes.Offer(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.NoError(t, err)
	require.NoError(t, s.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		quote, err := offer.In(ctx, tx, "onr_1")
		require.NoError(t, err)
		require.Equal(t, "onr_1", quote.UsedBy)
		_, err = ramp.UseIn(ctx, tx, s.scope, ramp.Onramp, string(quote.ID), "onr_2")
		require.ErrorIs(t, err, ramp.ErrQuoteUsed)
		return nil
	}))
}
