// Package sqltest has what the tests of both kinds of database begin with.
package sqltest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// GoodStep writes a row, and BadStep breaks a foreign key.
const (
	GoodStep = "INSERT INTO postings (id, kind, ref) VALUES ('good', 'k', 'r')"
	BadStep  = "INSERT INTO entries (posting, leg, account, amount) VALUES (999, 0, 999, 1)"
)

// WaiterOf returns a batch of statements that touch a row each.
func WaiterOf(ctx context.Context, texts ...string) *sqldb.Waiter {
	b := &sqldb.Batch{Counts: map[string]int64{"list": 1}}
	for _, text := range texts {
		b.Steps = append(b.Steps, sqldb.Step{SQL: text})
	}
	return &sqldb.Waiter{Ctx: ctx, Batch: b}
}

// CountOf returns the number that a query finds.
func CountOf(t testing.TB, s *sqlstore.Store, query string, args ...any) (n int64) {
	t.Helper()
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		own, err := sqlstore.OwnOf(p)
		if err != nil {
			return err
		}
		return own.Query(ctx, query, args, func(scan func(into ...any) error) error { return scan(&n) })
	}))
	return n
}

// Counter returns a row with a number and a version: the endpoint of a business
// of that name, or a new one, and its failures.
func Counter(ctx context.Context, p store.Ports, name string) (webhook.Endpoint, error) {
	scope := ferry.Scope{Business: ferry.BusinessID(name), Env: ferry.Test}
	row, err := webhook.EndpointOf(ctx, p, scope)
	if errors.Is(err, webhook.ErrEndpointNotFound) {
		return webhook.Endpoint{Scope: scope}, nil
	}
	return row, err
}

// Count reads a counter and writes it with one more.
func Count(name string) func(context.Context, store.Ports) error {
	return func(ctx context.Context, p store.Ports) error {
		row, err := Counter(ctx, p, name)
		if err != nil {
			return err
		}
		row.Failures++
		return webhook.EndpointKind.Put(ctx, p, row)
	}
}
