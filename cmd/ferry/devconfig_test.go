package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// script is /inline.js of a server.
func (p process) script(t *testing.T) string {
	t.Helper()
	response, err := http.Get(p.BaseURL + "/inline.js")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}

func TestASandboxTakesTheBrandByOneWord(t *testing.T) {
	p := startDev(t, "--brand", "acme", "--base-url", "https://pay.example.com")
	require.Contains(t, p.script(t), `"acme-checkout"`)
	require.Contains(t, p.script(t), `brand = "acme"`)
	headers := make(chan http.Header, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { headers <- r.Header }))
	defer receiver.Close()
	var ignored any
	p.data(t, http.MethodPost, "webhook/config", `{"url":"`+receiver.URL+`"}`, &ignored)
	p.data(t, http.MethodPost, "webhook/test", "", &ignored)
	select {
	case got := <-headers:
		require.NotEmpty(t, got.Get("X-Acme-Signature"))
		require.NotEmpty(t, got["X_acme_signature"], "%v", got)
	case <-time.After(time.Minute):
		require.Fail(t, "no webhook")
	}
	var order struct {
		Page string `json:"checkout_url"`
	}
	p.data(t, http.MethodPost, "checkout/create",
		`{"public_key":"`+p.PublicKey+`","trx_id":"order-1","email":"ada@example.com","amount":1000000,"currency":"NGN"}`, &order)
	require.Regexp(t, `^https://pay\.example\.com/checkout/sess_`, order.Page)
}

func TestASandboxTakesTheConfigurationOfAServer(t *testing.T) {
	file := written(t, `{"store":"sqlite:/nowhere/ferry.db","keyset":{"file":"/nowhere/keyset","kek_env":"KEK"},
		"base_url":"https://pay.example.com","brand":{"name":"acme","platform_fee":"acme_fee"},
		"fees":{"checkout":{"platform":{"percent":1.5}}}}`)
	p := startWith(t, append(os.Environ(), "FERRY_CONFIG="+file), "--brand", "other")
	require.Contains(t, p.script(t), `"other-checkout"`, "a flag comes before the file")
	_, document := p.get(t, "/openapi.json")
	require.Contains(t, document, `"acme_fee"`)
	_, business := p.get(t, "/v1/business")
	require.Contains(t, business, `"percent":1.5`)
}

func TestSettingsOfASandboxAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"--brand", "Acme Pay", "--brand: brand.name: must be 1 to 30 lower-case letters and digits"},
		{"--base-url", "pay.example.com", "--base-url: base_url: must be like https://pay.example.com"},
		{"--config", written(t, `{"rate_limit":{"test":-1}}`), `ferry.json: field "rate_limit.test" has a wrong value`},
		{"--config", written(t, `{"port":1}`), `unknown field "port"`},
		{"--config", "/nowhere/ferry.json", "/nowhere/ferry.json"},
		{"--rate-limit", "-1", `--rate-limit: field "rate_limit.test" has a wrong value: it must be 0, for any number, or more`},
		{"--addr", "8080", "--addr: listen tcp: address 8080: missing port in address: give a host and a port, as 127.0.0.1:8080"},
		{"--admin-addr", "8081", "--admin-addr: listen tcp: address 8081: missing port in address: give a host and a port"},
	} {
		_, stderr, code := ferryCommand(t, "dev", "--addr", "127.0.0.1:0", c.flag+"="+c.value)
		require.Equal(t, 1, code, c.flag)
		require.Contains(t, stderr, c.want)
	}
}

func TestAnAddressOfAllInterfacesIsPrintedAsOneThatOpens(t *testing.T) {
	for _, all := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		cmd := exec.Command(binary, "dev", "--json", "--addr", all)
		p := startCommand(t, cmd)
		require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, p.BaseURL, all)
		status, _ := p.get(t, "/v1/business")
		require.Equal(t, http.StatusOK, status)
		p.stop(t)
	}
}

func TestASandboxSendsWebhooksToWhatItAllows(t *testing.T) {
	set := func(p process, url string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.BaseURL+"/v1/webhook/config", strings.NewReader(`{"url":"`+url+`"}`))
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+p.SecretKey)
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	flags := startDev(t, "--allow-webhooks", "app", "--allow-webhooks", "172.18.0.0/16")
	variable := startWith(t, append(os.Environ(), "FERRY_ALLOW_WEBHOOKS=app,172.18.0.0/16"))
	for _, p := range []process{flags, variable} {
		require.Equal(t, http.StatusOK, set(p, "http://app:3000/hook"))
		require.Equal(t, http.StatusOK, set(p, "http://172.18.0.5:3000/hook"))
		require.Equal(t, http.StatusBadRequest, set(p, "http://other:3000/hook"))
		require.Equal(t, http.StatusBadRequest, set(p, "http://172.19.0.5:3000/hook"))
	}
	_, stderr, code := ferryCommand(t, "dev", "--allow-webhooks", "169.254.0.0/16")
	require.NotZero(t, code)
	require.Contains(t, stderr, "--allow-webhooks: 169.254.0.0/16 is not within a private network")
	_, _, code = ferryCommand(t, "serve", "--allow-webhooks", "app")
	require.Equal(t, 80, code, "serve has no such flag")
}
