package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func updateCustody(c wallets.Custody) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateCustody(ctx, c) }
}

func custodyOf(env ferry.Env, id wallets.AddressID) func(context.Context, store.Ports) (wallets.Custody, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Custody, error) {
		return p.Wallets().Custody(ctx, env, id)
	}
}

func testCustodies(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a custody comes back as it was inserted and updated", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		want := custody(address(1))
		want.Version = 1
		row := look(t, b, custodyOf(ferry.Test, want.ID))
		require.Equal(t, want, row)
		row.Cursor, row.Mark, row.Doubt, row.Looks, row.ScannedAt, row.OnChain, row.Committed = "c2", "m2", "", 0, after(9), money.USDC(3), money.USDC(0)
		write(t, b, updateCustody(row))
		staleWrite(t, b, updateCustody(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, custodyOf(ferry.Test, row.ID)))
		missing(t, b, wallets.ErrAddressNotFound, fails(custodyOf(ferry.Live, row.ID)))
		missing(t, b, wallets.ErrAddressNotFound, fails(custodyOf(ferry.Test, address(2).ID)))
	})
	t.Run("custodies of an environment are walked by id", func(t *testing.T) {
		b := open(t)
		foreign, other := address(3), address(4)
		foreign.Scope, other.Scope = away, live
		for _, a := range []wallets.Address{address(2), address(1), foreign, other} {
			write(t, b, insertAddress(a))
		}
		walk := func(after wallets.AddressID, limit int) []wallets.AddressID {
			return custodyIDs(look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Custody, error) {
				return p.Wallets().Custodies(ctx, ferry.Test, after, limit)
			}))
		}
		require.Equal(t, []wallets.AddressID{address(1).ID, address(2).ID}, walk("", 2))
		require.Equal(t, []wallets.AddressID{address(3).ID}, walk(address(2).ID, 2))
		require.Empty(t, walk(address(3).ID, 2))
	})
	t.Run("only surpluses come, the greatest first, for a business or for all", func(t *testing.T) {
		b := open(t)
		with := func(a wallets.Address, onChain, committed int64) {
			c := custody(a)
			c.OnChain, c.Committed = money.USDC(onChain), money.USDC(committed)
			write(t, b, insertFunded(a, c))
		}
		foreign, other := address(3), address(4)
		foreign.Scope, other.Scope = away, live
		with(address(1), 10, 4)
		with(address(2), 100, 0)
		with(foreign, 60, 10)
		with(other, 1000, 0)
		with(address(5), 7, 7)
		with(address(6), 3, 5)
		surpluses := func(scope ferry.Scope, limit int) []wallets.AddressID {
			return custodyIDs(look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Custody, error) {
				return p.Wallets().Surpluses(ctx, scope, limit)
			}))
		}
		require.Equal(t, []wallets.AddressID{address(2).ID, address(1).ID}, surpluses(home, 9))
		require.Equal(t, []wallets.AddressID{address(2).ID, foreign.ID, address(1).ID}, surpluses(ferry.Scope{Env: ferry.Test}, 9))
		require.Equal(t, []wallets.AddressID{address(2).ID}, surpluses(home, 1))

		row := look(t, b, custodyOf(ferry.Test, address(2).ID))
		row.Committed = money.USDC(97)
		write(t, b, updateCustody(row))
		require.Equal(t, []wallets.AddressID{address(1).ID, address(2).ID}, surpluses(home, 9))
		row = look(t, b, custodyOf(ferry.Test, address(2).ID))
		row.Committed = money.USDC(100)
		write(t, b, updateCustody(row))
		require.Equal(t, []wallets.AddressID{address(1).ID}, surpluses(home, 9))
	})
	t.Run("units that each commit a part of an address lose none", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		for _, err := range race(8, func(int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				row, err := p.Wallets().Custody(ctx, ferry.Test, address(1).ID)
				if err != nil {
					return err
				}
				if row.Committed, err = row.Committed.Add(money.USDC(1)); err != nil {
					return err
				}
				return p.Wallets().UpdateCustody(ctx, row)
			})
		}) {
			require.NoError(t, err)
		}
		require.Equal(t, money.USDC(12), look(t, b, custodyOf(ferry.Test, address(1).ID)).Committed)
	})
}

func custodyIDs(list []wallets.Custody) []wallets.AddressID {
	var ids []wallets.AddressID
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

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

// transaction is the n-th line of scope home, with no field empty.
func transaction(n int) wallets.Transaction {
	return wallets.Transaction{
		ID: wallets.TransactionID(idOf("trx_", n)), Scope: home, Reference: idOf("ref-", n), Direction: wallets.Out,
		Wallet: custodyWallet(1).ID, WalletReference: custodyWallet(1).Reference, Address: address(1).ID, Transfer: transfer(n).ID,
		From: address(1).Address, To: address(2).Address, Amount: money.USDC(25), Fee: money.USDC(5),
		Status: wallets.Pending, Signature: onchain.Signature(idOf("sig", n)), Entry: ledger.EntryID{Posting: "p", Leg: 1},
		CreatedAt: after(n), ConfirmedAt: after(n),
	}
}

func insertTransaction(t wallets.Transaction) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertTransaction(ctx, t) }
}

func updateTransaction(t wallets.Transaction) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateTransaction(ctx, t) }
}

func transactionOf(scope ferry.Scope, id wallets.TransactionID) func(context.Context, store.Ports) (wallets.Transaction, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Transaction, error) {
		return p.Wallets().Transaction(ctx, scope, id)
	}
}

func depositOf(id wallets.AddressID, signature onchain.Signature) func(context.Context, store.Ports) (wallets.Transaction, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Transaction, error) {
		return p.Wallets().Deposit(ctx, id, signature)
	}
}

func testTransactions(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a transaction comes back as it was inserted and updated", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransaction(transaction(1)))
		row := look(t, b, transactionOf(home, transaction(1).ID))
		want := transaction(1)
		want.Version = 1
		require.Equal(t, want, row)
		row.Status, row.Signature, row.Entry, row.ConfirmedAt = wallets.Success, "s2", ledger.EntryID{}, time.Time{}
		write(t, b, updateTransaction(row))
		staleWrite(t, b, updateTransaction(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, transactionOf(home, row.ID)))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, wallets.ErrTransactionNotFound, fails(transactionOf(scope, row.ID)))
		}
	})
	t.Run("a deposit is unique by address and signature", func(t *testing.T) {
		b := open(t)
		deposit := transaction(1)
		deposit.Transfer = ""
		write(t, b, insertTransaction(deposit))
		require.Equal(t, deposit.ID, look(t, b, depositOf(deposit.Address, deposit.Signature)).ID)
		again := transaction(2)
		again.Transfer, again.Signature = "", deposit.Signature
		refuse(t, b, wallets.ErrDeposited, insertTransaction(again))
		again.Address = address(2).ID
		write(t, b, insertTransaction(again))
		missing(t, b, wallets.ErrTransactionNotFound, fails(depositOf(deposit.Address, "other")))
	})
	t.Run("a line of a transfer is no deposit", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransaction(transaction(1)))
		missing(t, b, wallets.ErrTransactionNotFound, fails(depositOf(address(1).ID, transaction(1).Signature)))
	})
	list := func(f wallets.TransactionFilter) func(context.Context, store.Ports, ferry.Page) (ferry.List[wallets.Transaction], error) {
		return func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[wallets.Transaction], error) {
			return p.Wallets().Transactions(ctx, home, f, page)
		}
	}
	for name, filter := range map[string]wallets.TransactionFilter{
		"by wallet":                {Wallet: custodyWallet(2).ID},
		"by status":                {Status: wallets.Failed},
		"by direction":             {Direction: wallets.In},
		"by wallet and status":     {Wallet: custodyWallet(2).ID, Status: wallets.Failed},
		"by everything and a time": {Wallet: custodyWallet(2).ID, Status: wallets.Failed, Direction: wallets.In, Range: ferry.Range{From: start}},
	} {
		t.Run(name, func(t *testing.T) {
			testListing(t, open, listing[wallets.Transaction]{
				insert: func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
					row := transaction(0)
					row.ID, row.CreatedAt = wallets.TransactionID(id), at
					if match {
						row.Wallet, row.Status, row.Direction = custodyWallet(2).ID, wallets.Failed, wallets.In
					}
					return p.Wallets().InsertTransaction(ctx, row)
				},
				all: list(wallets.TransactionFilter{}), matching: list(filter),
				prefix: "trx_", id: func(row wallets.Transaction) string { return string(row.ID) },
			})
		})
	}
	t.Run("a transaction that changes its status changes lists", func(t *testing.T) {
		b := open(t)
		write(t, b, insertTransaction(transaction(1)))
		row := look(t, b, transactionOf(home, transaction(1).ID))
		row.Status = wallets.Success
		write(t, b, updateTransaction(row))
		for status, want := range map[wallets.TransferStatus]int{wallets.Pending: 0, wallets.Success: 1, "": 1} {
			for _, id := range []wallets.ID{"", custodyWallet(1).ID} {
				found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[wallets.Transaction], error) {
					return list(wallets.TransactionFilter{Status: status, Wallet: id})(ctx, p, ferry.Page{})
				})
				require.Equal(t, want, found.Total, "status %q", status)
			}
		}
	})
}

// anomaly is the n-th anomaly of the first address, with no field empty.
func anomaly(n int) wallets.Anomaly {
	return wallets.Anomaly{
		Scope: home, Wallet: custodyWallet(1).ID, Address: address(1).ID, Signature: onchain.Signature(idOf("sig", n)), Mint: "mint",
		Kind: wallets.Unsupported, Delta: money.USDC(-3), CreatedAt: after(n),
	}
}

func insertAnomaly(a wallets.Anomaly) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertAnomaly(ctx, a) }
}

func testAnomalies(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	of := func(a wallets.Anomaly) func(context.Context, store.Ports) (wallets.Anomaly, error) {
		return func(ctx context.Context, p store.Ports) (wallets.Anomaly, error) {
			return p.Wallets().Anomaly(ctx, a.Address, a.Signature, a.Mint)
		}
	}
	other := anomaly(1)
	other.Mint = "other"
	missing(t, b, wallets.ErrTransactionNotFound, fails(of(other)))
	for _, a := range []wallets.Anomaly{anomaly(1), anomaly(2), other} {
		write(t, b, insertAnomaly(a))
		require.Equal(t, a, look(t, b, of(a)))
	}
	refuse(t, b, wallets.ErrDeposited, insertAnomaly(anomaly(1)))
	list := func(id wallets.AddressID) []wallets.Anomaly {
		return look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Anomaly, error) {
			return p.Wallets().Anomalies(ctx, id)
		})
	}
	require.ElementsMatch(t, []wallets.Anomaly{anomaly(1), anomaly(2), other}, list(address(1).ID))
	require.Empty(t, list(address(2).ID))
}
