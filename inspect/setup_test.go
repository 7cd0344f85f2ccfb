package inspect_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
)

// house is a sandbox with an inspector, as ferry dev serves it.
type house struct {
	t      *testing.T
	engine *engine.Engine
	engine.Tenant
	URL string
}

func newHouse(t *testing.T, change ...func(*inspect.Config)) *house {
	seen := inspect.NewRecorder()
	e, err := engine.New(engine.Config{Store: memstore.New(), Deliveries: seen.Deliveries})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	api := server.New(e, server.Config{})
	c := inspect.Config{API: api, Tenant: tenant, Recorder: seen}
	for _, each := range change {
		each(&c)
	}
	window := inspect.New(e, c)
	web := httptest.NewServer(window)
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { e.Run(ctx) })
	working.Go(func() { window.Run(ctx) })
	t.Cleanup(func() {
		stop()
		working.Wait()
		web.Close()
	})
	return &house{t, e, tenant, web.URL}
}

// api asks the API as a program does, and returns the data of the answer.
func (h *house) api(method, path, body string) map[string]any {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.URL+path, strings.NewReader(body))
	require.NoError(h.t, err)
	r.Header.Set("Authorization", "Bearer "+h.SecretKey)
	r.Header.Set("Content-Type", "application/json")
	_, text, _ := h.send(r)
	var answer struct{ Data map[string]any }
	_ = json.Unmarshal([]byte(text), &answer) // some data are lists
	return answer.Data
}

// order makes an order of 15,000 naira.
func (h *house) order(trxID string) map[string]any {
	h.t.Helper()
	return h.api("POST", "/v1/checkout/create", `{"public_key":"`+h.PublicKey+`","trx_id":"`+trxID+`","email":"ada@example.com","amount":1500000,"currency":"NGN"}`)
}

func (h *house) send(r *http.Request) (status int, body string, header http.Header) {
	h.t.Helper()
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(h.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(h.t, err)
	return response.StatusCode, string(text), response.Header
}

// page is a page of the inspector as HTML.
func (h *house) page(path string) (status int, html string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.URL+path, nil)
	require.NoError(h.t, err)
	status, html, _ = h.send(r)
	return status, html
}

// form posts a form to the inspector as a page of its own does.
func (h *house) form(path string, fields url.Values) (status int, html string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.URL+path, strings.NewReader(fields.Encode()))
	require.NoError(h.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, html, _ = h.send(r)
	return status, html
}

// data is a page of the inspector as JSON.
func (h *house) data(path string, into any) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.URL+path, nil)
	require.NoError(h.t, err)
	r.Header.Set("Accept", "application/json")
	status, text, _ := h.send(r)
	require.Equal(h.t, http.StatusOK, status, text)
	require.NoError(h.t, json.Unmarshal([]byte(text), into), text)
}

// lines are the lines of the timeline that a query asks for, the oldest first.
func (h *house) lines(query string) (lines []inspect.Line) {
	h.t.Helper()
	var page struct{ Lines []inspect.Line }
	h.data("/?"+query, &page)
	for n := range page.Lines {
		lines = append(lines, page.Lines[len(page.Lines)-1-n])
	}
	return lines
}

// await returns the first line that contains a text, when it is there.
func (h *house) await(query string, texts ...string) (found inspect.Line) {
	h.t.Helper()
	require.EventuallyWithT(h.t, func(c *assert) {
		for _, l := range h.lines(query) {
			whole := strings.Join([]string{string(l.Kind), l.Title, l.Name, l.Thing, l.Detail}, " ")
			if containsAll(whole, texts) {
				found = l
				return
			}
		}
		c.Errorf("no line with %q", texts)
	}, 10*time.Second, 20*time.Millisecond)
	return found
}

func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// act does an act of a thing by its name.
func (h *house) act(thing, name string) {
	h.t.Helper()
	var page struct {
		Acts []struct {
			Name  string
			Steps []inspect.Step
		}
	}
	h.data("/things/"+url.PathEscape(thing), &page)
	var names []string
	for _, a := range page.Acts {
		names = append(names, a.Name)
		if a.Name != name {
			continue
		}
		steps, err := json.Marshal(a.Steps)
		require.NoError(h.t, err)
		h.do(string(steps))
		return
	}
	require.Contains(h.t, names, name)
}

// do does steps as a form does.
func (h *house) do(steps string) (location string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.URL+"/do", strings.NewReader(url.Values{"steps": {steps}, "back": {"/clock"}}.Encode()))
	require.NoError(h.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, text, header := h.send(r)
	require.Equal(h.t, http.StatusSeeOther, status, text)
	return header.Get("Location")
}

// stream reads updates of the timeline until one has a text.
func (h *house) stream(t *testing.T, path string, text string) (id string) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, h.URL+path, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	scanner := bufio.NewScanner(response.Body)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if rest, found := strings.CutPrefix(scanner.Text(), "id: "); found {
			id = rest
		}
		if strings.HasPrefix(scanner.Text(), "data: ") && strings.Contains(scanner.Text(), text) {
			return id
		}
	}
	require.Fail(t, "the stream ended", scanner.Err())
	return ""
}
