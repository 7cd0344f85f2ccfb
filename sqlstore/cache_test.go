package sqlstore_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqltest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// known is a store in a file whose cache knows two addresses, and that a third is absent.
// Behind its back, as another server would, run changes the file.
func known(t *testing.T) (s *sqlstore.Store, run func(string)) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s = open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		return errors.Join(
			wallets.AddressKind.Insert(ctx, p, addressNamed("addr_1", "A1")),
			wallets.AddressKind.Insert(ctx, p, addressNamed("addr_2", "A2")),
		)
	}))
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for _, id := range []wallets.AddressID{"addr_1", "addr_2", "addr_3"} {
			_, err := wallets.AddressKind.Get(ctx, p, scope, id)
			require.Equal(t, id == "addr_3", errors.Is(err, ferry.NotFound))
		}
		_, err := wallets.AddressAt(ctx, p, scope.Env, "A1")
		return err
	}))
	return s, func(statement string) { require.NoError(t, directly(t, path, statement)) }
}

func addressNamed(id wallets.AddressID, at chain.Address) wallets.Address {
	return wallets.Address{
		ID: id, Scope: scope, Wallet: "wal_1", WalletReference: "ref", Address: at, Status: wallets.AddressActive,
		TotalReceived: money.USDC(0), CreatedAt: noon, UpdatedAt: noon,
	}
}

func TestAUnitThatHasReadAnOldRowRunsAgain(t *testing.T) {
	s, behind := known(t)
	behind("UPDATE addresses SET label = 'theirs', version = 2 WHERE id = 'addr_1'")
	var seen []string
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		a, err := wallets.AddressKind.Get(ctx, p, scope, "addr_1")
		seen = append(seen, a.Label)
		a.Label += " and ours"
		return errors.Join(err, wallets.AddressKind.Update(ctx, p, a))
	}))
	require.Equal(t, []string{"", "theirs"}, seen)
	require.Equal(t, "theirs and ours", address(t, s, "addr_1").Label)
}

func TestAUnitThatOnlyReadsSeesNoOldRow(t *testing.T) {
	s, behind := known(t)
	behind("UPDATE addresses SET label = 'theirs', version = 2 WHERE id = 'addr_1'")
	require.Equal(t, "theirs", address(t, s, "addr_1").Label)
}

func TestAUnitThatEndsWithoutACommitEndsByNoOldRow(t *testing.T) {
	refusal := errors.New("refused")
	for name, end := range map[string]error{"refused": refusal, "with nothing to write": nil} {
		t.Run(name, func(t *testing.T) {
			s, behind := known(t)
			behind("UPDATE addresses SET label = 'theirs', version = 2 WHERE id = 'addr_1'")
			label := ""
			require.ErrorIs(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				a, err := wallets.AddressKind.Get(ctx, p, scope, "addr_1")
				label = a.Label
				return errors.Join(err, end)
			}), end)
			require.Equal(t, "theirs", label)
		})
	}
}

func TestARowThatWasAbsentMayHaveCome(t *testing.T) {
	s, behind := known(t)
	behind(`INSERT INTO addresses SELECT 'addr_3', env, business, wallet, wallet_reference, 'A3', 'theirs', status, is_primary, metadata,
		total_received, deposit_count, last_deposit_at, created_at, updated_at, version FROM addresses WHERE id = 'addr_1'`)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		_, err := wallets.AddressKind.Get(ctx, p, scope, "addr_3")
		if !errors.Is(err, ferry.NotFound) {
			return err
		}
		return wallets.AddressKind.Insert(ctx, p, addressNamed("addr_3", "A3"))
	}))
	require.Equal(t, "theirs", address(t, s, "addr_3").Label)
}

func TestANameMayLeadToAnotherRow(t *testing.T) {
	s, behind := known(t)
	behind("UPDATE addresses SET address = 'A9', version = 2 WHERE id = 'addr_1'")
	behind("UPDATE addresses SET address = 'A1', version = 2 WHERE id = 'addr_2'")
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		a, err := wallets.AddressAt(ctx, p, scope.Env, "A1")
		a.Label = "found"
		return errors.Join(err, wallets.AddressKind.Update(ctx, p, a))
	}))
	require.Empty(t, address(t, s, "addr_1").Label)
	require.Equal(t, "found", address(t, s, "addr_2").Label)
}

func TestWhatAStatementSumsUpIsNotOldInARowThatIsUpdated(t *testing.T) {
	s, behind := known(t)
	behind("UPDATE addresses SET total_received = 7 WHERE id = 'addr_1'")
	var seen wallets.Address
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
		if seen, err = wallets.AddressKind.Get(ctx, p, scope, "addr_1"); err != nil {
			return err
		}
		seen.Label = "new"
		return wallets.AddressKind.Update(ctx, p, seen)
	}))
	require.Equal(t, money.USDC(7), seen.TotalReceived)
}

func TestAUnitFindsWhatTheOneBeforeHasWritten(t *testing.T) {
	s, _ := known(t)
	for range 3 {
		runs := 0
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			runs++
			a, err := wallets.AddressAt(ctx, p, scope.Env, "A1")
			a.Label += "+"
			return errors.Join(err, wallets.AddressKind.Update(ctx, p, a))
		}))
		require.LessOrEqual(t, runs, 2, "twice for what is summed up")
	}
	require.Equal(t, "+++", address(t, s, "addr_1").Label)
}

// address reads an address.
func address(t *testing.T, s *sqlstore.Store, id wallets.AddressID) (a wallets.Address) {
	t.Helper()
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
		a, err = wallets.AddressKind.Get(ctx, p, scope, id)
		return err
	}))
	return a
}

func TestAQuestionThatMayBeOldTakesRowsFromTheCache(t *testing.T) {
	s, behind := known(t)
	behind("UPDATE addresses SET label = 'theirs', version = 2 WHERE id = 'addr_1'")
	refusal := errors.New("refused")
	for _, end := range []error{nil, refusal} {
		var seen []string
		require.ErrorIs(t, ferry.MayBeOld(t.Context(), func(ctx context.Context) error {
			return s.Read(ctx, func(ctx context.Context, p store.Ports) error {
				a, err := wallets.AddressKind.Get(ctx, p, scope, "addr_1")
				seen = append(seen, a.Label)
				return errors.Join(err, end)
			})
		}), end)
		if end == nil {
			require.Equal(t, []string{""}, seen)
		} else {
			require.Equal(t, []string{"", "theirs"}, seen, "nothing is refused for an old row")
		}
	}
}

// A unit may depend on a list by a row that is written with every change of the list.
func TestARowThatIsNewerThanTheSnapshotIsNotTakenFromTheCache(t *testing.T) {
	s, _ := known(t)
	require.NoError(t, s.Write(t.Context(), sqltest.Count("lock")))
	another := func(ctx context.Context, p store.Ports) error {
		return errors.Join(sqltest.Count("lock")(ctx, p), wallets.AddressKind.Insert(ctx, p, addressNamed("addr_4", "A4")))
	}
	runs, listed := 0, 0
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		_, err := wallets.AddressKind.Get(ctx, p, scope, "addr_5") // the snapshot begins
		require.ErrorIs(t, err, ferry.NotFound)
		if runs++; runs == 1 {
			require.NoError(t, s.Write(t.Context(), another))
		}
		list, err := wallets.AddressKind.Page(ctx, p, scope, records.Query{}, ferry.Page{})
		listed = len(list.Data)
		return errors.Join(err, sqltest.Count("lock")(ctx, p))
	}))
	require.Equal(t, 3, listed, "in the run that is committed")
	require.Equal(t, 2, runs)
}

func TestALongRowAndALongKeyAreNotKept(t *testing.T) {
	s, behind := known(t)
	long := strings.Repeat("x", 1<<20)
	absent := wallets.AddressID(long)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		_, err := wallets.AddressKind.Get(ctx, p, scope, absent)
		require.ErrorIs(t, err, ferry.NotFound)
		e := webhook.Endpoint{Scope: scope, URL: "short", CreatedAt: noon, UpdatedAt: noon}
		return webhook.EndpointKind.Put(ctx, p, e)
	}))
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		e, err := webhook.EndpointOf(ctx, p, scope)
		e.URL, e.Secrets = long, []webhook.Secret{{Sealed: []byte(long)}}
		return errors.Join(err, webhook.EndpointKind.Put(ctx, p, e))
	}))
	behind("UPDATE webhook_endpoints SET url = 'theirs', version = 3")
	var seen []string
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		e, err := webhook.EndpointOf(ctx, p, scope)
		_, missing := wallets.AddressKind.Get(ctx, p, scope, absent)
		require.ErrorIs(t, missing, ferry.NotFound)
		seen = append(seen, e.URL)
		return errors.Join(err, sqltest.Count("other")(ctx, p))
	}))
	require.Equal(t, []string{"theirs"}, seen, "the row was in the cache")
	require.Less(t, s.CachedBytes(), 64<<10)
}
