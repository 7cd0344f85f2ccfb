package memstore_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

var (
	tenant = ferry.Scope{Business: "biz_1", Env: ferry.Test}
	bankID = ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN)
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// funded returns a store with n accounts of great wealth, and their ids.
func funded(t testing.TB, n int) (*memstore.Store, []ledger.AccountID) {
	s := memstore.New()
	ids := make([]ledger.AccountID, n)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for _, a := range ledger.SystemAccounts(ferry.Test) {
			if err := p.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		for i := range ids {
			ids[i] = ledger.AccountID(fmt.Sprintf("account-%032x", i))
			if err := p.Ledger().OpenAccount(ctx, ledger.Account{ID: ids[i], Scope: tenant, Asset: money.AssetNGN}); err != nil {
				return err
			}
			fund := ledger.Move(ledger.PostingID("fund:"+ids[i]), ferry.Test, "funding", "", bankID, ids[i], money.NGN(1<<40), noon)
			if err := ledger.Post(ctx, p.Ledger(), fund); err != nil {
				return err
			}
		}
		return nil
	}))
	return s, ids
}

func postingIDs(n int) []ledger.PostingID {
	ids := make([]ledger.PostingID, n)
	for i := range ids {
		ids[i] = ledger.PostingID(fmt.Sprintf("payout:%032x", i))
	}
	return ids
}

func BenchmarkPost(b *testing.B) {
	for name, accounts := range map[string]int{"spread": 1000, "hot": 1} {
		b.Run(name, func(b *testing.B) {
			s, ids := funded(b, accounts)
			postings := postingIDs(b.N)
			ctx := b.Context()
			b.ReportAllocs()
			b.ResetTimer()
			for i, posting := range postings {
				err := s.Write(ctx, func(ctx context.Context, p store.Ports) error {
					return ledger.Post(ctx, p.Ledger(), ledger.Move(posting, ferry.Test, "payout", "ref", ids[i%accounts], bankID, money.NGN(1), noon))
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReserveAndSettle(b *testing.B) {
	s, ids := funded(b, 1000)
	postings := postingIDs(b.N)
	ctx := b.Context()
	b.ReportAllocs()
	b.ResetTimer()
	for i, posting := range postings {
		account, hold := ids[i%len(ids)], ledger.ReservationID(posting)
		err := s.Write(ctx, func(ctx context.Context, p store.Ports) error {
			return ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: hold, Account: account, Amount: money.NGN(1), At: noon})
		})
		if err != nil {
			b.Fatal(err)
		}
		err = s.Write(ctx, func(ctx context.Context, p store.Ports) error {
			return ledger.Settle(ctx, p.Ledger(), hold, ledger.Move(posting, ferry.Test, "payout", "ref", account, bankID, money.NGN(1), noon))
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPayout does what making a payout does to a store: a client key, a
// reservation and an event.
func BenchmarkPayout(b *testing.B) {
	s, accounts := funded(b, 1000)
	units := store.Open(s, ferry.OneClock(ferry.SystemClock{}), ferry.NewIDs(rand.Reader))
	ctx := b.Context()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		err := units.In(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
			id := tx.NewID("pay_")
			key := idempotency.Key{Scope: tenant, Operation: "POST /v1/payouts", Client: id}
			if _, err := idempotency.Begin(ctx, tx, tx.Now(), tx.Now(), idempotency.Record{Scope: tenant, ID: key.ID(), Resource: id}); err != nil {
				return err
			}
			hold := ledger.Reservation{ID: ledger.ReservationID(id), Account: accounts[i%len(accounts)], Amount: money.NGN(1), At: tx.Now()}
			if err := ledger.Reserve(ctx, tx.Ledger(), hold); err != nil {
				return err
			}
			change := webhook.Change{Scope: tenant, Type: "payout.created", Resource: id, Data: map[string]string{"id": id}}
			if err := webhook.Emit(ctx, tx, change); err != nil {
				return err
			}
			_, err := idempotency.Finish(ctx, tx, key, id, 201, "")
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemoryOfPostings reports the bytes that a posting of two legs keeps
// and how long a full collection takes beside many of them.
func BenchmarkMemoryOfPostings(b *testing.B) {
	const many = 200_000
	for b.Loop() {
		s, ids := funded(b, 1000)
		before := heap()
		for i := range many {
			id := ledger.PostingID(fmt.Sprintf("payout:%032x", i))
			require.NoError(b, s.Write(b.Context(), func(ctx context.Context, p store.Ports) error {
				return ledger.Post(ctx, p.Ledger(), ledger.Move(id, ferry.Test, "payout", "ref", ids[i%len(ids)], bankID, money.NGN(1), noon))
			}))
		}
		after := heap()
		began := time.Now()
		runtime.GC()
		b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms/GC")
		b.ReportMetric(float64(after-before)/many, "B/posting")
		runtime.KeepAlive(s)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
