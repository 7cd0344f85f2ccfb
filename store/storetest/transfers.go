package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// transfer is the n-th transfer of scope home, with no field empty.
func transfer(n int) wallets.Transfer {
	return wallets.Transfer{
		ID: wallets.TransferID(idOf("trx_", n)), Scope: home, Reference: idOf("ref-", n), Kind: wallets.External,
		Wallet: custodyWallet(1).ID, WalletReference: custodyWallet(1).Reference, FromID: address(1).ID, From: address(1).Address,
		To: address(2).Address, ToID: address(2).ID, Amount: money.USDC(25), Fee: money.USDC(5), Memo: "rent €",
		Metadata: ferry.Metadata{"order": "1"}, Status: wallets.Pending, Failure: "none", Attempts: 2, Signature: "s",
		WaitsFor: "trx_w", CreatedAt: after(n), UpdatedAt: after(n), ConfirmedAt: after(n),
	}
}

func insertTransfer(t wallets.Transfer) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertTransfer(ctx, t) }
}

func updateTransfer(t wallets.Transfer) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateTransfer(ctx, t) }
}

func transferOf(scope ferry.Scope, id wallets.TransferID) func(context.Context, store.Ports) (wallets.Transfer, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Transfer, error) {
		return p.Wallets().Transfer(ctx, scope, id)
	}
}

func transferBy(scope ferry.Scope, reference string) func(context.Context, store.Ports) (wallets.Transfer, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Transfer, error) {
		return p.Wallets().TransferByReference(ctx, scope, reference)
	}
}

func testTransfers(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a transfer comes back by id and by reference as it was inserted", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransfer(transfer(1)))
		want := transfer(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, transferOf(home, want.ID)))
		require.Equal(t, want, look(t, b, transferBy(home, want.Reference)))
		found := func(env ferry.Env) func(context.Context, store.Ports) (wallets.Transfer, error) {
			return func(ctx context.Context, p store.Ports) (wallets.Transfer, error) {
				return p.Wallets().FindTransfer(ctx, env, want.ID)
			}
		}
		require.Equal(t, want, look(t, b, found(ferry.Test)))
		missing(t, b, wallets.ErrTransactionNotFound, fails(found(ferry.Live)))
	})
	t.Run("a treasury transfer has a scope without a business", func(t *testing.T) {
		b := open(t)
		treasury := wallets.Transfer{
			ID: transfer(1).ID, Scope: ferry.Scope{Env: ferry.Test}, Reference: string(transfer(1).ID), Kind: wallets.Treasury,
			To: address(2).Address, ToID: address(2).ID, Amount: money.USDC(0), Fee: money.USDC(0), Metadata: ferry.Metadata{},
			Status: wallets.Pending, CreatedAt: start, UpdatedAt: start,
		}
		write(t, b, insertTransfer(treasury))
		treasury.Version = 1
		require.Equal(t, treasury, look(t, b, transferOf(treasury.Scope, treasury.ID)))
		missing(t, b, wallets.ErrTransactionNotFound, fails(transferOf(home, treasury.ID)))
	})
	t.Run("a transfer is found in its own scope only", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransfer(transfer(1)))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, wallets.ErrTransactionNotFound, fails(transferOf(scope, transfer(1).ID)))
			missing(t, b, wallets.ErrTransactionNotFound, fails(transferBy(scope, transfer(1).Reference)))
			foreign := transfer(1)
			foreign.Scope, foreign.Version = scope, 1
			refuse(t, b, wallets.ErrTransactionNotFound, updateTransfer(foreign))
		}
	})
	t.Run("a reference belongs to one transfer of a scope", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransfer(transfer(1)))
		again := transfer(2)
		again.Reference = transfer(1).Reference
		refuse(t, b, wallets.ErrDuplicateReference, insertTransfer(again))
		again.Scope = away
		write(t, b, insertTransfer(again))
	})
	t.Run("an update counts the version and refuses a former one", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransfer(transfer(1)))
		row := look(t, b, transferOf(home, transfer(1).ID))
		row.Status, row.Signature, row.Attempts, row.WaitsFor = wallets.Success, "s2", 3, ""
		write(t, b, updateTransfer(row))
		staleWrite(t, b, updateTransfer(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, transferOf(home, row.ID)))
	})
	t.Run("pending transfers of an environment are walked by id", func(t *testing.T) {
		b := open(t)
		foreign, other, done := transfer(3), transfer(4), transfer(5)
		foreign.Scope, other.Scope, done.Status = ferry.Scope{Env: ferry.Test}, live, wallets.Success
		for _, row := range []wallets.Transfer{transfer(2), transfer(1), foreign, other, done} {
			write(t, b, insertTransfer(row))
		}
		pending := func(after wallets.TransferID, limit int) []wallets.TransferID {
			var ids []wallets.TransferID
			for _, row := range look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Transfer, error) {
				return p.Wallets().PendingTransfers(ctx, ferry.Test, after, limit)
			}) {
				ids = append(ids, row.ID)
			}
			return ids
		}
		require.Equal(t, []wallets.TransferID{transfer(1).ID, transfer(2).ID}, pending("", 2))
		require.Equal(t, []wallets.TransferID{foreign.ID}, pending(transfer(2).ID, 9))
		row := look(t, b, transferOf(home, transfer(1).ID))
		row.Status = wallets.Failed
		write(t, b, updateTransfer(row))
		require.Equal(t, []wallets.TransferID{transfer(2).ID, foreign.ID}, pending("", 9))
	})
}
