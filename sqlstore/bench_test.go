package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
)

// benchAccounts is how many accounts the transfers of a benchmark are spread over.
const benchAccounts = 1000

func benchAccount(n int64) ledger.AccountID {
	return ledger.AccountID(fmt.Sprintf("account:%032x", n%benchAccounts))
}

// BenchmarkSQLite posts transfers through the port, each in a unit of its own, by
// one caller and by 32 at once. It stands beside two yardsticks with the same
// driver, settings and tables: bare is a transaction of two statements for each
// caller, what driver and disk allow; hand is the whole transfer in the least
// statements, what the package adds to.
func BenchmarkSQLite(b *testing.B) {
	_, s := openBench(b)
	post := func(n int64) error { return s.Write(context.Background(), transfer(n)) }
	bare, hand := byHand(b, twoStatements), byHand(b, transferByHand)
	var last atomic.Int64
	measure := func(name string, callers int, do func(n int64) error) {
		b.Run(fmt.Sprintf("callers=%d/%s", callers, name), func(b *testing.B) {
			concurrently(b, callers, func() error { return do(last.Add(1)) })
		})
	}
	for _, callers := range []int{1, 32} {
		measure("bare", callers, bare)
		measure("post", callers, post)
		measure("hand", callers, hand)
	}
}

// concurrently runs do b.N times, by so many goroutines.
func concurrently(b *testing.B, callers int, do func() error) {
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := do(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func transfer(n int64) func(context.Context, store.Ports) error {
	return transferBetween(benchAccount(n), benchAccount(n*7+1), n)
}

func transferBetween(from, to ledger.AccountID, n int64) func(context.Context, store.Ports) error {
	return func(ctx context.Context, p store.Ports) error {
		id := ledger.PostingID(fmt.Sprintf("transfer:%032x", n))
		return ledger.Post(ctx, p.Ledger(), ledger.Move(id, ferry.Test, "transfer", "ref", from, to, money.NGN(1), noon))
	}
}

// openBench opens a store with rich accounts.
func openBench(b *testing.B) (path string, s *sqlstore.Store) {
	path = filepath.Join(b.TempDir(), "ferry.db")
	s = open(b, path)
	require.NoError(b, s.Write(b.Context(), openBenchBooks))
	return path, s
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

const (
	putPosting = "INSERT INTO postings (id, kind, ref, at) VALUES (?, 'transfer', 'ref', ?) RETURNING no"
	addMoney   = "UPDATE accounts SET posted = posted + ? WHERE id = ? AND posted + ? >= reserved RETURNING no, posted"
	putEntry   = "INSERT INTO entries (posting, leg, account, amount, balance_after) VALUES (?, ?, ?, ?, ?)"
)

var handWritten = []string{putPosting, addMoney, putEntry}

func twoStatements(tx transaction, n int64) error {
	var ignored, balance int64
	if err := tx.row(putPosting, fmt.Sprintf("transfer:%032x", n), noon.UnixMicro()).Scan(&ignored); err != nil {
		return err
	}
	return tx.row(addMoney, 1, string(benchAccount(n)), 1).Scan(&ignored, &balance)
}

func transferByHand(tx transaction, n int64) error {
	var posting int64
	if err := tx.row(putPosting, fmt.Sprintf("transfer:%032x", n), noon.UnixMicro()).Scan(&posting); err != nil {
		return err
	}
	for leg, id := range []ledger.AccountID{benchAccount(n), benchAccount(n*7 + 1)} {
		var account, balance int64
		amount := int64(leg)*2 - 1
		if err := tx.row(addMoney, amount, string(id), amount).Scan(&account, &balance); err != nil {
			return err
		}
		if _, err := tx.Stmt(tx.statements[putEntry]).Exec(posting, leg, account, amount, balance); err != nil {
			return err
		}
	}
	return nil
}

// transaction is a transaction with statements that were prepared before.
type transaction struct {
	*sql.Tx
	statements map[string]*sql.Stmt
}

func (tx transaction) row(text string, args ...any) *sql.Row {
	return tx.Stmt(tx.statements[text]).QueryRow(args...)
}

// byHand returns a function that runs do in a transaction, without the package.
func byHand(b *testing.B, do func(tx transaction, n int64) error) func(n int64) error {
	path, s := openBench(b)
	require.NoError(b, s.Close(b.Context()))
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_txlock=immediate")
	require.NoError(b, err)
	b.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	statements := map[string]*sql.Stmt{}
	for _, text := range handWritten {
		statements[text], err = db.Prepare(text)
		require.NoError(b, err)
	}
	return func(n int64) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		if err := do(transaction{tx, statements}, n); err != nil {
			return err
		}
		return tx.Commit()
	}
}
