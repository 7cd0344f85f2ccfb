package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// Bodies were kept beside their events before, and attempts counted event by event.
func TestEventsThatWereTriedBeforeTheirMigrationAreTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for _, id := range []string{"evt_1", "evt_2"} {
			e := webhook.Event{ID: id, Scope: scope, Type: "x", Resource: "res", CreatedAt: noon, Data: "{}", APIVersion: "v1", State: webhook.Pending}
			require.NoError(t, p.Outbox().Insert(ctx, e))
		}
		return webhook.AttemptKind.Insert(ctx, p, webhook.Attempt{ID: "att_1", Scope: scope, EventID: "evt_1", Type: "x", Number: 1, CreatedAt: noon})
	}))
	require.NoError(t, s.Close(t.Context()))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	for _, before := range []string{
		"ALTER TABLE events DROP COLUMN api_version",
		"ALTER TABLE events ADD COLUMN body BLOB",
		"UPDATE events SET body = x'7b7d', tries = 1 WHERE id = 'evt_1'",
		`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40)
			INSERT INTO events (id, env, business, cursor, type, resource, sequence, created_at, entry, state, attempts, tries, version)
			SELECT 'long_' || n, 'test', 'biz_2', n, 'x', 'long', n, 0, '', iif(n = 37, 'pending', 'delivered'), 0, 0, 1 FROM numbers`,
		"INSERT INTO event_streams (env, business, resource, last, version) VALUES ('test', 'biz_2', 'long', 40, 1)",
		"ALTER TABLE event_streams DROP COLUMN settled",
		"CREATE INDEX events_pending ON events (env, business, resource, sequence) WHERE state = 'pending'",
		"INSERT INTO counters VALUES ('webhook_attempts/test/biz_1/evt_1', 1)",
	} {
		_, err := db.Exec(before)
		require.NoError(t, err, before)
	}
	execute(t, db, "0141_events", "ALTER", "UPDATE", "DROP", "DELETE")
	require.Equal(t, []string{"long 36", "res 0"}, texts(t, db, "SELECT resource || ' ' || settled FROM event_streams ORDER BY resource"))
	counters := texts(t, db, "SELECT list FROM counters WHERE list LIKE 'webhook_attempts%'")
	require.Len(t, counters, 1, "that of all attempts")
	require.NoError(t, db.Close())

	s = open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		next, err := p.Webhooks().NextPending(ctx, scope.Env, []webhook.Stream{{Business: scope.Business, Resource: "res"}})
		require.NoError(t, err)
		require.Equal(t, webhook.Event{
			ID: "evt_1", Scope: scope, Type: "x", Resource: "res", Sequence: 1, Cursor: 1, CreatedAt: noon, Data: "{}", APIVersion: "v1",
			State: webhook.Pending, Tries: 1, Version: 1,
		}, next[0].Event)
		page, err := webhook.AttemptKind.Page(ctx, p, scope, webhook.AttemptFilter{EventID: "evt_1"}.Query(), ferry.Page{})
		require.NoError(t, err)
		require.Equal(t, 1, page.Total)
		next[0].Event.State, next[0].Event.TriedAt = webhook.Delivered, noon.Add(time.Second)
		return webhook.EventKind.Update(ctx, p, next[0].Event)
	}))
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		next, err := p.Webhooks().NextPending(ctx, scope.Env, []webhook.Stream{{Business: scope.Business, Resource: "res"}})
		require.Equal(t, "evt_2", next[0].Event.ID)
		return err
	}))
}
