package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// metrics are the figures of a process, at its admin address.
func (p process) metrics(t *testing.T) string {
	t.Helper()
	response, err := http.Get(p.AdminURL + "/metrics")
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}

func TestMetricsAreAtTheAdminAddressOnly(t *testing.T) {
	site := newSite(t)
	for name, p := range map[string]process{"dev": startDev(t), "serve": site.serve(t, site.createBusiness(t).SecretKey)} {
		require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, p.AdminURL, name)
		require.NotEqual(t, p.BaseURL, p.AdminURL)
		status, _ := p.get(t, "/metrics")
		require.Equal(t, http.StatusNotFound, status, name)
		p.get(t, "/v1/business")
		require.Contains(t, p.metrics(t), "ferry_queue_lag_seconds")
		p.get(t, "/v1/nothing/like/that")
		require.Contains(t, p.metrics(t), `ferry_http_requests_total{method="GET",route="/v1/business",status="200"}`)
		require.Contains(t, p.metrics(t), `ferry_http_requests_total{method="GET",route="other",status="404"}`)
		require.Contains(t, p.metrics(t), `ferry_http_request_seconds_bucket{method="GET",route="/v1/business",le="+Inf"}`)
		for _, figure := range []string{"go_goroutines", "go_memstats_heap_alloc_bytes", "process_start_time_seconds"} {
			require.Regexp(t, "(?m)^"+figure+" [0-9]", p.metrics(t))
		}
		require.NotContains(t, p.metrics(t), "nothing", "a path of a stranger makes no label")
		response, err := http.Get(p.AdminURL + "/v1/business")
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusNotFound, response.StatusCode, "it is no second way in")
		p.stop(t)
	}
}

func TestThereNeedBeNoAdminAddress(t *testing.T) {
	p := startDev(t, "--admin-addr", "")
	defer p.stop(t)
	require.Empty(t, p.AdminURL)
}

func TestTheHostOfARequestReachesNoAnswerOfServe(t *testing.T) {
	site := newSite(t)
	shop := site.createBusiness(t)
	p := site.serve(t, shop.SecretKey)
	defer p.stop(t)
	order := `{"public_key":"` + shop.PublicKey + `","trx_id":"o1","email":"a@example.com","amount":150000,"currency":"NGN"}`
	link := `{"title":"Ticket","amount":150000,"currency":"NGN","slug":"ticket"}`
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPost, "/v1/checkout/create", order}, {http.MethodPost, "/v1/payment-links", link}, {http.MethodGet, "/v1/payment-links", ""},
		{http.MethodGet, "/v1/checkout?trx_id=o1", ""}, {http.MethodGet, "/v1/checkout/status?trx_id=o1", ""}, {http.MethodGet, "/openapi.json", ""},
		{http.MethodGet, "/pay/ticket", ""}, {http.MethodGet, "/checkout", ""}, {http.MethodGet, "/inline.js", ""}, {http.MethodGet, "/v1//x", ""},
	} {
		r, err := http.NewRequest(c.method, p.BaseURL+c.path, strings.NewReader(c.body))
		require.NoError(t, err)
		r.Host = "evil.example"
		r.Header.Set("X-Forwarded-Host", "evil.example")
		r.Header.Set("Forwarded", "host=evil.example")
		r.Header.Set("Authorization", "Bearer "+p.SecretKey)
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		var whole bytes.Buffer
		require.NoError(t, response.Write(&whole))
		require.NoError(t, response.Body.Close())
		require.NotContains(t, whole.String(), "evil", c.path)
		if c.body != "" {
			require.Contains(t, whole.String(), p.BaseURL, "%s: %s", c.path, whole.String())
		}
	}
}

// written is what a process writes, for several readers at once.
type writtenText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *writtenText) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *writtenText) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func TestRequestsAreLoggedWhenThatIsAskedFor(t *testing.T) {
	site := newSite(t)
	site.add(t, `"log_requests":true`)
	for name, command := range map[string]*exec.Cmd{
		"dev":   exec.Command(binary, "dev", "--addr", "127.0.0.1:0", "--json", "--log", "requests"),
		"serve": exec.Command(binary, "serve", "--config", site.config),
		"quiet": exec.Command(binary, "dev", "--addr", "127.0.0.1:0", "--json"),
	} {
		t.Run(name, func(t *testing.T) {
			var log writtenText
			command.Stderr = &log
			p := startCommand(t, command)
			p.get(t, "/v1/customers?email=ada@example.com")
			p.stop(t)
			require.NotContains(t, log.String(), "ada@")
			line := regexp.MustCompile(`(?m)^.*\brequest\b.*/v1/customers.*(200|401).*req_.*$`)
			require.Equal(t, name != "quiet", line.MatchString(log.String()), log.String())
		})
	}
	_, stderr, code := ferryCommand(t, "dev", "--log", "everything")
	require.NotZero(t, code)
	require.Contains(t, stderr, "requests")
}

func TestConnectionsOfAnAddressAreCapped(t *testing.T) {
	site := newSite(t)
	site.add(t, `"max_connections":{"total":100,"per_address":2}`)
	p := site.serve(t, "")
	defer p.stop(t)
	var refused int
	for range 4 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.BaseURL, "http://"))
		require.NoError(t, err)
		defer conn.Close()
		_, err = conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
		require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
		if err == nil {
			_, err = conn.Read(make([]byte, 1))
		}
		if err != nil {
			refused++
		}
	}
	require.Equal(t, 2, refused)
}
