package main

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheAddressOfASandboxOpensTheInspectorInABrowser(t *testing.T) {
	p := startDev(t)
	response, err := http.Get(p.BaseURL)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
	require.Contains(t, string(body), "Make an order of ₦15,000")
	require.NotContains(t, string(body), p.SecretKey)

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
