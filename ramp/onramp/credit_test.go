package onramp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func TestNairaThatTheBankTookBackAreNotSentBackAsWell(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	kept, gone := s.pay(o, 5_000_00), s.pay(o, 4_000_00)
	before := s.is(o, ramp.AwaitingFunds)
	s.advance(time.Second)
	recalled, err := s.World.Recall(t.Context(), gone)
	require.NoError(t, err)
	s.drain()
	for range 2 { // also when it is told of again
		now := s.is(o, ramp.AwaitingFunds)
		require.Equal(t, money.NGN(5_000_00), now.Received)
		require.True(t, now.UpdatedAt.After(before.UpdatedAt))
		require.NoError(t, s.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return onramp.RecalledIn(ctx, tx, ferry.Test, recalled)
		}))
	}
	s.advance(15 * time.Minute)
	require.Equal(t, "The amount did not arrive in time", s.is(o, ramp.Expired).Failure)
	require.EqualValues(t, 5_000_00, s.back(kept))
	require.Zero(t, s.back(gone))
}

func TestACreditOfNoOrderIsTakenBackWithoutOne(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	session := s.pay(o, 5_000_00)
	require.NoError(t, s.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return onramp.RecalledIn(ctx, tx, ferry.Test, bank.Credit{AccountNumber: "0000000000", SessionID: session, Amount: money.NGN(5_000_00)})
	}))
	require.Equal(t, money.NGN(5_000_00), s.is(o, ramp.AwaitingFunds).Received)
}

func TestWhatComesBeyondTheAmountGoesBackOfTheNewestCredit(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	first, second := s.pay(o, 10_000_00), s.pay(o, 8_000_00)
	s.advance(10 * time.Second)
	s.is(o, ramp.Done)
	require.Zero(t, s.back(first))
	require.EqualValues(t, 3_000_00, s.back(second))
}

func TestAnOrderTakesTwentyCredits(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	for range 20 {
		require.Zero(t, s.back(s.pay(o, 1_00)))
	}
	require.EqualValues(t, 1_00, s.back(s.pay(o, 1_00)))
	require.Equal(t, money.NGN(20_00), s.is(o, ramp.AwaitingFunds).Received)
}

func TestALateCreditGoesBackAtOnceWhileTheOrderHasNotEnded(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	_, err := s.World.Advance(t.Context(), 15*time.Minute+time.Second)
	require.NoError(t, err)
	late, err := s.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: o.Bank.AccountNumber, Amount: money.NGN(15_000_00)})
	require.NoError(t, err)
	now, err := s.Onramps.Refresh(t.Context(), s.scope, onramp.Ref{ID: string(o.ID)})
	require.NoError(t, err)
	require.Equal(t, ramp.AwaitingFunds, now.Stage)
	require.True(t, now.Received.IsZero())
	s.drain()
	s.is(o, ramp.Expired)
	require.EqualValues(t, 15_000_00, s.back(late.SessionID))
}

func TestAnOrderWaitsADayForAWalletThatIsSuspended(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	_, err := s.Wallets.SetStatus(t.Context(), ferry.Scope{Env: ferry.Test}, wallets.WalletRef{Reference: wallets.Exchange}, wallets.Suspended)
	require.NoError(t, err)
	session := s.pay(o, 15_000_00)
	s.advance(24*time.Hour - time.Minute)
	s.is(o, ramp.FundsReceived)
	s.advance(2 * time.Minute)
	s.is(o, ramp.Refunded)
	require.EqualValues(t, 15_000_00, s.back(session))
	s.holds(stranger, 0)
}

func TestWhereNobodyStocksTheInventoryOrdersAreMadeAllTheSame(t *testing.T) {
	s := open(t)
	units := ferry.Narrow(ferry.UnitsOf(s.Units(ferry.Live), s.Units(ferry.Test)), func(tx store.Tx) onramp.Tx { return tx })
	service := onramp.New(units, onramp.Config{
		Quotes: s.Quotes, Wallets: s.Wallets, Outgoing: s.Outgoing,
		Banks: map[ferry.Env]bank.Bank{ferry.Test: s.World.Bank()}, ReadBank: s.BankFeed.Read,
	})
	made, err := service.Create(t.Context(), s.scope, order("order-1"))
	require.NoError(t, err)
	require.Equal(t, ramp.AwaitingFunds, made.Stage)
	from, err := service.Inventory(t.Context(), ferry.Test)
	require.NoError(t, err)
	s.holds(string(from), 0)
}

// standing is a clock that stands still.
type standing struct{}

func (standing) Now() time.Time { return time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC) }

func TestAnOrderEndsAnHourLateWhileTheBankDoesNotAnswer(t *testing.T) {
	s := openOn(t, standing{})
	o := s.create(order("order-1"))
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 100_000))
	to := func(at time.Time, stage ramp.Stage) {
		t.Helper()
		_, _ = s.Advance(t.Context(), at.Sub(s.World.Clock().Now())) // the bank fails each time
		s.is(o, stage)
	}
	end := o.ExpiresAt.Add(bank.Patience)
	to(end.Add(-time.Second), ramp.AwaitingFunds)
	to(end, ramp.Expired)
}

func TestAllThatNamesAnOrderMustNameTheSameOne(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	_, err := s.Onramps.Get(t.Context(), s.scope, onramp.Ref{ID: string(o.ID), Reference: "order-1"})
	require.NoError(t, err)
	for _, ref := range []onramp.Ref{{ID: string(o.ID), Reference: "order-2"}, {ID: "nonsense"}, {Reference: "order-2"}, {}} {
		_, err := s.Onramps.Get(t.Context(), s.scope, ref)
		require.ErrorIs(t, err, ramp.ErrNotFound, ref)
	}
}
