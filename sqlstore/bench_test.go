package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// benchAccounts is how many accounts the transfers of a benchmark are spread over.
const benchAccounts = 1000

// concurrently runs do from so many goroutines.
func concurrently(b *testing.B, callers int, do func(n int64) error) {
	var n atomic.Int64
	b.SetParallelism(callers)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := do(n.Add(1)); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func benchAccount(n int64) ledger.AccountID {
	return ledger.AccountID(fmt.Sprintf("account:%032x", n%benchAccounts))
}

// BenchmarkSQLitePost posts transfers through the port, each in a unit of its own.
func BenchmarkSQLitePost(b *testing.B) {
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprintf("c=%d", callers*2), func(b *testing.B) {
			s := open(b, filepath.Join(b.TempDir(), "ferry.db"))
			require.NoError(b, s.Write(b.Context(), openBenchBooks))
			concurrently(b, callers, func(n int64) error {
				return s.Write(context.Background(), func(ctx context.Context, p store.Ports) error {
					id := ledger.PostingID(fmt.Sprintf("transfer:%032x", n))
					return ledger.Post(ctx, p.Ledger(), ledger.Move(id, ferry.Test, "transfer", "ref", benchAccount(n), benchAccount(n*7+1), money.NGN(1), noon))
				})
			})
		})
	}
}

func openBenchBooks(ctx context.Context, p store.Ports) error {
	if err := openBooks(ctx, p); err != nil {
		return err
	}
	for n := range int64(benchAccounts) {
		id := benchAccount(n)
		if err := p.Ledger().OpenAccount(ctx, ledger.Account{ID: id, Scope: scope, Asset: money.AssetNGN}); err != nil {
			return err
		}
		fund := ledger.Move(ledger.PostingID("fund:"+id), ferry.Test, "deposit", "ref", bank, id, money.NGN(1<<40), noon)
		if err := ledger.Post(ctx, p.Ledger(), fund); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkSQLiteHandWritten is the yardstick: the same transfer and nothing
// else, by prepared statements of one writer, with the same driver and settings.
func BenchmarkSQLiteHandWritten(b *testing.B) {
	path := filepath.Join(b.TempDir(), "ferry.db")
	s := open(b, path)
	require.NoError(b, s.Write(b.Context(), openBenchBooks))
	require.NoError(b, s.Close(b.Context()))
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_txlock=immediate")
	require.NoError(b, err)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	statements := map[string]*sql.Stmt{}
	for _, text := range handWritten {
		statements[text], err = db.Prepare(text)
		require.NoError(b, err)
	}
	b.ResetTimer()
	for n := range int64(b.N) {
		require.NoError(b, transferByHand(db, statements, n))
	}
}

const (
	putPosting = "INSERT INTO postings (id, kind, ref, at) VALUES (?, 'transfer', 'ref', ?) RETURNING no"
	addMoney   = "UPDATE accounts SET posted = posted + ? WHERE id = ? AND posted + ? >= reserved RETURNING no, posted"
	putEntry   = "INSERT INTO entries (posting, leg, account, amount, balance_after) VALUES (?, ?, ?, ?, ?)"
)

var handWritten = []string{putPosting, addMoney, putEntry}

func transferByHand(db *sql.DB, statements map[string]*sql.Stmt, n int64) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var posting int64
	if err := tx.Stmt(statements[putPosting]).QueryRow(fmt.Sprintf("transfer:%032x", n), noon.UnixMicro()).Scan(&posting); err != nil {
		return err
	}
	for leg, id := range []ledger.AccountID{benchAccount(n), benchAccount(n*7 + 1)} {
		var account, balance int64
		amount := int64(leg)*2 - 1
		if err := tx.Stmt(statements[addMoney]).QueryRow(amount, string(id), amount).Scan(&account, &balance); err != nil {
			return err
		}
		if _, err := tx.Stmt(statements[putEntry]).Exec(posting, leg, account, amount, balance); err != nil {
			return err
		}
	}
	return tx.Commit()
}
