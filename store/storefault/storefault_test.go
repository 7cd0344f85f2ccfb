package storefault_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/store/storetest"
	"github.com/ferrypay/ferry/webhook"
)

var (
	errFault = errors.New("the disk is gone")
	scope    = ferry.Scope{Business: "biz_1", Env: ferry.Test}
	at       = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
)

// change does four operations.
func change(ctx context.Context, p store.Ports) error {
	if err := p.Ledger().OpenAccount(ctx, ledger.Account{ID: "a", Scope: scope, Asset: money.AssetNGN}); err != nil {
		return err
	}
	if _, err := webhook.EndpointOf(ctx, p, scope); !errors.Is(err, webhook.ErrEndpointNotFound) {
		return err
	}
	if err := webhook.EndpointKind.Insert(ctx, p, webhook.Endpoint{Scope: scope}); err != nil {
		return err
	}
	return p.Leases().Schedule(ctx, "queue", "key", at)
}

func changed(t *testing.T, b store.Backend) bool {
	_, err := ferry.InRead(t.Context(), b, func(ctx context.Context, p store.Ports) (ledger.Account, error) {
		return p.Ledger().Account(ctx, "a")
	})
	if err != nil {
		require.ErrorIs(t, err, ledger.ErrAccountNotFound)
	}
	return err == nil
}

func TestDecoratedBackendsKeepTheContract(t *testing.T) {
	for name, decorate := range map[string]func(store.Backend) store.Backend{
		"FailNth that never fails": func(b store.Backend) store.Backend { return storefault.FailNth(b, 0, errFault) },
		"LoseReply that never does": func(b store.Backend) store.Backend {
			return storefault.LoseReply(b, 0, errFault)
		},
		"Rerun": storefault.Rerun,
		"Late":  storefault.Late,
	} {
		t.Run(name, func(t *testing.T) {
			storetest.RunSome(t, everyKind, func(testing.TB) store.Backend { return decorate(memstore.New()) })
		})
	}
}

func TestEachOperationOfAUnitCanFailAndNothingRemains(t *testing.T) {
	n := 1
	for ; ; n++ {
		inner := memstore.New()
		b := storefault.FailNth(inner, n, errFault)
		err := b.Write(t.Context(), change)
		if !b.Fired() {
			require.NoError(t, err)
			require.True(t, changed(t, inner))
			break
		}
		require.ErrorIs(t, err, errFault, "operation %d", n)
		require.False(t, changed(t, inner), "operation %d", n)
		require.NoError(t, b.Write(t.Context(), change), "the fault occurs once")
		require.True(t, changed(t, inner))
	}
	require.Equal(t, 6, n, "four operations and the commit")
}

func TestOperationsAreNamedAndCounted(t *testing.T) {
	b := storefault.FailNth(memstore.New(), 0, errFault)
	require.NoError(t, b.Write(t.Context(), change))
	require.Equal(t, []string{"Ledger.OpenAccount", "webhook_endpoints.Get", "webhook_endpoints.Insert", "Leases.Schedule", "commit"}, b.Operations())
	b.Arm(1)
	require.Empty(t, b.Operations())
	require.ErrorIs(t, b.Write(t.Context(), change), errFault)
	require.Equal(t, []string{"Ledger.OpenAccount"}, b.Operations())
}

func TestABodyCannotSwallowAFault(t *testing.T) {
	inner := memstore.New()
	b := storefault.FailNth(inner, 2, errFault)
	require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		_ = change(ctx, p)
		_ = change(ctx, p)
		return nil
	}), errFault)
	require.False(t, changed(t, inner))
}

func TestReadsFailToo(t *testing.T) {
	b := storefault.FailNth(memstore.New(), 1, errFault)
	require.ErrorIs(t, b.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		_, err := p.Ledger().Account(ctx, "a")
		return err
	}), errFault)
}

func TestALostReplyReportsAnErrorOfAUnitThatIsThere(t *testing.T) {
	inner := memstore.New()
	b := storefault.LoseReply(inner, 2, errFault)
	nothing := func(context.Context, store.Ports) error { return nil }
	require.NoError(t, b.Write(t.Context(), nothing))
	require.ErrorIs(t, b.Write(t.Context(), func(context.Context, store.Ports) error { return context.Canceled }), context.Canceled)
	require.ErrorIs(t, b.Write(t.Context(), change), errFault)
	require.True(t, changed(t, inner))
	require.NoError(t, b.Write(t.Context(), nothing))
	require.Equal(t, 3, b.Commits())
}

func TestARerunShowsABodyThatTouchesWhatIsOutside(t *testing.T) {
	inner := memstore.New()
	b := storefault.Rerun(inner)
	var found []bool
	require.NoError(t, b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		_, err := p.Ledger().Account(ctx, "a")
		found = append(found, err == nil) // outside: it counts both runs
		return change(ctx, p)
	}))
	require.Equal(t, []bool{false, false}, found, "the second run must not see the first")
	require.True(t, changed(t, inner))
}

func TestARerunReturnsTheErrorOfItsBody(t *testing.T) {
	inner := memstore.New()
	b := storefault.Rerun(inner)
	require.Equal(t, errFault, b.Write(t.Context(), func(context.Context, store.Ports) error { return errFault }))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, b.Write(ctx, change), context.Canceled)
}

func TestALateErrorSurfacesFromTheUnitAndNotFromTheCall(t *testing.T) {
	inner := memstore.New()
	b := storefault.Late(inner)
	require.NoError(t, b.Write(t.Context(), change))
	surfaced := errors.New("the error surfaced early")
	require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		if p.Ledger().OpenAccount(ctx, ledger.Account{ID: "b", Scope: scope, Asset: money.AssetNGN}) != nil {
			return surfaced
		}
		if p.Ledger().OpenAccount(ctx, ledger.Account{ID: "a", Scope: scope, Asset: money.AssetNGN}) != nil {
			return surfaced
		}
		return nil
	}), ledger.ErrAccountExists)
	require.ErrorIs(t, inner.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		_, err := p.Ledger().Account(ctx, "b")
		return err
	}), ledger.ErrAccountNotFound)
	require.Equal(t, errFault, b.Write(t.Context(), func(context.Context, store.Ports) error { return errFault }))
}

func TestEachOperationOfAPortFailsByItsName(t *testing.T) {
	for port := range reflect.TypeFor[store.Ports]().Methods() {
		if port.Name == "Records" {
			continue // whose operations are named after tables
		}
		for operation := range port.Type.Out(0).Methods() {
			if operation.Type.NumOut() == 0 {
				continue // it says what will be read, and cannot fail
			}
			b := storefault.FailNth(memstore.New(), 1, errFault)
			require.ErrorIs(t, b.Write(t.Context(), func(_ context.Context, p store.Ports) error {
				do := reflect.ValueOf(p).MethodByName(port.Name).Call(nil)[0].MethodByName(operation.Name)
				args := make([]reflect.Value, do.Type().NumIn())
				for i := range args {
					args[i] = reflect.Zero(do.Type().In(i))
				}
				results := do.Call(args)
				return results[len(results)-1].Interface().(error)
			}), errFault)
			require.Equal(t, []string{port.Name + "." + operation.Name}, b.Operations())
		}
	}
}
