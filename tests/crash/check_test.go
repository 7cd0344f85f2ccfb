package crash_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
)

// check waits until all that was pending has its end, and holds the store against what the clients
// know. The last check waits first until every request has its answer.
func (r *run) check(last bool) {
	r.t.Helper()
	r.checked++
	if last {
		r.together(func(c *client) { c.finish(r.t.Context()) })
	}
	r.settle()
	var audit struct{ Data struct{ Clean bool } }
	raw := r.read("/v1/test_helpers/audit", &audit)
	assert.True(r.t, audit.Data.Clean, "%s", raw)
	r.together(func(c *client) { c.recall() })
	r.checkBooks()
	r.inbox.mu.Lock()
	defer r.inbox.mu.Unlock()
	assert.Empty(r.t, r.inbox.problems)
}

// acknowledged are all requests that have had their effect.
func (r *run) acknowledged() (all []*keyedRequest) {
	for _, c := range r.clients {
		for _, d := range c.answered {
			if d.acknowledged() {
				all = append(all, d)
			}
		}
	}
	return all
}

// read reads from the server that runs.
func (r *run) read(path string, into any) []byte {
	r.t.Helper()
	answer, err := r.must(r.up(), http.MethodGet, path, nil)
	require.NoError(r.t, err)
	require.NoError(r.t, decode(answer.raw, into))
	return answer.raw
}

// finish waits until the keys of all parked requests are free, and sends them.
func (c *client) finish(ctx context.Context) {
	for len(c.parked) > 0 && ctx.Err() == nil {
		time.Sleep(time.Until(c.parked[0].interrupted.Add(keyBusy)))
		c.do(ctx, c.unpark())
	}
}

// recall asks again for everything that the client was told since the last
// time: with the key of the request, and at the resource.
func (c *client) recall() {
	s := c.run.up()
	for _, d := range c.answered {
		if !d.acknowledged() {
			continue
		}
		again, err := send(c.run.t.Context(), c.run.web, s, d.method, d.path, d.key, d.body)
		assert.NoError(c.run.t, err)
		assert.Equal(c.run.t, string(d.answer), string(again.raw), "%s %s was acknowledged", d.method, d.path)
		assert.Equal(c.run.t, "true", again.header.Get("Idempotency-Replayed"), "%s %s", d.method, d.path)
	}
	resources := append(c.wallets, c.customers...)
	for _, a := range c.addresses {
		resources = append(resources, &a.resource)
	}
	for _, of := range resources {
		answer, err := c.run.must(s, http.MethodGet, of.path, nil)
		if !assert.NoError(c.run.t, err) {
			continue
		}
		data, err := answer.data()
		assert.NoError(c.run.t, err)
		for name, want := range of.want {
			assert.Equal(c.run.t, want, data[name], "%s of %s", name, of.path)
		}
	}
}

// settle moves the clock until nothing is pending and all events are delivered.
func (r *run) settle() {
	r.t.Helper()
	deadline := time.Now().Add(2*lease + time.Minute)
	for seconds := 3600; ; seconds = 60 {
		r.advance(seconds)
		pending, waiting := r.total("status=pending"), r.undelivered()
		if pending == 0 && len(waiting) == 0 {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("seed %d: %d transfers are pending, %d events not delivered, as %v", *seed, pending, len(waiting), waiting[:min(3, len(waiting))])
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (r *run) advance(seconds int) {
	r.t.Helper()
	for range 20 {
		answer, err := r.must(r.up(), http.MethodPost, "/v1/test_helpers/clock/advance", object{"seconds": seconds})
		require.NoError(r.t, err)
		data, err := answer.data()
		require.NoError(r.t, err)
		if data["done"] == true {
			return
		}
		seconds = 0
	}
	r.t.Fatal("the clock does not arrive")
}

// total counts lines of the statement.
func (r *run) total(filter string) int {
	r.t.Helper()
	var page struct{ Meta struct{ Total int } }
	r.read("/v1/wallets/transfers?limit=1&"+filter, &page)
	return page.Meta.Total
}

// line is a line of the statement.
type line struct {
	Reference       string
	From            string      `json:"from_address"`
	To              string      `json:"to_address"`
	Amount          json.Number `json:"amount"`
	Fee             json.Number `json:"network_fee"`
	Status          string      `json:"status"`
	TransactionHash string      `json:"transactionHash"`
}

// lines reads the statement of one direction.
func (r *run) lines(direction string) (all []line) {
	r.t.Helper()
	for page := 1; ; page++ {
		var got struct {
			Data []line
			Meta struct {
				HasMore bool `json:"has_more"`
			}
		}
		r.read(fmt.Sprintf("/v1/wallets/transfers?type=%s&limit=100&page=%d", direction, page), &got)
		if all = append(all, got.Data...); !got.Meta.HasMore {
			return all
		}
	}
}

// feed reads all events.
func (r *run) feed() (all []json.RawMessage) {
	r.t.Helper()
	for after := ""; ; {
		var got struct {
			Data       []json.RawMessage
			NextCursor string `json:"next_cursor"`
		}
		r.read("/v1/events?limit=100&after="+after, &got)
		if len(got.Data) == 0 {
			return all
		}
		all, after = append(all, got.Data...), got.NextCursor
	}
}

// undelivered are events that the receiver has not accepted.
func (r *run) undelivered() (ids []string) {
	r.t.Helper()
	feed := r.feed()
	r.inbox.mu.Lock()
	defer r.inbox.mu.Unlock()
	for _, raw := range feed {
		var e event
		require.NoError(r.t, json.Unmarshal(raw, &e))
		if r.inbox.accepted[e.ID] == 0 {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func plus(a, b money.Amount) money.Amount {
	sum, err := a.Add(b)
	if err != nil {
		panic(err)
	}
	return sum
}
