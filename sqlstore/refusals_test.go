package sqlstore_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// within ends a test that runs a body without end.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestAUnitThatContradictsItselfFails(t *testing.T) {
	s := fresh(t)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		return p.Leases().Schedule(ctx, "queue", "key", noon)
	}))
	ctx := within(t)
	err := s.Write(ctx, func(ctx context.Context, p store.Ports) error {
		for range 2 { // the second claim does not see the first
			if _, err := p.Leases().Claim(ctx, "queue", noon, time.Hour, 1); err != nil {
				return err
			}
		}
		return nil
	})
	require.Error(t, err)
	require.NoError(t, ctx.Err(), "it ends by itself")
	require.NoError(t, s.Write(t.Context(), openBooks), "nobody waits for it")
}

func TestABalanceThatIsTooGreatIsRefused(t *testing.T) {
	s := fresh(t)
	other := ledger.AccountID("other")
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		control := ledger.Account{ID: "control", Scope: scope, Asset: money.AssetNGN}
		under := ledger.Account{ID: other, Scope: scope, Asset: money.AssetNGN, Control: "control"}
		sibling := ledger.Account{ID: "sibling", Scope: scope, Asset: money.AssetNGN, Control: "control"}
		return errors.Join(openBooks(ctx, p), p.Ledger().OpenAccount(ctx, control),
			p.Ledger().OpenAccount(ctx, under), p.Ledger().OpenAccount(ctx, sibling))
	}))
	move := func(id ledger.PostingID, to ledger.AccountID, minor int64) error {
		return s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			return ledger.Post(ctx, p.Ledger(), ledger.Move(id, ferry.Test, "deposit", "ref", bank, to, money.NGN(minor), noon))
		})
	}
	require.NoError(t, move("most", till, math.MaxInt64))
	require.ErrorIs(t, move("more", till, 1), money.ErrOverflow)
	require.NoError(t, move("half", other, math.MaxInt64))
	require.ErrorIs(t, move("sum", "sibling", 1), money.ErrOverflow)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for id, want := range map[ledger.AccountID]int64{till: math.MaxInt64, other: math.MaxInt64, "control": math.MaxInt64, "sibling": 0} {
			a, err := p.Ledger().Account(ctx, id)
			require.NoError(t, err)
			require.Equal(t, want, a.Posted.Minor(), id)
		}
		return nil
	}))
}

func TestALinkToAFileThatIsNotThereYetIsThatFile(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "ferry.db"), filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(path, link))
	open(t, link)
	_, err := sqlite.Open(t.Context(), path)
	require.ErrorIs(t, err, sqlite.ErrInUse)
}

func TestOnlyTheOwnerMayReadTheFiles(t *testing.T) {
	folder := t.TempDir()
	s := open(t, filepath.Join(folder, "odd name?mode=memory#%41&_pragma=x'.db"))
	require.NoError(t, s.Write(t.Context(), openBooks))
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, f := range files {
		info, err := f.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), f.Name())
	}
}

func TestAFailureToReadIsNotTheAbsenceOfAnEvent(t *testing.T) {
	s := fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, s.Read(t.Context(), func(_ context.Context, p store.Ports) error {
		_, err := p.Webhooks().Newest(ctx, scope, "any")
		require.ErrorIs(t, err, webhook.ErrEventNotFound)
		cancel()
		_, err = p.Webhooks().Newest(ctx, scope, "any")
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, webhook.ErrEventNotFound)
		return nil
	}))
}

func TestARefusedInsertTakesNoneOfItsKeys(t *testing.T) {
	s := fresh(t)
	customer := func(id customers.ID, email, phone string) customers.Customer {
		return customers.Customer{ID: id, Scope: scope, Type: customers.Company, Status: customers.Verified, Email: email, Phone: phone, CreatedAt: noon, UpdatedAt: noon}
	}
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		require.NoError(t, customers.CustomerKind.Insert(ctx, p, customer("one", "a", "1")))
		require.ErrorIs(t, customers.CustomerKind.Insert(ctx, p, customer("two", "b", "1")), customers.ErrDuplicate)
		return customers.CustomerKind.Insert(ctx, p, customer("three", "b", "3"))
	}))
}

func TestAFileOfAnotherProgramIsRefusedAndLeftAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.db")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec("CREATE TABLE theirs (id INTEGER)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	text := filepath.Join(t.TempDir(), "letter.txt")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("Dear Ada, ", 1000)), 0o600))
	for _, path := range []string{path, text} {
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		_, err = sqlite.Open(t.Context(), path)
		require.ErrorIs(t, err, sqlite.ErrForeign)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(before, after))
	}
}

func TestAStoreSaysWhatItsOpeningHasDoneToTheSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	first, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	require.Zero(t, first.Migration().From)
	require.Greater(t, first.Migration().To, int64(9))
	require.NoError(t, first.Close(t.Context()))
	again := open(t, path).Migration()
	require.Equal(t, sqlstore.Migration{From: again.To, To: first.Migration().To}, again)
}
