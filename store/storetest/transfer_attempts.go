package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// attempt is the n-th attempt of the first transfer, with no field empty.
func attempt(n int) wallets.Attempt {
	return wallets.Attempt{
		Transfer: transfer(1).ID, Scope: home, Number: n,
		Signed: onchain.Signed{Signature: onchain.Signature(idOf("sig", n)), Bytes: []byte{0, byte(n), 255}, Blockhash: "h", LastValidHeight: 1 << 40},
		Memo:   "rent 1", Sources: []wallets.Source{
			{ID: address(1).ID, Address: address(1).Address, Amount: money.USDC(20)},
			{ID: address(2).ID, Address: address(2).Address, Amount: money.USDC(5)},
		},
		To: address(3).ID, State: wallets.AttemptLive, Seen: true, CreatedAt: after(n), UpdatedAt: after(n),
	}
}

func insertAttempt(a wallets.Attempt) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertAttempt(ctx, a) }
}

func updateAttempt(a wallets.Attempt) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateAttempt(ctx, a) }
}

func attemptBy(env ferry.Env, signature onchain.Signature) func(context.Context, store.Ports) (wallets.Attempt, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Attempt, error) {
		return p.Wallets().AttemptBy(ctx, env, signature)
	}
}

func liveAttempt(scope ferry.Scope, id wallets.TransferID) func(context.Context, store.Ports) (wallets.Attempt, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Attempt, error) {
		return p.Wallets().LiveAttempt(ctx, scope, id)
	}
}

func testTransferAttempts(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an attempt comes back by signature, and by transfer while it is live", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAttempt(attempt(1)))
		want := attempt(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, attemptBy(ferry.Test, want.Signature)))
		require.Equal(t, want, look(t, b, liveAttempt(home, want.Transfer)))
		missing(t, b, wallets.ErrAttemptNotFound, fails(attemptBy(ferry.Live, want.Signature)))
		missing(t, b, wallets.ErrAttemptNotFound, fails(liveAttempt(away, want.Transfer)))
		missing(t, b, wallets.ErrAttemptNotFound, fails(liveAttempt(home, transfer(2).ID)))

		row := look(t, b, attemptBy(ferry.Test, want.Signature))
		row.State, row.Signed.Bytes = wallets.AttemptExpired, nil
		write(t, b, updateAttempt(row))
		staleWrite(t, b, updateAttempt(row))
		missing(t, b, wallets.ErrAttemptNotFound, fails(liveAttempt(home, want.Transfer)))
		stored := look(t, b, attemptBy(ferry.Test, want.Signature))
		require.Equal(t, want.Bytes, stored.Bytes, "signed bytes never change")
		require.Equal(t, wallets.AttemptExpired, stored.State)
	})
	t.Run("a transfer has one live attempt", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAttempt(attempt(1)))
		refuse(t, b, wallets.ErrAttemptExists, insertAttempt(attempt(2)))
		row := look(t, b, attemptBy(ferry.Test, attempt(1).Signature))
		row.State = wallets.AttemptExpired
		write(t, b, updateAttempt(row))
		write(t, b, insertAttempt(attempt(2)))
		all := look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Attempt, error) {
			return p.Wallets().Attempts(ctx, home, transfer(1).ID)
		})
		require.Len(t, all, 2)
		require.Equal(t, []int{1, 2}, []int{all[0].Number, all[1].Number})
		require.Empty(t, look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Attempt, error) {
			return p.Wallets().Attempts(ctx, away, transfer(1).ID)
		}))
	})
	t.Run("of many that race to be the live attempt one is", func(t *testing.T) {
		b, won := open(t), 0
		for _, err := range race(8, func(i int) error { return b.Write(t.Context(), insertAttempt(attempt(i))) }) {
			if err == nil {
				won++
			} else {
				require.ErrorIs(t, err, wallets.ErrAttemptExists)
			}
		}
		require.Equal(t, 1, won)
	})
	t.Run("a signature is that of one attempt of an environment", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAttempt(attempt(1)))
		again := attempt(1)
		again.Transfer = transfer(2).ID
		refuse(t, b, wallets.ErrAttemptExists, insertAttempt(again))
		again.Scope = live
		write(t, b, insertAttempt(again))
	})
}
