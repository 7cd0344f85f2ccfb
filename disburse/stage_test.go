package disburse_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

var shop = ferry.Scope{Business: "biz_1", Env: ferry.Test}

var (
	aside    = ledger.SystemAccount(shop.Env, ledger.Returns, money.AssetNGN)
	atBank   = ledger.SystemAccount(shop.Env, ledger.Bank, money.AssetNGN)
	business = ledger.BusinessAccount(shop, money.AssetNGN)
)

// A payout of these tests keeps its row in the table of returns: Session is the account
// that it goes to, and Reason where it stands.
const (
	pending    = "pending"
	processing = "processing"
	cancelled  = "cancelled"
	successful = "successful"
	failed     = "failed"
)

// stage is a toy domain of payouts: a refusal ends one, and one that was begun cannot be
// cancelled. Its bank pays once for each key.
type stage struct {
	disburse.Service[payments.Return]
	t     *testing.T
	units ferry.EnvUnits[store.Tx]
	kind  *disburse.Kind[store.Tx, payments.ReturnID, payments.Return]
	log   bytes.Buffer

	mu     sync.Mutex
	now    time.Time
	asked  []string               // the keys of all calls of the bank
	paid   []disburse.Told        // what the bank paid
	answer func(key string) error // what the bank says, after it has paid unless it refuses
	unpaid func(key string) bool  // reports whether the bank does not pay; nil says it does
	hangs  bool                   // whether the bank pays and never answers
	held   bool
	booked error // what booking a payment returns
}

func (s *stage) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// pass moves the clock and runs what is due.
func (s *stage) pass(after time.Duration) {
	s.t.Helper()
	s.mu.Lock()
	s.now = s.now.Add(after)
	s.mu.Unlock()
	_, err := s.RunDue(s.t.Context(), 100)
	require.NoError(s.t, err)
}

// pay is the bank: it pays at most once for a key.
func (s *stage) pay(r payments.Return) error {
	key := "payout/" + string(r.ID)
	s.mu.Lock()
	s.asked = append(s.asked, key)
	known := false
	for _, t := range s.paid {
		known = known || t.Key == key
	}
	if !known && (s.unpaid == nil || !s.unpaid(key)) {
		s.paid = append(s.paid, disburse.Told{
			Key: key, Ref: fmt.Sprint("ref-", len(s.paid)), Party: "to " + r.Session, Amount: r.Amount, Cursor: bank.Cursor(fmt.Sprintf("%04d", len(s.paid)+1)),
		})
	}
	answer := s.answer
	s.mu.Unlock()
	if answer == nil {
		return nil
	}
	return answer(key)
}

func (s *stage) told(after bank.Cursor, limit int) (page []disburse.Told) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.paid {
		if t.Cursor > after && len(page) < limit {
			page = append(page, t)
		}
	}
	return page
}

func setup(t *testing.T, config disburse.Config) *stage {
	t.Helper()
	s := &stage{t: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	s.units = store.Open(storefault.Late(memstore.New()), ferry.OneClock(s), ferry.NewIDs(rand.Reader))
	s.kind = &disburse.Kind[store.Tx, payments.ReturnID, payments.Return]{
		Name:  "payout",
		Queue: "test.payout",
		Rows:  payments.ReturnKind,
		Order: func(r payments.Return) disburse.Order[payments.ReturnID] {
			return disburse.Order[payments.ReturnID]{
				ID: r.ID, Scope: r.Scope, Key: "payout/" + string(r.ID), Party: "to " + r.Session, Amount: r.Amount,
				State: map[string]disburse.State{successful: disburse.Paid, failed: disburse.Failed, cancelled: disburse.Failed}[r.Reason],
			}
		},
		Progress: func(r *payments.Return) *disburse.Progress { return &r.Progress },
		Ask: func(ctx context.Context, _ bank.Bank, r payments.Return) (disburse.Reply, error) {
			err := s.pay(r)
			if s.hangs {
				<-ctx.Done()
				err = ctx.Err()
			}
			return disburse.Reply{Outcome: bank.Outcome{State: bank.StatePaid}}, err
		},
		Told: func(_ context.Context, _ bank.Bank, after bank.Cursor, limit int) ([]disburse.Told, error) {
			return s.told(after, limit), nil
		},
		Begin: func(_ context.Context, _ store.Tx, r payments.Return, _ bool) (payments.Return, error) {
			r.Reason = processing
			return r, nil
		},
		Paid: func(ctx context.Context, tx store.Tx, r payments.Return, _ bank.Outcome) (payments.Return, error) {
			r.Reason = successful
			return r, errors.Join(s.booked, ledger.Post(ctx, tx.Ledger(), ledger.Move(
				ledger.PostingID("paid:"+string(r.ID)), shop.Env, "test", string(r.ID), aside, atBank, r.Amount, tx.Now())))
		},
		Failed: func(ctx context.Context, tx store.Tx, r payments.Return, _ bank.Outcome) (payments.Return, error) {
			r.Reason = failed
			return r, ledger.Post(ctx, tx.Ledger(), ledger.Move(
				ledger.PostingID("failed:"+string(r.ID)), shop.Env, "test", string(r.ID), aside, business, r.Amount, tx.Now()))
		},
	}
	config.Banks = map[ferry.Env]bank.Bank{ferry.Test: nobank{}}
	config.Held = func(context.Context, records.Tx, ferry.Env) (bool, error) { return s.held, nil }
	config.Logger = slog.New(slog.NewTextHandler(&s.log, nil))
	s.Service = disburse.New(s.units, s.kind, config)
	s.do(func(ctx context.Context, tx store.Tx) error {
		for _, a := range append(ledger.SystemAccounts(ferry.Test), ledger.Account{ID: business, Scope: shop, Asset: money.AssetNGN}) {
			if err := tx.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	return s
}

// nobank is a bank; the kind of these tests asks the stage instead.
type nobank struct{ bank.Bank }

func (s *stage) do(body func(context.Context, store.Tx) error) {
	s.t.Helper()
	require.NoError(s.t, s.units.In(ferry.Test).Write(s.t.Context(), body))
}

// order sets naira aside for a payout to an account, and makes it due.
func (s *stage) order(account string, kobo int64) payments.ReturnID {
	s.t.Helper()
	var id payments.ReturnID
	s.do(func(ctx context.Context, tx store.Tx) error {
		r := payments.Return{
			ID: payments.ReturnID(tx.NewID("ret_")), Scope: shop, Session: account, Amount: money.NGN(kobo), Reason: pending,
			State: payments.ReturnPending, CreatedAt: tx.Now(), Progress: disburse.Progress{UpdatedAt: tx.Now()},
		}
		id = r.ID
		if err := payments.ReturnKind.Insert(ctx, tx, r); err != nil {
			return err
		}
		if err := ledger.Post(ctx, tx.Ledger(), ledger.Move(
			ledger.PostingID("aside:"+string(id)), shop.Env, "test", string(id), atBank, aside, r.Amount, tx.Now())); err != nil {
			return err
		}
		return s.kind.Order(r).ScheduleIn(ctx, tx, s.kind.Queue, tx.Now())
	})
	return id
}

// cancel cancels a payout that was not begun, and reports whether it could.
func (s *stage) cancel(id payments.ReturnID) (ok bool) {
	s.do(func(ctx context.Context, tx store.Tx) error {
		r, err := payments.ReturnKind.Get(ctx, tx, shop, id)
		if ok = err == nil && r.Reason == pending; !ok {
			return err
		}
		r.Reason = cancelled
		return payments.ReturnKind.Update(ctx, tx, r)
	})
	return ok
}

func (s *stage) row(id payments.ReturnID) payments.Return {
	s.t.Helper()
	r, err := ferry.InRead(s.t.Context(), s.units.In(ferry.Test), func(ctx context.Context, tx store.Tx) (payments.Return, error) {
		return payments.ReturnKind.Get(ctx, tx, shop, id)
	})
	require.NoError(s.t, err)
	return r
}

// balance is what the books have on an account.
func (s *stage) balance(account ledger.AccountID) money.Amount {
	s.t.Helper()
	sum, err := ferry.InRead(s.t.Context(), s.units.In(ferry.Test), func(ctx context.Context, tx store.Tx) (money.Amount, error) {
		sum, err := ledger.Sum(ctx, tx.Ledger(), account)
		return money.NGN(sum.Minor()), err
	})
	require.NoError(s.t, err)
	return sum
}

// waiting reports whether a payout is due at some time.
func (s *stage) waiting() (some bool) {
	s.do(func(ctx context.Context, tx store.Tx) (err error) {
		next, err := tx.Leases().Next(ctx, []lease.Queue{s.kind.Queue.In(shop.Env)})
		some = len(next) > 0
		return err
	})
	return some
}
