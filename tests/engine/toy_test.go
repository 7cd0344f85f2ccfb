package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// A program that embeds the engine keeps gift cards of its own beside the rows of ferry: it
// uses only what any other program may import.

// card is an amount of naira behind a code, which is used once.
type card struct {
	ID        string
	Scope     ferry.Scope
	Status    string
	Code      string
	Amount    money.Amount
	UsedFor   string
	CreatedAt time.Time
	Version   int64
}

var (
	errNoCard    = ferry.NewError(ferry.NotFound, "card_not_found", "Card not found")
	errCodeTaken = ferry.NewError(ferry.Conflict, "card_code_taken", "The code is already in use")
	errUsed      = ferry.NewError(ferry.Conflict, "card_used", "The card was used")

	byCode = &records.Unique{Columns: []string{"env", "business", "code"}, Taken: errCodeTaken}
)

var cardKind = records.Define(records.Kind[string, card]{
	Name: "own_cards",
	Columns: func(c *card) []records.Column {
		return []records.Column{
			records.ID(&c.ID), records.Owner(&c.Scope), records.Version(&c.Version),
			records.Word("status", &c.Status, "issued", "used"),
			records.Text("code", &c.Code),
			records.Amount("amount", &c.Amount, money.AssetNGN),
			records.Optional("used_for", &c.UsedFor),
			records.CreatedAt(&c.CreatedAt),
		}
	},
	Scope:   func(c *card) ferry.Scope { return c.Scope },
	Unique:  []*records.Unique{byCode},
	Fixed:   []string{"code", "amount"},
	Lists:   [][]string{{}, {"status"}},
	Missing: errNoCard,
})

// cardTables makes the table of the cards in a SQL database. On PostgreSQL, INTEGER is BIGINT.
var cardTables = []string{
	`CREATE TABLE IF NOT EXISTS own_cards (
		id TEXT PRIMARY KEY, env TEXT NOT NULL, business TEXT NOT NULL, version INTEGER NOT NULL,
		status TEXT NOT NULL, code TEXT NOT NULL, amount INTEGER NOT NULL, used_for TEXT, created_at INTEGER NOT NULL
	)`,
	`CREATE UNIQUE INDEX IF NOT EXISTS own_cards_by_code ON own_cards (env, business, code)`,
	`CREATE INDEX IF NOT EXISTS own_cards_by_scope ON own_cards (env, business, created_at, id)`,
	`CREATE INDEX IF NOT EXISTS own_cards_by_status ON own_cards (env, business, status, created_at, id)`,
}

// cards is the program's service.
type cards struct{ engine *engine.Engine }

type issueParams struct {
	Code  string
	Kobos int64
}

// issueOp issues a card, and says so in an event.
func (s cards) issueOp(scope ferry.Scope, p issueParams) ferry.Operation[store.Tx, card] {
	return s.op("cards.Issue", scope, p, func(ctx context.Context, tx store.Tx) (card, error) {
		c := card{
			ID: tx.NewID("card_"), Scope: scope, Status: "issued", Code: p.Code, Amount: money.NGN(p.Kobos),
			CreatedAt: tx.Now(), Version: 1,
		}
		if err := cardKind.Insert(ctx, tx, c); err != nil {
			return card{}, err
		}
		return c, webhook.Emit(ctx, tx, webhook.Change{
			Scope: scope, Type: "card.issued", Resource: c.ID, Data: map[string]string{"id": c.ID, "code": c.Code},
		})
	})
}

type useParams struct{ Code, For string }

// useOp uses a card, which is found by its code.
func (s cards) useOp(scope ferry.Scope, p useParams) ferry.Operation[store.Tx, card] {
	return s.op("cards.Use", scope, p, func(ctx context.Context, tx store.Tx) (card, error) {
		c, err := cardKind.Find(ctx, tx, byCode, card{Scope: scope, Code: p.Code})
		switch {
		case err != nil:
			return card{}, err
		case c.Status != "issued":
			return card{}, errUsed
		}
		c.Status, c.UsedFor = "used", p.For
		err = cardKind.Update(ctx, tx, c)
		c.Version++
		return c, err
	})
}

// op is an operation that does everything in one unit.
func (s cards) op(name string, scope ferry.Scope, params any, do func(context.Context, store.Tx) (card, error)) ferry.Operation[store.Tx, card] {
	return ferry.Operation[store.Tx, card]{
		Name: name, Scope: scope, Params: params, Units: s.engine.Units(scope.Env),
		Refusals: []*ferry.Error{errNoCard, errCodeTaken, errUsed},
		Begin: func() ferry.Steps[store.Tx, card] {
			return ferry.Steps[store.Tx, card]{
				Record: func(ctx context.Context, tx store.Tx, _ string) (ferry.Step[card], error) {
					c, err := do(ctx, tx)
					return ferry.Step[card]{Resource: c.ID, Out: c}, err
				},
				Recall: func(ctx context.Context, tx store.Tx, id string) (card, error) {
					return cardKind.Get(ctx, tx, scope, id)
				},
			}
		},
	}
}

// used lists the cards that were used.
func (s cards) used(ctx context.Context, scope ferry.Scope) (ferry.List[card], error) {
	return ferry.InRead(ctx, s.engine.Units(scope.Env), func(ctx context.Context, tx store.Tx) (ferry.List[card], error) {
		return cardKind.Page(ctx, tx, scope, records.Where(records.Is("status", "used")), ferry.Page{})
	})
}

func TestAProgramKeepsRecordsOfItsOwn(t *testing.T) {
	t.Run("memory", func(t *testing.T) { testCards(t, memstore.New()) })
	t.Run("SQLite", func(t *testing.T) {
		s := sqlitetest.Open(t)
		for range 2 { // as at every start
			require.NoError(t, s.Define(t.Context(), cardTables...))
		}
		testCards(t, s)
	})
}

func testCards(t *testing.T, backend store.Backend) {
	ctx := t.Context()
	e, err := engine.New(engine.Config{Store: backend, World: sandbox.New(sandbox.Config{})})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(ctx)
	require.NoError(t, err)
	s, shop := cards{e}, tenant.Business.Scope

	issued, err := engine.Do(ctx, e, "issue-1", s.issueOp(shop, issueParams{"SPRING", 500_00}))
	require.NoError(t, err)
	again, err := engine.Do(ctx, e, "issue-1", s.issueOp(shop, issueParams{"SPRING", 500_00}))
	require.NoError(t, err)
	require.Equal(t, issued, again, "a key has one effect")
	_, err = engine.Do(ctx, e, "issue-1", s.issueOp(shop, issueParams{"SUMMER", 500_00}))
	require.ErrorIs(t, err, idempotency.ErrConflict)
	_, err = engine.Do(ctx, e, "issue-2", s.issueOp(shop, issueParams{"SPRING", 700_00}))
	require.ErrorIs(t, err, errCodeTaken)

	_, err = engine.Do(ctx, e, "use-0", s.useOp(shop, useParams{"AUTUMN", "order-1"}))
	require.ErrorIs(t, err, errNoCard)
	for range 2 {
		used, err := engine.Do(ctx, e, "use-1", s.useOp(shop, useParams{"SPRING", "order-1"}))
		require.NoError(t, err)
		require.Equal(t, "order-1", used.UsedFor)
	}
	_, err = engine.Do(ctx, e, "use-2", s.useOp(shop, useParams{"SPRING", "order-2"}))
	require.ErrorIs(t, err, errUsed)

	found, err := s.used(ctx, shop)
	require.NoError(t, err)
	require.Equal(t, 1, found.Total)
	require.Equal(t, int64(2), found.Data[0].Version)
	events, err := e.Webhooks.Events(ctx, shop, "", 0)
	require.NoError(t, err)
	require.Len(t, events.Bodies, 1)
	require.Contains(t, string(events.Bodies[0]), issued.ID)

	require.NoError(t, e.Reset(ctx))
	found, err = s.used(ctx, shop)
	require.NoError(t, err)
	require.Empty(t, found.Data, "a reset empties these rows too")
}
