package storetest

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func testUnits(t *testing.T, open func(*testing.T) store.Backend) {
	boom := errors.New("boom")

	t.Run("a body that panics leaves no trace and the panic reaches the caller", func(t *testing.T) {
		b := open(t)
		require.PanicsWithValue(t, "boom", func() {
			_ = b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				_ = writeEverywhere(ctx, p)
				panic("boom")
			})
		})
		nothingAnywhere(t, b)
		require.PanicsWithValue(t, "boom", func() {
			_ = b.Read(t.Context(), func(context.Context, store.Ports) error { panic("boom") })
		})
		write(t, b, writeEverywhere)
	})

	t.Run("a body whose goroutine exits leaves no trace", func(t *testing.T) {
		b := open(t)
		exited := make(chan struct{})
		go func() {
			defer close(exited)
			_ = b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				_ = writeEverywhere(ctx, p)
				runtime.Goexit()
				return nil
			})
		}()
		<-exited
		nothingAnywhere(t, b)
		write(t, b, writeEverywhere)
	})

	t.Run("a body that succeeds is seen by the next unit", func(t *testing.T) {
		b := open(t)
		write(t, b, writeEverywhere)
		everythingThere(t, b)
	})

	t.Run("reads by key see the writes of their own unit", func(t *testing.T) {
		write(t, open(t), func(ctx context.Context, p store.Ports) error {
			return errors.Join(writeEverywhere(ctx, p), errors.Join(findEverywhere(ctx, p)...))
		})
	})

	t.Run("the error of a body comes back as it is", func(t *testing.T) {
		b := open(t)
		fail := func(context.Context, store.Ports) error { return boom }
		require.Equal(t, boom, b.Write(t.Context(), fail))
		require.Equal(t, boom, b.Read(t.Context(), fail))
	})

	t.Run("a unit inside a unit is refused", func(t *testing.T) {
		b := open(t)
		nothing := func(context.Context, store.Ports) error { return nil }
		units := map[string]func(context.Context, func(context.Context, store.Ports) error) error{"read": b.Read, "write": b.Write}
		for outer, enter := range units {
			for inner, again := range units {
				err := enter(t.Context(), func(ctx context.Context, _ store.Ports) error { return again(ctx, nothing) })
				require.ErrorIs(t, err, ferry.ErrNestedUnit, "%s inside %s", inner, outer)
			}
		}
	})

	t.Run("a context that has ended opens no unit", func(t *testing.T) {
		b := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		ran := func(context.Context, store.Ports) error { return errors.New("the body ran") }
		require.ErrorIs(t, b.Read(ctx, ran), context.Canceled)
		require.ErrorIs(t, b.Write(ctx, ran), context.Canceled)
	})
}

// writeEverywhere puts one row behind every port of this package's own suites.
func writeEverywhere(ctx context.Context, p store.Ports) error {
	bank := ledger.SystemAccount(home.Env, ledger.Bank, money.AssetNGN)
	return errors.Join(
		p.Ledger().OpenAccount(ctx, ledger.Account{ID: bank, Scope: ferry.Scope{Env: home.Env}, Asset: money.AssetNGN, Uncounted: true}),
		p.Ledger().OpenAccount(ctx, ledger.Account{ID: "own", Scope: home, Asset: money.AssetNGN}),
		ledger.Post(ctx, p.Ledger(), ledger.Move("in", home.Env, "funding", "ref", bank, "own", money.NGN(10), start)),
		ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: "held", Account: "own", Amount: money.NGN(4), At: start}),
		p.Leases().Schedule(ctx, "queue", "key", start),
		idempotency.RecordKind.Insert(ctx, p, idempotency.Record{Scope: home, ID: clientKey.ID(), Fingerprint: "f", CreatedAt: start, BusyUntil: start}),
		p.Outbox().Insert(ctx, event(1, "res")),
		webhook.EndpointKind.Put(ctx, p, webhook.Endpoint{Scope: home, URL: "https://example.com", CreatedAt: start, UpdatedAt: start}),
		business.Kind.Insert(ctx, p, tenant(home, 1)),
		business.KeyKind.Insert(ctx, p, apiKey(home, 1)),
	)
}

var clientKey = idempotency.Key{Scope: home, Operation: "POST /v1/wallets", Client: "k-1"}

// findEverywhere looks for the rows of writeEverywhere and returns what each
// look-up said.
func findEverywhere(ctx context.Context, p store.Ports) []error {
	var errs []error
	note := func(_ any, err error) { errs = append(errs, err) }
	note(p.Ledger().Account(ctx, "own"))
	note(p.Ledger().Reservation(ctx, "held"))
	note(idempotency.RecordKind.Get(ctx, p, home, clientKey.ID()))
	note(webhook.EventKind.Get(ctx, p, home, idOf("evt_", 1)))
	note(webhook.EndpointOf(ctx, p, home))
	note(business.Of(ctx, p, home))
	note(business.KeyKind.Get(ctx, p, home, apiKey(home, 1).ID))
	note(business.KeyKind.Find(ctx, p, business.KeyKind.Unique[0], apiKey(home, 1)))
	return errs
}

// absences are what findEverywhere says of an empty store.
var absences = []error{
	ledger.ErrAccountNotFound,
	ledger.ErrReservationNotFound,
	idempotency.ErrUnknown,
	webhook.ErrEventNotFound,
	webhook.ErrEndpointNotFound,
	business.ErrNotFound,
	business.ErrKeyNotFound,
	business.ErrKeyNotFound,
}

func nothingAnywhere(t testing.TB, b store.Backend) {
	t.Helper()
	require.NoError(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for i, err := range findEverywhere(ctx, p) {
			require.ErrorIs(t, err, absences[i])
		}
		legs, err := p.Ledger().Legs(ctx, "in")
		require.NoError(t, err)
		require.Empty(t, legs)
		accounts, err := p.Ledger().Accounts(ctx, home.Env, "", 10)
		require.NoError(t, err)
		require.Empty(t, accounts)
		held, err := p.Ledger().OpenReservations(ctx, home.Env, "", 10)
		require.NoError(t, err)
		require.Empty(t, held)
		due, err := p.Leases().Next(ctx, queues("queue"))
		require.NoError(t, err)
		require.Empty(t, due)
		events, err := p.Webhooks().Feed(ctx, home, 0, start, 10)
		require.NoError(t, err)
		require.Empty(t, events)
		_, err = p.Webhooks().Newest(ctx, home, "res")
		require.ErrorIs(t, err, webhook.ErrEventNotFound)
		businesses, err := business.Kind.After(ctx, p, records.Where(records.Is("env", home.Env)), "", 10)
		require.NoError(t, err)
		require.Empty(t, businesses)
		return nil
	}))
}

func everythingThere(t testing.TB, b store.Backend) {
	t.Helper()
	require.NoError(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for i, err := range findEverywhere(ctx, p) {
			require.NoError(t, err, "look-up %d", i)
		}
		events, err := p.Webhooks().Feed(ctx, home, 0, start, 10)
		require.NoError(t, err)
		require.Len(t, events, 1)
		return nil
	}))
}
