package main

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheAddressOfASandboxOpensInABrowser(t *testing.T) {
	p := startDev(t)
	response, err := http.Get(p.BaseURL)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
	require.Contains(t, string(body), `href="/openapi.json"`)
	require.Contains(t, string(body), "$FERRY_KEY")
	require.NotContains(t, string(body), p.SecretKey)

	paying, err := http.Post(p.BaseURL, "application/x-www-form-urlencoded", http.NoBody)
	require.NoError(t, err)
	require.NoError(t, paying.Body.Close())
	require.Equal(t, http.StatusOK, paying.StatusCode)
	require.Regexp(t, `^/checkout/sess_[0-9a-f]{32}$`, paying.Request.URL.Path)

	status, text := p.get(t, "/other")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, text, `"code":"not_found"`)
}

func TestAServerForStrangersHasNoFrontPage(t *testing.T) {
	site := newSite(t)
	p := site.serve(t, "")
	defer p.stop(t)
	status, body := p.get(t, "/")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, body, `"code":"not_found"`)
}
