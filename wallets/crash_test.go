package wallets_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

var errFault = errors.New("the store failed")

// failing runs a story once for every operation of the store that it takes,
// with that operation failing. prepare comes before the fault is armed; story
// may fail; the bench must be clean afterwards, and check must hold once all
// has come to its end.
func failing(t *testing.T, prepare func(*bench), story func(*bench) error, check func(*bench)) {
	for n := 1; ; n++ {
		faulty := storefault.FailNth(memstore.New(), 0, errFault)
		b := setupOn(t, faulty, func(c *config) { c.Lease = time.Nanosecond })
		prepare(b)
		faulty.Arm(n)
		err := story(b)
		fired := faulty.Fired()
		faulty.Arm(0)
		if err != nil {
			require.ErrorIs(t, err, errFault)
		}
		require.Empty(t, b.findings(), "after operation %d failed", n)
		b.restart()
		b.settle()
		check(b)
		b.outlast()
		b.sweep()
		b.clean()
		if !fired {
			require.Greater(t, n, 5, "the story takes some operations")
			return
		}
	}
}

func TestATransferIsWholeOrNothingWhicheverOperationFails(t *testing.T) {
	var w, other wallets.Wallet
	var to chain.Address
	prepare := func(b *bench) { w, other, to = b.funded("w", "10"), b.wallet("other"), b.stranger() }
	for name, destination := range map[string]func() chain.Address{
		"internal": func() chain.Address { return other.PrimaryAddress },
		"external": func() chain.Address { return to },
	} {
		t.Run(name, func(t *testing.T) {
			failing(t, prepare, func(b *bench) error {
				_, err := b.Transfer(t.Context(), home, order(w, destination(), "4"))
				return err
			}, func(b *bench) {
				lines := len(b.lines(home, wallets.TransactionQuery{Direction: wallets.Out}))
				require.Equal(t, lines, len(b.events(home, wallets.EventSent)))
				arrived := b.holds(to).Minor() + b.balance(other).Minor()
				require.Equal(t, int64(lines)*4_000_000, arrived)
			})
		})
	}
}

func TestATransferEndsOnceWhicheverOperationFails(t *testing.T) {
	var w wallets.Wallet
	var to chain.Address
	for name, c := range map[string]struct {
		fault sandbox.Kind
		paid  string
	}{
		"success": {sandbox.Duplicate, "4"},
		"failure": {sandbox.ProgramError, "0"},
		"expiry":  {sandbox.DeadBlockhash, "4"},
	} {
		t.Run(name, func(t *testing.T) {
			failing(t, func(b *bench) {
				w, to = b.funded("w", "10"), b.stranger()
				b.inject(c.fault, 1)
				b.send(w, to, "4")
				if c.fault == sandbox.DeadBlockhash {
					b.outlast()
				}
				b.finalize()
			}, func(b *bench) error {
				_, err := b.RunDue(t.Context(), 10)
				return err
			}, func(b *bench) {
				require.Equal(t, usdc(c.paid), b.holds(to))
				require.Equal(t, 1, len(b.events(home, wallets.EventSent))+len(b.events(home, wallets.EventFailed)))
			})
		})
	}
}

func TestADepositIsCreditedOnceWhicheverOperationFails(t *testing.T) {
	var w wallets.Wallet
	failing(t, func(b *bench) {
		w = b.wallet("w")
		for _, mint := range []string{"", string(b.stranger()), ""} {
			_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("2"), Mint: mint})
			require.NoError(t, err)
		}
		b.finalize()
	}, func(b *bench) error {
		_, err := b.Sweep(t.Context(), 10)
		return err
	}, func(b *bench) {
		b.sweep()
		require.Equal(t, usdc("4"), b.balance(w))
		require.Len(t, b.events(home, wallets.EventReceived), 2)
	})
}

func TestAWalletIsWholeOrNothingWhicheverOperationFails(t *testing.T) {
	failing(t, func(*bench) {}, func(b *bench) error {
		_, err := b.Create(t.Context(), home, wallets.CreateParams{Reference: "w"})
		return err
	}, func(b *bench) {
		_, err := b.Get(t.Context(), home, wallets.WalletRef{Reference: "w"})
		if err != nil {
			require.ErrorIs(t, err, wallets.ErrWalletNotFound)
			b.wallet("w")
		}
	})
}

func TestFundsThatGoToAnotherPlanMeanwhileAreNotPromisedTwice(t *testing.T) {
	b := setup(t)
	one, two, w, rich := b.wallet("one"), b.wallet("two"), b.funded("w", "5"), b.funded("rich", "7")
	for _, poor := range []wallets.Wallet{one, two} { // in the ledger; on the chain it stays where it is
		b.send(rich, poor.PrimaryAddress, "3")
		b.send(w, poor.PrimaryAddress, "1.5")
	}
	var quick outgoing.Transfer
	b.chain.sign = func() error { // between the late one's plan and its commit
		b.chain.sign = nil
		quick = b.send(two, b.stranger(), "4.4")
		return nil
	}
	late := b.send(one, b.stranger(), "4.4")
	require.NotEmpty(t, quick.Signature)
	require.Empty(t, late.Signature, "it was signed, but never committed nor sent")
	require.Equal(t, 1, b.chain.sends)
	b.clean()
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(late).Status)
	require.Equal(t, map[chain.Address]string{w.PrimaryAddress: "4.4"}, sourcesOf(b.attempts(late)[0]))
	b.clean()
}

func TestWhoeverWakesUpAfterTheWorkWasDoneChangesNothing(t *testing.T) {
	for name, sleeper := range map[string]func(*bench, outgoing.Transfer) error{
		"a worker whose lease ran out": func(b *bench, _ outgoing.Transfer) error {
			_, err := b.RunDue(t.Context(), 10)
			return err
		},
		"a request": func(b *bench, sent outgoing.Transfer) error {
			return b.Advance(t.Context(), home, sent.ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, func(c *config) { c.Lease = time.Nanosecond })
			w, to := b.funded("w", "10"), b.stranger()
			sent := b.send(w, to, "4")
			b.finalize()
			second := b.another()
			b.chain.look = func(ctx context.Context, s []chain.Signature) (chain.StatusReport, error) {
				seen, err := b.chain.Chain.Statuses(ctx, s)
				b.chain.look = nil // the first one sleeps here, and the second one does the work
				done, failed := second.RunDue(ctx, 10)
				require.NoError(t, failed)
				require.Equal(t, 1, done)
				require.Equal(t, wallets.Success, b.transfer(sent).Status)
				return seen, err
			}
			require.NoError(t, sleeper(b, sent))
			require.Len(t, b.events(home, wallets.EventSent), 1)
			require.Equal(t, usdc("4"), b.holds(to))
			b.clock.pass(time.Hour)
			require.Zero(t, b.runDue(), "nothing is due any more")
			b.sweep()
			b.clean()
		})
	}
}

func TestAWorkerThatLostItsClaimGivesUpNoAttempt(t *testing.T) {
	b := setup(t, func(c *config) { c.Lease = time.Nanosecond })
	w := b.funded("w", "10")
	b.chain.send = func(context.Context, []byte) error { return nil } // lost for ever
	sent := b.send(w, b.stranger(), "4")
	b.outlast()
	b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
		b.chain.history = nil // meanwhile another worker takes over, and has changed nothing yet
		require.NoError(t, b.units.In(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
			claims, err := tx.Leases().Claim(ctx, outgoing.QueueTransfers.In(ferry.Test), tx.Now(), time.Hour, 10)
			require.Len(t, claims, 1)
			return err
		}))
		return b.chain.Chain.History(ctx, a, after, limit)
	}
	b.runDue()
	require.Len(t, b.attempts(sent), 1)
	require.Equal(t, outgoing.AttemptLive, b.attempts(sent)[0].State)
}
