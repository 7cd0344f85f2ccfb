package wallets_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
)

// compared is a chain in whose place a test answers what addresses hold. The first answer is
// compared with all addresses of a page, and each further one with an address that differs.
type compared struct {
	reporting
	holdings func(call int, ask func() chain.Holdings) chain.Holdings
	calls    int
}

func (c *compared) Holdings(ctx context.Context, addresses []chain.Address) (chain.Holdings, error) {
	ask := func() chain.Holdings {
		held, err := c.reporting.Holdings(ctx, addresses)
		if err != nil {
			panic(err)
		}
		return held
	}
	if c.calls++; c.holdings == nil {
		return ask(), nil
	}
	return c.holdings(c.calls, ask), nil
}

// setupCompared returns a bench, and what answers what its addresses hold.
func setupCompared(t *testing.T) (*bench, *compared) {
	t.Helper()
	c := &compared{}
	b := setup(t, func(config *config) {
		c.reporting = config.chains[ferry.Test].(reporting)
		config.chains[ferry.Test] = c
	})
	return b, c
}

// arrive pays to an address on the chain, and nobody reads it yet.
func (b *bench) arrive(to chain.Address, amount string) {
	b.t.Helper()
	_, err := b.world.Deposit(b.t.Context(), sandbox.DepositParams{To: to, Amount: usdc(amount)})
	require.NoError(b.t, err)
	b.finalize()
}

// agreed checks that a comparison has found only what is under way, on so many addresses.
func (b *bench) agreed(r custody.Reconciliation, inFlight int) {
	b.t.Helper()
	require.Empty(b.t, r.Drifts)
	require.Len(b.t, r.InFlight, inFlight)
}

func TestAnAddressThatIsBookedWhileItIsComparedIsComparedAgain(t *testing.T) {
	b, c := setupCompared(t)
	w := b.funded("one", "10")
	b.arrive(w.PrimaryAddress, "3")
	c.holdings = func(call int, ask func() chain.Holdings) chain.Holdings {
		held := ask()
		if call == 2 {
			b.sweep()
		}
		return held
	}
	r := b.reconcile()
	b.agreed(r, 0)
	require.Equal(t, usdc("13"), r.Custody)
	require.Equal(t, 3, c.calls)
}

func TestWhatTheFirstComparisonExplainsIsNotAskedAgain(t *testing.T) {
	b, c := setupCompared(t)
	b.arrive(b.funded("one", "10").PrimaryAddress, "3")
	b.agreed(b.reconcile(), 1)
	require.Equal(t, 2, c.calls)
}

func TestANodeThatIsBehindForAMomentMakesNoDrift(t *testing.T) {
	b, c := setupCompared(t)
	b.funded("one", "10")
	c.holdings = func(call int, ask func() chain.Holdings) chain.Holdings {
		held := ask()
		if call <= 2 {
			held.Amounts[0] = usdc("7")
		}
		return held
	}
	b.agreed(b.reconcile(), 0)
}

func TestAnAddressThatMovesAllTheTimeIsLeftToTheNextComparison(t *testing.T) {
	b, c := setupCompared(t)
	b.funded("one", "10")
	again := func() { b.damage(b.custodies()[0], usdc("12")) }
	again()
	c.holdings = func(_ int, ask func() chain.Holdings) chain.Holdings {
		held := ask()
		again()
		return held
	}
	b.agreed(b.reconcile(), 1)
	c.holdings = nil
	require.Len(t, b.reconcile().Drifts, 1)
}

func TestAPaymentThatBeginsBetweenTwoLooksIsInFlight(t *testing.T) {
	b, c := setupCompared(t)
	w := b.funded("one", "10")
	c.holdings = func(call int, ask func() chain.Holdings) chain.Holdings {
		if call == 3 {
			b.send(w, b.stranger(), "4")
			b.finalize()
			b.sweep() // the history has it from now on, the transfer does not
		}
		held := ask()
		if call <= 2 {
			held.Amounts[0] = usdc("7")
		}
		return held
	}
	b.agreed(b.reconcile(), 1)
}

func TestWhatIsBookedBeforeItsHistoryIsReadCountsOnce(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	b.send(w, b.stranger(), "4")
	b.finalize()
	b.runDue() // books the transfer, whose movement the history has still to show
	b.arrive(w.PrimaryAddress, "3")
	b.arrive(w.PrimaryAddress, "2")
	r := b.reconcile()
	b.agreed(r, 1)
	require.Contains(t, r.InFlight[0].Text, "holds 11 USDC")
	require.Contains(t, r.InFlight[0].Text, "6 USDC is booked")
}

func TestTwoPaymentsWhoseHistoryWasReadFirstAreInFlightTogether(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	b.send(w, b.stranger(), "4")
	b.send(w, b.stranger(), "2")
	b.finalize()
	b.sweep()
	b.agreed(b.reconcile(), 1)
}

func TestWhatIsGatheredIsInFlightWhereItLeavesAndWhereItArrives(t *testing.T) {
	b := setup(t)
	b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 350*(sources-1) } // three sources at most
	w := fragmented(b, 6)
	b.send(w, b.stranger(), "5")
	b.clock.pass(3 * time.Second)
	b.runDue()
	b.finalize()
	b.sweep()
	r := b.reconcile()
	require.Empty(t, r.Drifts)
	require.Greater(t, len(r.InFlight), 1)
	var moved []string
	for _, f := range r.InFlight {
		moved = append(moved, f.Subject)
	}
	require.Contains(t, moved, string(w.Primary))
}

// TestALiveAttemptExplainsWhatLeft holds an address whose history was read beside what the chain
// says of an attempt of 4 that is live.
func TestALiveAttemptExplainsWhatLeft(t *testing.T) {
	for name, c := range map[string]struct {
		status    chain.Status
		later     uint64 // blocks after the one that was compared
		explained bool
	}{
		"when it is final in the block that is compared": {chain.Status{Found: true, Commitment: chain.Finalized}, 0, true},
		"not when it is final in a later one":            {chain.Status{Found: true, Commitment: chain.Finalized}, 1, false},
		"not when it is confirmed":                       {chain.Status{Found: true, Commitment: chain.Confirmed}, 0, false},
		"not when it has failed":                         {chain.Status{Found: true, Commitment: chain.Finalized, Err: "failed"}, 0, false},
		"not when it is not found":                       {chain.Status{Commitment: chain.Finalized}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			b, answers := setupCompared(t)
			w := b.funded("one", "10")
			b.chain.send = func(context.Context, []byte) error { return nil } // it stays live
			b.send(w, b.stranger(), "4")
			answers.holdings = func(_ int, ask func() chain.Holdings) chain.Holdings {
				held := ask()
				held.Amounts[0], c.status.Slot = usdc("6"), held.Slot+c.later
				return held
			}
			b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) {
				return chain.StatusReport{Statuses: []chain.Status{c.status}}, nil
			}
			r := b.reconcile()
			if c.explained {
				b.agreed(r, 1)
				return
			}
			require.Len(t, r.Drifts, 1)
			require.Equal(t, usdc("10"), r.Drifts[0].Expected)
		})
	}
}

func TestWithoutTheStatusOfALiveAttemptNothingIsCompared(t *testing.T) {
	b, c := setupCompared(t)
	w := b.funded("one", "10")
	b.send(w, b.stranger(), "4")
	c.holdings = func(_ int, ask func() chain.Holdings) chain.Holdings {
		held := ask()
		held.Amounts[0] = usdc("6")
		return held
	}
	b.chain.look = func(context.Context, []chain.Signature) (chain.StatusReport, error) { return chain.StatusReport{}, nil }
	_, err := b.Reconcile(t.Context(), ferry.Test)
	require.ErrorIs(t, err, wallets.ErrUnavailable)
}

func TestAHistoryThatIsAheadOfWhatIsComparedExplainsNothingMore(t *testing.T) {
	b, c := setupCompared(t)
	w := b.funded("one", "10")
	b.arrive(w.PrimaryAddress, "1")
	c.holdings = func(call int, ask func() chain.Holdings) chain.Holdings {
		held := ask()
		if call > 1 {
			b.arrive(w.PrimaryAddress, "3")
		}
		return held
	}
	b.agreed(b.reconcile(), 1)
	require.Equal(t, 2, c.calls)
}

func TestWhatArrivesInTheBlockThatIsComparedIsInFlight(t *testing.T) {
	b, c := setupCompared(t)
	w := b.funded("one", "10")
	b.arrive(w.PrimaryAddress, "3")
	all, err := b.world.Chain().History(t.Context(), w.PrimaryAddress, "", 10)
	require.NoError(t, err)
	require.Len(t, all, 2)
	c.holdings = func(_ int, ask func() chain.Holdings) chain.Holdings {
		held := ask()
		held.Slot = all[1].Slot
		return held
	}
	b.agreed(b.reconcile(), 1)
}

func TestAnotherTokenInTheSameTransactionChangesNothingOfTheUSDC(t *testing.T) {
	b, c := setupCompared(t)
	w := b.funded("one", "10")
	c.holdings = func(_ int, ask func() chain.Holdings) chain.Holdings {
		held := ask()
		held.Amounts[0] = usdc("13")
		return held
	}
	b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
		return []chain.Movement{
			{Signature: "both", Mint: sandbox.USDCMint, Supported: true, Delta: usdc("3"), Cursor: "1"},
			{Signature: "both", Mint: string(b.stranger()), Delta: money.USDC(0), Cursor: "2"},
		}, nil
	}
	b.agreed(b.reconcile(), 1)
	require.Equal(t, wallets.Active, b.get(w).Status)
}

func TestEveryAddressIsComparedHoweverManyThereAre(t *testing.T) {
	b, c := setupCompared(t)
	w := b.wallet("w")
	for range chain.MaxAddresses {
		b.address(w)
	}
	c.holdings = func(call int, ask func() chain.Holdings) chain.Holdings {
		require.LessOrEqual(t, call, 2, "each page is asked about once")
		return ask()
	}
	require.Equal(t, chain.MaxAddresses+1, b.reconcile().Addresses)
}

func TestADriftIsConfirmedWhateverIsBookedMeanwhile(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	b.damage(b.custodies()[0], usdc("12"))
	for _, suspended := range []int{0, 1} {
		n, err := b.Freeze(t.Context(), ferry.Test, b.reconcile().Drifts)
		require.NoError(t, err)
		require.Equal(t, suspended, n)
		b.deposit(w.PrimaryAddress, "1")
	}
	require.Equal(t, wallets.Suspended, b.get(w).Status)
}
