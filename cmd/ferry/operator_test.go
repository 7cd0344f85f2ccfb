package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tokenFor makes a token of a person in a file of a site.
func (s site) tokenFor(t *testing.T, name string) string {
	t.Helper()
	var made struct{ Token string }
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "operator", "token", name, "--file", s.path("operators"))), &made))
	return made.Token
}

// browser keeps the cookie of the operator's view of a process, and follows no redirect.
type browser struct {
	t      *testing.T
	at     string
	cookie string
}

func (b *browser) ask(method, path string, form url.Values) (status int, text string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.at+path, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", b.cookie)
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(b.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	if given := response.Header.Get("Set-Cookie"); given != "" {
		b.cookie, _, _ = strings.Cut(given, ";")
	}
	return response.StatusCode, string(body)
}

func TestAPersonWithATokenLooksAtAServedStoreAndIsInItsLog(t *testing.T) {
	site := newSite(t)
	shop := site.createBusiness(t)
	token := site.tokenFor(t, "ada@example.com")
	require.NotEqual(t, token, site.tokenFor(t, "bola"))
	kept, err := os.ReadFile(site.path("operators"))
	require.NoError(t, err)
	require.NotContains(t, string(kept), token, "the file has digests only")
	site.add(t, `"operator":{"tokens_file":"`+site.path("operators")+`"}`)

	p := site.serve(t, shop.SecretKey)
	var customer struct{ ID string }
	p.data(t, http.MethodPost, "customers", `{"type":"individual","first_name":"Chi","last_name":"Obi","email":"chi@example.com","phone":"+2348012345678"}`, &customer)
	b := &browser{t: t, at: p.AdminURL}
	status, page := b.ask("GET", "/", nil)
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, page, "Who are you?")
	status, _ = b.ask("POST", "/login", url.Values{"token": {"opt_guess"}})
	require.Equal(t, http.StatusForbidden, status)
	status, _ = b.ask("POST", "/login", url.Values{"token": {token}})
	require.Equal(t, http.StatusSeeOther, status)
	_, page = b.ask("GET", "/", nil)
	require.Contains(t, page, "/test/"+string(shop.BusinessID))
	status, page = b.ask("GET", "/test/"+string(shop.BusinessID)+"/things/"+customer.ID, nil)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, page, "chi@example.com")
	status, _ = b.ask("GET", "/metrics", nil)
	require.Equal(t, http.StatusOK, status)
	status, _ = p.get(t, "/test/"+string(shop.BusinessID))
	require.Equal(t, http.StatusNotFound, status, "it is at the admin address only")
	p.stop(t)

	var log struct {
		Entries []struct {
			At, By, Act, Subject string
			Business             string `json:"business_id"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "operator", "log", "--config", site.config)), &log))
	require.Len(t, log.Entries, 1)
	require.Equal(t, "ada@example.com", log.Entries[0].By)
	require.Equal(t, customer.ID, log.Entries[0].Subject)
	require.Equal(t, string(shop.BusinessID), log.Entries[0].Business)
	require.Equal(t, "read", log.Entries[0].Act)
	require.NotEmpty(t, log.Entries[0].At)
	for flags, want := range map[string]int{"--person=bola": 0, "--person=ada@example.com": 1, "--since=2099-01-01": 0, "--since=2020-01-01T00:00:00Z": 1, "--environment=live": 0} {
		require.NoError(t, json.Unmarshal([]byte(mustRun(t, "operator", "log", "--config", site.config, flags)), &log))
		require.Len(t, log.Entries, want, flags)
	}
	_, stderr, code := ferryCommand(t, "operator", "log", "--config", site.config, "--since", "yesterday")
	require.NotZero(t, code)
	require.Contains(t, stderr, "--since")
}

func TestServeRefusesAnOperatorsViewThat(t *testing.T) {
	for name, c := range map[string]struct{ fields, says string }{
		"is open to others without a token": {`"admin_addr":"0.0.0.0:0","operator":{"user_header":"X-User"}`, "admin_addr: others than this machine reach it"},
		"is open by a name of all":          {`"admin_addr":":0","operator":{"user_header":"X-User"}`, "admin_addr: others than this machine reach it"},
		"is nowhere":                        {`"admin_addr":"","operator":{"user_header":"X-User"}`, "admin_addr, which is empty"},
		"is for nobody":                     {`"operator":{"hosts":["ops.example.com"]}`, "nobody may look yet"},
		"has proxies that name nobody":      {`"operator":{"tokens_file":"x","proxies":["10.0.0.0/8"]}`, "operator.proxies"},
		"has proxies of too many bits":      {`"operator":{"user_header":"X-User","proxies":["10.0.0.7/8"]}`, "operator.proxies: 10.0.0.7/8 has bits beyond its length"},
		"has no name of a header":           {`"operator":{"user_header":"X User"}`, "operator.user_header"},
		"has a URL for a host":              {`"operator":{"user_header":"X-User","hosts":["https://ops.example.com"]}`, "operator.hosts.0"},
		"has a host with a port":            {`"operator":{"user_header":"X-User","hosts":["ops.example.com:443"]}`, "operator.hosts.0"},
		"has an unknown field":              {`"operator":{"token":"x"}`, `unknown field "operator.token"`},
		"has no file of tokens":             {`"operator":{"tokens_file":"/nowhere/tokens"}`, "operator.tokens_file"},
	} {
		t.Run(name, func(t *testing.T) {
			site := newSite(t)
			text, err := os.ReadFile(site.config)
			require.NoError(t, err)
			without := string(text)
			if strings.Contains(c.fields, "admin_addr") {
				without = strings.Replace(without, `"admin_addr":"127.0.0.1:0",`, "", 1)
			}
			require.NoError(t, os.WriteFile(site.config, []byte(strings.Replace(without, "{", "{"+c.fields+",", 1)), 0o600))
			_, stderr, code := ferryCommand(t, "serve", "--config", site.config)
			require.Equal(t, 1, code)
			require.Contains(t, stderr, c.says)
		})
	}
}

func TestAFileOfTokensIsReadWholeOrRefused(t *testing.T) {
	site := newSite(t)
	site.tokenFor(t, "ada")
	whole, err := os.ReadFile(site.path("operators"))
	require.NoError(t, err)
	read := func(text string) error {
		require.NoError(t, os.WriteFile(site.path("operators"), []byte(text), 0o600))
		_, err := operatorConfig{TokensFile: site.path("operators")}.tokens()
		return err
	}
	require.NoError(t, read("# people\n\n"+string(whole)))
	require.ErrorContains(t, read(""), "has no token")
	require.ErrorContains(t, read("# people\nada opt_secret\n"), "line 2")
	require.NotContains(t, read("ada opt_secret\n").Error(), "opt_secret")
	require.ErrorContains(t, read(strings.Replace(string(whole), "ada", "ada obi", 1)), "line 1")
	require.NoError(t, os.Chmod(site.path("operators"), 0o646))
	_, err = operatorConfig{TokensFile: site.path("operators")}.tokens()
	require.ErrorContains(t, err, "open to everybody")
	_, stderr, code := ferryCommand(t, "operator", "token", "bola", "--file", site.path("operators"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "open to everybody")
	_, stderr, code = ferryCommand(t, "operator", "token", "bola obi", "--file", site.path("others"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "NAME must be")
	require.NoFileExists(t, site.path("others"))
}

func TestASandboxHasTheInspectorAndNoOperatorsView(t *testing.T) {
	site := newSite(t)
	site.add(t, `"operator":{"user_header":"X-Forwarded-User"}`)
	p := startCommand(t, exec.Command(binary, "dev", "--config", site.config, "--addr", "127.0.0.1:0", "--json"))
	defer p.stop(t)
	b := &browser{t: t, at: p.AdminURL}
	status, _ := b.ask("GET", "/", nil)
	require.Equal(t, http.StatusNotFound, status)
}
