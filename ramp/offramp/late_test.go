package offramp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
)

func TestLateUSDCGoesBackAlsoWhenItsOrderCouldNotEndInTime(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.pass(14 * time.Minute)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.Unavailable, 50))
	_, _ = s.Advance(t.Context(), 2*time.Minute)
	require.Equal(t, ramp.AwaitingDeposit, s.get(made).Stage)
	s.send(made, money.USDC(10_000_000))
	require.NoError(t, s.World.Calm(t.Context()))
	s.pass(5 * time.Minute)
	require.Equal(t, []string{"returned 10 late"}, ends(s.is(made, ramp.Expired, ramp.Failed)))
	require.Equal(t, []string{offramp.EventFailed}, s.events())
}

// undecided is a chain on which USDC is always on its way, and never final.
type undecided struct{ chain.Chain }

func (undecided) PendingDeposits(_ context.Context, addresses []chain.Address) ([]chain.PendingDeposits, error) {
	all := make([]chain.PendingDeposits, len(addresses))
	for n := range all {
		all[n] = chain.PendingDeposits{Amount: money.USDC(10_000_000), Commitment: chain.Confirmed}
	}
	return all, nil
}

func TestAnOrderWaitsTenMinutesForUSDCThatIsNotFinal(t *testing.T) {
	w := newWorld()
	s := setupWith(t, engine.Config{World: w, Test: engine.Providers{Chain: undecided{w.Chain()}}})
	made := s.create(cashout("rent", paysOut))
	s.pass(25*time.Minute - time.Second)
	s.is(made, ramp.AwaitingDeposit, ramp.Pending)
	s.pass(time.Second)
	s.is(made, ramp.Expired, ramp.Failed)
}

func TestOnlyUSDCThatCountsAtTheRateOfItsMomentWaitsForOne(t *testing.T) {
	s := setup(t)
	ended := s.create(cashout("ended", paysOut))
	s.pass(20 * time.Minute)
	made := s.create(cashout("rent", paysOut))
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1_000))

	s.deposit(ended, money.USDC(2_000_000))
	s.pass(time.Minute)
	require.Equal(t, []string{"returned 2 late"}, ends(s.is(ended, ramp.Expired, ramp.Failed)))
	s.deposit(made, money.USDC(10_000_000))
	s.is(made, ramp.Done, ramp.Successful)
	w, err := s.Wallets.Get(t.Context(), s.scope, wallets.WalletRef{ID: string(s.wallet(money.USDC(5_000_000)).ID)})
	require.NoError(t, err)
	require.Equal(t, money.USDC(5_000_000), w.Balance)
}

// 3.333335 USDC are worth 5000.0025 naira. What is lost by rounding is not asked for again.
func TestADepositAtAnotherRateAsksForNoMoreThanBefore(t *testing.T) {
	s := setup(t)
	quote, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, money.NGN(15_000_00))
	require.NoError(t, err)
	s.pass(10 * time.Minute)
	p := cashout("rent", paysOut)
	p.Quote = string(quote.ID)
	made := s.create(p)
	s.deposit(made, money.USDC(3_333_335))
	require.Equal(t, money.USDC(6_666_665), s.get(made).Due())
	s.pass(6 * time.Minute)
	s.price("1499")
	s.deposit(made, money.USDC(1))
	require.Equal(t, money.USDC(6_666_665), s.is(made, ramp.AwaitingDeposit, ramp.Pending).Due(), "a millionth is worth nothing")
}

func TestALookAtAnOrderBooksWhatTheChainKnows(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.send(made, money.USDC(10_000_000))
	_, err := s.World.Advance(t.Context(), 10*time.Second)
	require.NoError(t, err)
	require.Equal(t, ramp.AwaitingDeposit, s.get(made).Stage, "nothing looked at the chain")
	found, err := s.Offramps.Refresh(t.Context(), s.scope, offramp.Ref{ID: string(made.ID)})
	require.NoError(t, err)
	require.Equal(t, ramp.FundsReceived, found.Stage)
}

func TestALookAtAnOrderThatBoughtNothingFindsItAsItIs(t *testing.T) {
	s := setup(t)
	made := s.createBill(power("power", delivers))
	s.pass(20 * time.Minute)
	found, err := s.Offramps.Refresh(t.Context(), s.scope, offramp.Ref{ID: string(made.ID)})
	require.NoError(t, err)
	require.Equal(t, ramp.Expired, found.Stage)
}

func TestAPassTellsHowManyOrdersThereWere(t *testing.T) {
	s := setup(t)
	s.create(cashout("rent", paysOut))
	s.create(cashout("food", paysOut))
	_, err := s.World.Advance(t.Context(), 20*time.Minute)
	require.NoError(t, err)
	done, err := s.Offramps.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 2, done)
}
