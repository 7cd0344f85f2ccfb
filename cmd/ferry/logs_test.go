package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLogsTailPrintsWhatASandboxIsAskedAsItComes(t *testing.T) {
	p := startDev(t)
	printed, _ := p.lines(t, "logs", "tail", "--kind", "api")
	p.data(t, http.MethodGet, "business", "", new(any))
	require.True(t, printed.Scan())
	require.Regexp(t, `^\d\d:\d\d:\d\d\.\d{3} api     GET /v1/business 200 .* ms · key ….{4}$`, printed.Text())
	inJSON, _ := p.lines(t, "logs", "tail", "--kind", "api", "--json")
	require.True(t, inJSON.Scan())
	require.Contains(t, inJSON.Text(), `"title":"GET /v1/business","status":200`)
}

func TestLogsTailSaysWhereThereIsNothingToPrint(t *testing.T) {
	p := startDev(t)
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for url, want := range map[string]string{other.URL: "there is no inspector", "http://127.0.0.1:1": "no server answers at", "ftp://x": "must begin with http://"} {
		_, stderr, code := p.says(t, "logs", "tail", "--url", url)
		require.NotZero(t, code)
		require.Contains(t, stderr, want)
	}
}
