package sqlstore_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
)

func TestOwnRowsInAFile(t *testing.T) { testOwn(t, fresh) }

// testOwn tests the tables of a program on a database.
func testOwn(t *testing.T, open func(testing.TB) *sqlstore.Store) {
	prepared := func(t *testing.T) *sqlstore.Store {
		s := open(t)
		for range 2 { // as at every start
			require.NoError(t, s.Define(t.Context(), "CREATE TABLE IF NOT EXISTS own_orders (name TEXT PRIMARY KEY, state TEXT NOT NULL)"))
		}
		require.NoError(t, inUnit(t, s, func(own sqlstore.Own) error {
			return own.Exec("INSERT INTO own_orders (name, state) VALUES (?, ?)", "order-1", "open")
		}))
		return s
	}
	t.Run("are committed with the unit of a fact", func(t *testing.T) { testShipped(t, prepared(t)) })
	t.Run("go back with the unit", func(t *testing.T) {
		s, fault := prepared(t), errors.New("fault")
		require.ErrorIs(t, inUnit(t, s, func(own sqlstore.Own) error {
			return errors.Join(own.Exec("UPDATE own_orders SET state = ?", "paid"), fault)
		}), fault)
		require.Equal(t, map[string]string{"order-1": "open"}, orders(t, s))
	})
	t.Run("a statement that must touch a row refuses the unit", func(t *testing.T) {
		s, gone := prepared(t), errors.New("gone")
		require.ErrorIs(t, inUnit(t, s, func(own sqlstore.Own) error {
			return errors.Join(
				own.Exec("INSERT INTO own_orders (name, state) VALUES (?, ?)", "order-2", "open"),
				own.Must(gone, "UPDATE own_orders SET state = ? WHERE name = ?", "paid", "order-3"),
			)
		}), gone)
		require.Equal(t, map[string]string{"order-1": "open"}, orders(t, s))
	})
	t.Run("an error of the database is that of its unit alone", func(t *testing.T) {
		s := prepared(t)
		insert := func(name string) error {
			return inUnit(t, s, func(own sqlstore.Own) error {
				return own.Exec("INSERT INTO own_orders (name, state) VALUES (?, 'open')", name)
			})
		}
		results := make(chan error, 8)
		for n := range cap(results) {
			go func() { results <- insert("order-" + string(rune('1'+n))) }()
		}
		refused := 0
		for range cap(results) {
			if <-results != nil {
				refused++
			}
		}
		require.Equal(t, 1, refused, "order-1 was there")
		require.Len(t, orders(t, s), cap(results))
	})
	t.Run("an error of a query is that of its unit alone", func(t *testing.T) {
		s := prepared(t)
		for n := range 3 { // each with a statement that the database has not seen
			require.Error(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
				own, err := sqlstore.OwnOf(p)
				require.NoError(t, err)
				return own.Query(ctx, "SELECT name FROM own_nothing", nil, func(func(...any) error) error { return nil })
			}))
			require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
				own, err := sqlstore.OwnOf(p)
				require.NoError(t, err)
				return own.Query(ctx, "SELECT name FROM own_orders LIMIT "+strconv.Itoa(n), nil, func(func(...any) error) error { return nil })
			}))
		}
	})
	t.Run("a guard that fails runs the body again", func(t *testing.T) {
		s, runs := prepared(t), 0
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			own, err := sqlstore.OwnOf(p)
			require.NoError(t, err)
			runs++
			state := ""
			require.NoError(t, own.Query(ctx, "SELECT state FROM own_orders WHERE name = ?", []any{"order-1"}, func(scan func(...any) error) error {
				return scan(&state)
			}))
			require.NoError(t, own.Guard("SELECT name FROM own_orders WHERE name = ? AND state = ?", "order-1", state))
			if runs == 1 {
				done := make(chan error)
				go func() {
					done <- inUnit(t, s, func(own sqlstore.Own) error { return own.Exec("UPDATE own_orders SET state = 'changed'") })
				}()
				require.NoError(t, <-done)
			}
			return own.Exec("UPDATE own_orders SET state = ?", state+" seen")
		}))
		require.Equal(t, 2, runs)
		require.Equal(t, map[string]string{"order-1": "changed seen"}, orders(t, s))
	})
	t.Run("nothing but one statement of its kind is taken", func(t *testing.T) {
		s := prepared(t)
		for _, refused := range []string{"", "COMMIT", "SELECT 1", "DROP TABLE own_orders", "DELETE FROM own_orders; COMMIT"} {
			require.ErrorIs(t, inUnit(t, s, func(own sqlstore.Own) error { return own.Exec(refused) }), sqlstore.ErrStatement)
			require.ErrorIs(t, inUnit(t, s, func(own sqlstore.Own) error { return own.Must(nil, refused) }), sqlstore.ErrStatement)
		}
		require.ErrorIs(t, inUnit(t, s, func(own sqlstore.Own) error { return own.Guard("DELETE FROM own_orders") }), sqlstore.ErrStatement)
		require.ErrorIs(t, s.Read(t.Context(), func(_ context.Context, p store.Ports) error {
			own, err := sqlstore.OwnOf(p)
			require.NoError(t, err)
			return own.Exec("DELETE FROM own_orders")
		}), ferry.ErrReadOnly)
		require.Len(t, orders(t, s), 1)
	})
}

func TestOwnRowsNeedADatabase(t *testing.T) {
	require.NoError(t, memstore.New().Read(t.Context(), func(_ context.Context, p store.Ports) error {
		_, err := sqlstore.OwnOf(p)
		require.ErrorIs(t, err, sqlstore.ErrNotSQL)
		return nil
	}))
}

func inUnit(t *testing.T, s *sqlstore.Store, body func(sqlstore.Own) error) error {
	return s.Write(t.Context(), func(_ context.Context, p store.Ports) error {
		own, err := sqlstore.OwnOf(p)
		if err != nil {
			return err
		}
		return body(own)
	})
}

// orders are the rows of the program by name.
func orders(t *testing.T, s *sqlstore.Store) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		own, err := sqlstore.OwnOf(p)
		if err != nil {
			return err
		}
		return own.Query(ctx, "SELECT name, state FROM own_orders", nil, func(scan func(...any) error) error {
			var name, state string
			err := scan(&name, &state)
			found[name] = state
			return err
		})
	}))
	return found
}

// testShipped has a listener that marks the order of a payment in the unit of the
// payment's success. At first it fails, after it wrote.
func testShipped(t *testing.T, s *sqlstore.Store) {
	runs, shut, noOrder := 0, true, errors.New("no such order")
	e, err := engine.New(engine.Config{Store: s, World: sandbox.New(sandbox.Config{}), Listeners: engine.Listeners{
		PaymentSucceeded: []engine.Listener[payments.Payment]{func(_ context.Context, tx store.Tx, p payments.Payment) error {
			own, err := sqlstore.OwnOf(tx)
			if err != nil {
				return err
			}
			if err := own.Must(noOrder, "UPDATE own_orders SET state = ? WHERE name = ?", "paid", p.Reference); err != nil {
				return err
			}
			if runs++; shut {
				return errors.New("not yet")
			}
			return nil
		}},
	}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	made, err := e.Checkout.Create(t.Context(), tenant.Business.Scope, checkout.CreateParams{
		TrxID: "order-1", Email: "ada@example.com", Amount: money.NGN(15_000_00),
	})
	require.NoError(t, err)
	_, err = e.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: made.Session.Account.AccountNumber, Amount: money.NGN(15_000_00)})
	require.NoError(t, err)
	_, _ = e.BankFeed.RunDue(t.Context(), 10)
	require.Equal(t, map[string]string{"order-1": "open"}, orders(t, s))
	shut = false
	_, err = e.BankFeed.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"order-1": "paid"}, orders(t, s))
	state, err := e.Checkout.Get(t.Context(), tenant.Business.Scope, checkout.Ref{TrxID: "order-1"})
	require.NoError(t, err)
	require.Equal(t, payments.Success, state.Payment.Status)
	require.GreaterOrEqual(t, runs, 2)
}
