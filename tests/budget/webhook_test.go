//go:build postgres && unix

package budget_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestAnEventOfABacklogTakesATenthOfARoundTrip(t *testing.T) {
	const backlog, budget = 10_000, 0.1
	h := newHouse(t, 0)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	t.Cleanup(web.Close)
	_, err := h.Engine.Webhooks.Configure(t.Context(), h.Tenant.Business.Scope, webhook.ConfigureParams{URL: &web.URL})
	require.NoError(t, err)
	h.tell(t, backlog)
	h.rest()
	began, delivered := time.Now(), 0
	for delivered < backlog {
		n, err := h.Engine.Webhooks.RunDue(t.Context(), worker.Batch)
		require.NoError(t, err)
		require.Positive(t, n, "nothing is due after %d events", delivered)
		delivered += n
	}
	h.Engine.Webhooks.Wait()
	trips := h.reset()
	mean := float64(len(trips)) / backlog
	t.Logf("%.3f round trips an event of %.1f", mean, budget)
	// An attempt waits at most 20 ms to be recorded with others. A slow machine makes fewer
	// attempts in that time, so it has more round trips for each.
	slow := 4 * int(time.Since(began)/(20*time.Millisecond))
	if mean > budget && len(trips) > slow {
		t.Errorf("%.3f round trips an event, the budget is %.1f. The last ones:\n%s", mean, budget, strings.Join(trips[max(0, len(trips)-30):], "\n---\n"))
	}
}

// receiver starts a receiver of webhooks, and returns a channel with the ids that it received.
func (h *house) receiver(t *testing.T) (delivered chan string) {
	delivered = make(chan string, 500)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		delivered <- r.Header.Get("Webhook-Id")
	}))
	t.Cleanup(web.Close)
	_, err := h.Engine.Webhooks.Configure(t.Context(), h.Tenant.Business.Scope, webhook.ConfigureParams{URL: &web.URL})
	require.NoError(t, err)
	return delivered
}

// The pass asks in both environments which streams are due, before the delivery and after it. It
// claims the stream, reads the event and its endpoint, and records the attempt.
func TestAnEventWithoutABacklogTakesTwelveRoundTripsUntilNothingIsDue(t *testing.T) {
	h := newHouse(t, 0)
	delivered := h.receiver(t)
	h.atMost(t, 12, func() {
		h.tell(t, 1)
		h.rest()
		done, err := h.Engine.Webhooks.RunDue(t.Context(), worker.Batch)
		require.NoError(t, err)
		require.Equal(t, 1, done)
		<-delivered
	})
}

func TestTheNextEventsAreFoundByIndexWithoutStatistics(t *testing.T) {
	h := newHouse(t, 0)
	h.receiver(t)
	h.tell(t, 500)
	h.rest()
	_, err := h.Engine.Webhooks.RunDue(t.Context(), worker.Batch)
	require.NoError(t, err)
	statements := strings.Split(strings.Join(h.reset(), "; "), "; ")
	at := slices.IndexFunc(statements, func(sql string) bool { return strings.Contains(sql, "state = 'pending'") })
	require.GreaterOrEqual(t, at, 0)

	conn, err := pgx.Connect(t.Context(), h.url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	_, err = conn.Exec(t.Context(), "SET plan_cache_mode = force_generic_plan; PREPARE next AS "+statements[at], pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	values := "''" + strings.Repeat(", ''", strings.Count(statements[at], "$")-1)
	rows, err := conn.Query(t.Context(), "EXPLAIN EXECUTE next ("+values+")", pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan on events")
}

// tell emits n events, each of a resource of its own.
func (h *house) tell(t *testing.T, n int) {
	for first := 0; first < n; first += 500 {
		require.NoError(t, h.Engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			for range min(n-first, 500) {
				h.serial++
				resource := fmt.Sprint("res_", h.serial)
				err := webhook.Emit(ctx, tx, webhook.Change{
					Scope: h.Tenant.Business.Scope, Type: "budget.event", Resource: resource, Data: map[string]string{"id": resource},
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
}
