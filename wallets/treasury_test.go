package wallets_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func sourcesOf(a outgoing.Attempt) map[chain.Address]string {
	parts := map[chain.Address]string{}
	for _, s := range a.Sources {
		parts[s.Address] = s.Amount.Major()
	}
	return parts
}

func TestATransferIsFundedFromItsOwnAddressFirst(t *testing.T) {
	b := setup(t)
	w, rich := b.funded("w", "10"), b.funded("rich", "1000")
	_ = rich
	sent := b.send(w, b.stranger(), "4")
	require.Equal(t, map[chain.Address]string{w.PrimaryAddress: "4"}, sourcesOf(b.attempts(sent)[0]))
}

func TestNoAddressPaysTwiceForATransfer(t *testing.T) {
	b := setup(t)
	w, sibling, foreign := b.funded("w", "3"), b.funded("sibling", "6"), b.walletOf(away, "foreign")
	b.deposit(foreign.PrimaryAddress, "4")
	b.send(sibling, w.PrimaryAddress, "6")
	b.send(foreign, w.PrimaryAddress, "4")
	to := b.stranger()
	sent := b.send(w, to, "12.5")
	require.Equal(t, map[chain.Address]string{
		w.PrimaryAddress: "3", sibling.PrimaryAddress: "6", foreign.PrimaryAddress: "3.5",
	}, sourcesOf(b.attempts(sent)[0]), "the sibling has the most of all, too")
	require.Len(t, b.attempts(sent)[0].Sources, 3)
	b.settle()
	require.Equal(t, usdc("12.5"), b.holds(to))
	b.clean()
}

func TestThePoolFundsWhatTheOwnAddressDoesNotHold(t *testing.T) {
	b := setup(t)
	w, sibling, foreign := b.funded("w", "1"), b.funded("sibling", "5"), b.walletOf(away, "foreign")
	b.deposit(foreign.PrimaryAddress, "100")
	// The sender gets money in the ledger; on the chain it stays with others.
	b.send(foreign, w.PrimaryAddress, "7")
	to := b.stranger()
	sent := b.send(w, to, "7.5")
	require.Equal(t, map[chain.Address]string{
		w.PrimaryAddress: "1", sibling.PrimaryAddress: "5", foreign.PrimaryAddress: "1.5",
	}, sourcesOf(b.attempts(sent)[0]), "its own first, then its business's, then others'")
	b.settle()
	require.Equal(t, usdc("7.5"), b.holds(to))
	require.Equal(t, usdc("5"), b.balance(sibling), "in the ledger only the sender pays")
	require.Equal(t, usdc("93"), b.balance(foreign))
	require.Equal(t, usdc("0.495"), b.balance(w))
	b.clean()
}

func TestFundsPromisedToOneAttemptAreNotPromisedAgain(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.chain.send = func(context.Context, []byte) error { return nil } // nothing lands
	one, two := b.send(w, b.stranger(), "4"), b.send(w, b.stranger(), "5")
	require.NotEmpty(t, one.Signature)
	require.NotEmpty(t, two.Signature)
	c := b.custodies()[0]
	require.Equal(t, usdc("9"), c.Committed)
	require.Equal(t, usdc("10"), c.OnChain)
	b.clean()
	b.chain.send = nil
	b.settle()
	c = b.custodies()[0]
	require.Zero(t, c.Committed.Minor())
	require.Equal(t, usdc("1"), c.OnChain)
	b.clean()
}

func TestATransferWaitsWhileItsFundsArePromisedToOthers(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "10"), b.wallet("other")
	b.chain.send = func(context.Context, []byte) error { return nil }
	first := b.send(w, b.stranger(), "4")
	b.send(w, other.PrimaryAddress, "5.995")
	b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) { return nil, nil }
	// The pool is moved below what the ledger says: 6 of it is committed to a
	// transfer that is not there.
	commitAway(b, w, "3")
	second := b.send(other, b.stranger(), "5")
	require.Empty(t, second.Signature, "there is nothing to sign with")
	require.Equal(t, wallets.Pending, second.Status)
	commitAway(b, w, "-3")
	b.chain.send, b.chain.history = nil, nil
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(first).Status)
	require.Equal(t, wallets.Success, b.transfer(second).Status)
	b.clean()
}

// commitAway raises what is committed of a wallet's primary address.
func commitAway(b *bench, w wallets.Wallet, amount string) {
	b.t.Helper()
	require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		c, err := wallets.CustodyOf(ctx, tx, ferry.Test, w.Primary)
		if err != nil {
			return err
		}
		if amount[0] == '-' {
			c.Committed, err = c.Committed.Sub(usdc(amount[1:]))
		} else {
			c.Committed, err = c.Committed.Add(usdc(amount))
		}
		if err != nil {
			return err
		}
		return wallets.CustodyKind.Update(ctx, tx, c)
	}))
}

// fragmented makes a wallet with n addresses of 1 USDC each and moves all of it
// to the primary address, in the ledger.
func fragmented(b *bench, n int) wallets.Wallet {
	b.t.Helper()
	w := b.wallet("w")
	for range n {
		a := b.address(w)
		b.deposit(a.Address, "1")
		_, err := b.Transfer(b.t.Context(), home, outgoing.TransferParams{
			From: string(a.Address), To: string(w.PrimaryAddress), Amount: usdc("1"),
		})
		require.NoError(b.t, err)
	}
	return w
}

func TestFragmentsAreGatheredBeforeTheyPay(t *testing.T) {
	b := setup(t)
	b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 350*(sources-1) } // three sources at most
	w, to := fragmented(b, 12), b.stranger()
	sent := b.send(w, to, "11.5")
	require.Empty(t, sent.Signature)
	require.Equal(t, usdc("0.495"), b.balance(w))

	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, usdc("11.5"), b.holds(to))
	require.Equal(t, usdc("0.495"), b.balance(w), "gathering changes no balance")
	for _, line := range b.lines(home, wallets.TransactionQuery{Direction: wallets.Out}) {
		require.Contains(t, []outgoing.Kind{outgoing.Internal, outgoing.External}, kindOf(b, line), "treasury transfers are nobody's")
	}
	require.Len(t, b.events(home, wallets.EventReceived), 24, "12 deposits and 12 internal transfers, and no more")
	b.clean()
}

func kindOf(b *bench, line wallets.StatementLine) outgoing.Kind {
	b.t.Helper()
	found, err := b.FindTransfer(b.t.Context(), home, string(line.ID))
	require.NoError(b.t, err)
	return found.Kind
}

func TestGatheringSurvivesLossesAndErrors(t *testing.T) {
	b := setup(t)
	b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 350*(sources-1) }
	w, to := fragmented(b, 8), b.stranger()
	fails := 0
	b.chain.send = func(ctx context.Context, bytes []byte) error {
		if fails++; fails == 1 {
			b.inject("program_error", 1)
		}
		if fails > 2 && fails < 80 {
			return nil // lost, until the attempt has expired
		}
		return b.chain.Chain.Send(ctx, bytes)
	}
	sent := b.send(w, to, "7.5")
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, usdc("7.5"), b.holds(to))
	b.clean()
}

func TestATransferThatGathersSurvivesACrash(t *testing.T) {
	b := setup(t)
	b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 350*(sources-1) }
	w, to := fragmented(b, 6), b.stranger()
	sent := b.send(w, to, "5.5")
	for range 100 {
		b.restart()
		b.clock.pass(2 * time.Second)
		b.runDue()
		b.sweep()
	}
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, usdc("5.5"), b.holds(to))
	b.clean()
}

func TestGatheredFundsOfAnAttemptThatWasGivenUpAreNobodysDeposit(t *testing.T) {
	// A chain that breaks its word: what it said can never land, lands.
	b := setup(t)
	b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 350*(sources-1) }
	w := fragmented(b, 6)
	received := b.addressOf(w.PrimaryAddress, home).TotalReceived
	var held [][]byte
	b.chain.send = func(_ context.Context, bytes []byte) error { held = append(held, bytes); return nil }
	b.send(w, b.stranger(), "5")
	b.clock.pass(3 * time.Second)
	b.runDue() // signs the treasury transfer
	require.Len(t, held, 1)
	b.chain.look = func(_ context.Context, s []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{Statuses: make([]chain.Status, len(s)), FinalizedHeight: 1 << 40}, nil
	}
	b.clock.pass(3 * time.Second)
	b.runDue() // gives it up
	require.NoError(t, b.chain.Chain.Send(t.Context(), held[0]))
	b.finalize()
	b.sweep()
	require.Equal(t, received, b.addressOf(w.PrimaryAddress, home).TotalReceived)
	require.Equal(t, wallets.Suspended, b.get(w).Status)
	require.NotEmpty(t, b.findings())
}

func TestATransferWaitsForOneGatheringAtATime(t *testing.T) {
	b := setup(t)
	b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 350*(sources-1) }
	w := fragmented(b, 12)
	b.chain.send = func(context.Context, []byte) error { return nil } // nothing lands
	sent := b.send(w, b.stranger(), "11")
	for range 5 {
		b.clock.pass(3 * time.Second)
		b.runDue()
	}
	require.Len(t, b.pending(), 2, "the transfer and the one that gathers for it")
	require.NotEmpty(t, b.transfer(sent).WaitsFor)
}
