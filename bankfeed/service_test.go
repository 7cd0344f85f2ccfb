package bankfeed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

var owner = ferry.Scope{Business: "biz_1", Env: ferry.Test}

// feed is a bank that tells a fixed list of credits.
type feed struct {
	bank.Bank
	credits []bank.Credit
	err     error
}

func (f *feed) Credits(_ context.Context, after bank.Cursor, limit int) ([]bank.Credit, error) {
	if f.err != nil {
		return nil, f.err
	}
	rest := f.credits
	for i, c := range f.credits {
		if c.Cursor == after {
			rest = f.credits[i+1:]
		}
	}
	return rest[:min(limit, len(rest))], nil
}

func (f *feed) tell(session, account string, amount money.Amount) {
	f.credits = append(f.credits, bank.Credit{
		SessionID: session, AccountNumber: account, Amount: amount,
		Cursor: bank.Cursor(rune('a' + len(f.credits))),
	})
}

// bench is a service over a store, on a clock that stands still.
type bench struct {
	*bankfeed.Service
	*feed
	banks map[ferry.Env]bank.Bank
	units ferry.EnvUnits[store.Tx]
	now   time.Time
	log   bytes.Buffer
	// fails are the errors of an owner of the accounts "good" and "bad".
	fails  map[string]error
	broken *broken
}

func (b *bench) Now() time.Time { return b.now }

// own is an owner whose money goes to the platform's fees.
func (b *bench) own(_ context.Context, _ bankfeed.Tx, env ferry.Env, c bank.Credit, _ money.Rate) ([]ledger.Leg, bool, error) {
	err, ours := b.fails[c.AccountNumber]
	to := ledger.Leg{Account: ledger.SystemAccount(env, ledger.PlatformFees, money.AssetNGN), Amount: c.Amount}
	return []ledger.Leg{to}, ours, err
}

// broken is units of a store that takes nothing while err is set. It counts readings.
type broken struct {
	ferry.Units[bankfeed.Tx]
	err   error
	reads int
}

func (b *broken) Read(ctx context.Context, body func(context.Context, bankfeed.Tx) error) error {
	b.reads++
	return b.Units.Read(ctx, body)
}

func (b *broken) Write(ctx context.Context, body func(context.Context, bankfeed.Tx) error) error {
	return b.Units.Write(ctx, func(ctx context.Context, tx bankfeed.Tx) error {
		if err := body(ctx, tx); err != nil {
			return err
		}
		return b.err
	})
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{feed: &feed{}, fails: map[string]error{}, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	b.banks = map[ferry.Env]bank.Bank{ferry.Test: b.feed}
	b.units = store.Open(storefault.Late(memstore.New()), ferry.OneClock(b), ferry.NewIDs(zeros{}))
	b.broken = &broken{Units: ferry.Narrow(b.units, func(tx store.Tx) bankfeed.Tx { return tx }).In(ferry.Test)}
	b.Service = b.another()
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
			for _, a := range ledger.SystemAccounts(env) {
				if err := tx.Ledger().OpenAccount(ctx, a); err != nil {
					return err
				}
			}
		}
		return bankfeed.Register(ctx, tx, owner, "0123456789")
	}))
	return b
}

// another makes a service on the same store and bank, as of another process.
func (b *bench) another() *bankfeed.Service {
	return bankfeed.New(ferry.UnitsOf[bankfeed.Tx](b.broken, b.broken), bankfeed.Config{
		Banks:  b.banks,
		Logger: slog.New(slog.NewTextHandler(&b.log, nil)),
	}, bankfeed.Hooks[bankfeed.Tx]{Owners: []bankfeed.Owner[bankfeed.Tx]{b.own}})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// posted reads an account's sum of entries.
func (b *bench) posted(t *testing.T, id ledger.AccountID) money.Amount {
	t.Helper()
	sum := money.NGN(0)
	require.NoError(t, b.units.In(ferry.Test).Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		entries, err := tx.Ledger().Entries(ctx, id, ledger.EntryID{}, 1000)
		for _, e := range entries {
			sum, _ = sum.Add(e.Amount)
		}
		return err
	}))
	return sum
}

func (b *bench) balance(t *testing.T) money.Amount {
	return b.posted(t, ledger.BusinessAccount(owner, money.AssetNGN))
}

func TestACreditToASourceAccountRaisesTheBusinessBalance(t *testing.T) {
	b := setup(t)
	b.tell("s1", "0123456789", money.NGN(150_00))
	b.tell("s2", "0123456789", money.NGN(50_00))
	done, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 2, done)
	require.Equal(t, money.NGN(200_00), b.balance(t))
	done, err = b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Zero(t, done, "the place in the feed was saved")
}

func TestAFeedInWhichNothingIsNewAsksTheStoreNothing(t *testing.T) {
	b := setup(t)
	b.tell("s1", "0123456789", money.NGN(150_00))
	for range 2 {
		_, err := b.RunDue(t.Context(), 10)
		require.NoError(t, err)
	}
	b.broken.reads = 0
	for range 5 {
		done, err := b.RunDue(t.Context(), 10)
		require.NoError(t, err)
		require.Zero(t, done)
	}
	require.Zero(t, b.broken.reads)
}

func TestAProcessGoesOnAfterTheCreditsThatAnotherOneHasBooked(t *testing.T) {
	b := setup(t)
	other := b.another()
	for _, s := range []*bankfeed.Service{b.Service, other} {
		_, err := s.RunDue(t.Context(), 10)
		require.NoError(t, err)
	}
	b.tell("s1", "0123456789", money.NGN(1))
	b.tell("s2", "0123456789", money.NGN(2))
	_, err := other.RunDue(t.Context(), 10)
	require.NoError(t, err)
	b.tell("s3", "0123456789", money.NGN(4))
	done, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, done, "two were booked by the other process")
	require.Equal(t, money.NGN(7), b.balance(t))
}

func TestADuplicateNoticeIsBookedOnceAndDoesNotBlockTheFeed(t *testing.T) {
	b := setup(t)
	b.tell("s1", "0123456789", money.NGN(150_00))
	b.tell("s1", "0123456789", money.NGN(150_00))
	b.tell("s2", "0123456789", money.NGN(1))
	_, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, money.NGN(150_01), b.balance(t))
}

func TestCreditsThatWaitForARateKeepNoOtherWaitingHoweverManyTheyAre(t *testing.T) {
	b := setup(t)
	b.fails["bad"] = bankfeed.ErrNoRate
	for n := range 5 {
		b.tell(fmt.Sprint("waits", n), "bad", money.NGN(1))
	}
	b.tell("s1", "0123456789", money.NGN(150_00))
	b.tell("s2", "0123456789", money.NGN(50_00))
	_, err := b.RunDue(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, money.NGN(200_00), b.balance(t))
	require.ErrorIs(t, b.Read(t.Context(), ferry.Test, b.now), bankfeed.ErrWaits)

	delete(b.fails, "bad")
	_, err = b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, money.NGN(200_00), b.balance(t), "what was booked before is not booked again")
	require.NoError(t, b.Read(t.Context(), ferry.Test, b.now))
}

func TestMoneyOfNobodyIsHeldInSuspense(t *testing.T) {
	b := setup(t)
	b.tell("s1", "9999999999", money.NGN(7_00))
	_, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, money.NGN(0), b.balance(t))
	require.Equal(t, money.NGN(7_00), b.posted(t, ledger.SystemAccount(ferry.Test, ledger.Suspense, money.AssetNGN)))
	findings, err := ferry.InRead(t.Context(), b.units.In(ferry.Test), func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		return ledger.Audit(ctx, tx.Ledger(), ferry.Test)
	})
	require.NoError(t, err)
	require.Empty(t, findings)
}

func TestABankThatDoesNotAnswerChangesNothing(t *testing.T) {
	b := setup(t)
	b.tell("s1", "0123456789", money.NGN(1))
	b.err = bank.ErrUnavailable
	_, err := b.RunDue(t.Context(), 10)
	require.ErrorIs(t, err, bank.ErrUnavailable)
	b.err = nil
	_, err = b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, money.NGN(1), b.balance(t))
}

func TestALimitLeavesTheRestForTheNextPass(t *testing.T) {
	b := setup(t)
	for _, session := range []string{"s1", "s2", "s3"} {
		b.tell(session, "0123456789", money.NGN(1))
	}
	done, err := b.RunDue(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, 2, done)
	require.Equal(t, money.NGN(2), b.balance(t))
}

func TestABusinessMayHaveSeveralSourceAccounts(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return bankfeed.Register(ctx, tx, owner, "9876543210")
	}))
	b.tell("s1", "0123456789", money.NGN(1))
	b.tell("s2", "9876543210", money.NGN(2))
	_, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, money.NGN(3), b.posted(t, ledger.BusinessAccount(owner, money.AssetNGN)))
}

func TestASourceAccountHasOneOwner(t *testing.T) {
	b := setup(t)
	err := b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return bankfeed.Register(ctx, tx, ferry.Scope{Business: "biz_2", Env: ferry.Test}, "0123456789")
	})
	require.True(t, errors.Is(err, bankfeed.ErrAccountTaken))
}

func TestASessionIsBookedOnceItWasRead(t *testing.T) {
	b := setup(t)
	b.tell("s1", "0123456789", money.NGN(100))
	booked, err := b.Booked(t.Context(), ferry.Test, "s1")
	require.NoError(t, err)
	require.False(t, booked)
	_, err = b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	booked, err = b.Booked(t.Context(), ferry.Test, "s1")
	require.NoError(t, err)
	require.True(t, booked)
}
