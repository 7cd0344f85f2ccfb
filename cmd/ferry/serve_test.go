package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/seal/tinkseal"
)

// site is what an operator has for a server: a configuration, a keyset, a store.
type site struct {
	dir    string
	config string
	store  string
}

// newSite makes a site on a SQLite file, or on the store that is named.
func newSite(t *testing.T, store ...string) site {
	t.Helper()
	s := site{dir: t.TempDir()}
	s.config = s.path("ferry.json")
	s.store = append(store, "sqlite:"+s.path("ferry.db"))[0]
	require.NoError(t, tinkseal.CreateKEK(s.path("kek")))
	s.makeKeyset(t, "keyset")
	s.configure(t, "keyset")
	return s
}

func (s site) path(name string) string { return filepath.Join(s.dir, name) }

func (s site) makeKeyset(t *testing.T, name string) {
	t.Helper()
	kek, err := tinkseal.FileKEK(s.path("kek"))
	require.NoError(t, err)
	require.NoError(t, tinkseal.Create(s.path(name), kek))
}

// configure writes the configuration, with a keyset.
func (s site) configure(t *testing.T, keyset string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"addr": "127.0.0.1:0", "admin_addr": "127.0.0.1:0", "store": s.store,
		"keyset": map[string]any{"file": s.path(keyset), "kek_file": s.path("kek")},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.config, text, 0o600))
}

// limit configures the rate limit of test keys.
func (s site) limit(t *testing.T, perSecond int) {
	t.Helper()
	s.add(t, fmt.Sprintf(`"rate_limit":{"test":%d}`, perSecond))
}

// add adds members to the configuration.
func (s site) add(t *testing.T, members string) {
	t.Helper()
	text, err := os.ReadFile(s.config)
	require.NoError(t, err)
	more := strings.Replace(string(text), "{", "{"+members+",", 1)
	require.NoError(t, os.WriteFile(s.config, []byte(more), 0o600))
}

// ferryCommand runs the binary to its end.
func ferryCommand(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	require.NoError(t, ctx.Err())
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// mustRun runs the binary and returns what it prints.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := ferryCommand(t, args...)
	require.Zero(t, code, stderr)
	return stdout
}

// createBusiness makes a business with keys.
func (s site) createBusiness(t *testing.T) tenantView {
	t.Helper()
	var made tenantView
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "keys", "create", "--config", s.config, "--business", "Shop")), &made))
	return made
}

// serve starts a server, for the key of a business.
func (s site) serve(t *testing.T, key string, args ...string) process {
	t.Helper()
	p := startCommand(t, exec.Command(binary, append([]string{"serve", "--config", s.config}, args...)...))
	p.SecretKey = key
	return p
}

const aWallet = `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"main"}`

func TestAServedStoreOutlivesARestart(t *testing.T) {
	site := newSite(t)
	shop := site.createBusiness(t)
	p := site.serve(t, shop.SecretKey)
	require.Equal(t, ready{serving{p.BaseURL, p.AdminURL, ""}, tenantView{SecretKey: shop.SecretKey}, "", ""}, p.ready, "the ready line has the addresses only")
	var wallet, again struct {
		ID             string
		PrimaryAddress string `json:"primary_address"`
	}
	p.data(t, http.MethodPost, "wallets", aWallet, &wallet)
	p.stop(t)

	p = site.serve(t, shop.SecretKey)
	defer p.stop(t)
	p.data(t, http.MethodGet, "wallets?reference=main", "", &again)
	require.Equal(t, wallet, again)
	status, body := p.get(t, "/v1/business")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, shop.BusinessID)
}

func TestAServerForStrangersHasNoTestHelpers(t *testing.T) {
	site := newSite(t)
	p := site.serve(t, site.createBusiness(t).SecretKey)
	defer p.stop(t)
	status, _ := p.get(t, "/v1/test_helpers/clock")
	require.Equal(t, http.StatusNotFound, status)
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready"} {
		status, body := p.get(t, path)
		require.Equal(t, http.StatusOK, status, path)
		require.Contains(t, body, want)
	}
}

func TestALiveKeyIsForbiddenWithoutLiveProviders(t *testing.T) {
	site := newSite(t)
	c, err := readConfig(site.config)
	require.NoError(t, err)
	production, err := openProduction(t.Context(), c, production{logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	made, err := production.Businesses.Create(t.Context(), ferry.Scope{Env: ferry.Live}, business.CreateParams{Name: "Live"})
	require.NoError(t, err)
	require.NoError(t, production.close())

	p := site.serve(t, made.Secret.Secret)
	defer p.stop(t)
	status, body := p.get(t, "/v1/business")
	require.Equal(t, http.StatusForbidden, status, body)
}

func TestARateLimitHolds(t *testing.T) {
	site := newSite(t)
	site.limit(t, 1)
	p := site.serve(t, site.createBusiness(t).SecretKey)
	defer p.stop(t)
	status := http.StatusOK
	for range 1000 {
		if status, _ = p.get(t, "/v1/business"); status != http.StatusOK {
			break
		}
	}
	require.Equal(t, http.StatusTooManyRequests, status)
}

func TestServeIsRefused(t *testing.T) {
	cases := map[string]struct {
		prepare func(t *testing.T, s *site)
		want    string
	}{
		"without a store that lasts": {func(t *testing.T, s *site) {
			s.store = "memory"
			s.configure(t, "keyset")
		}, errMemory.Error()},
		"on a store of ferry dev": {func(t *testing.T, s *site) {
			startOn(t, s.path("ferry.db")).stop(t)
		}, errDevStore.Error()},
		"without its keyset": {func(t *testing.T, s *site) {
			require.NoError(t, os.Remove(s.path("keyset")))
		}, tinkseal.ErrMissing.Error()},
		"without the key of its keyset": {func(t *testing.T, s *site) {
			require.NoError(t, os.Remove(s.path("kek")))
		}, tinkseal.ErrMissing.Error()},
		"with another key of its keyset": {func(t *testing.T, s *site) {
			require.NoError(t, os.Remove(s.path("kek")))
			require.NoError(t, tinkseal.CreateKEK(s.path("kek")))
		}, tinkseal.ErrWrongKEK.Error()},
		"with the keyset of another store": {func(t *testing.T, s *site) {
			s.createBusiness(t)
			s.makeKeyset(t, "other")
			s.configure(t, "other")
		}, errKeyset.Error()},
		"with a keyset that others may read": {func(t *testing.T, s *site) {
			require.NoError(t, os.Chmod(s.path("keyset"), 0o644))
		}, tinkseal.ErrExposed.Error()},
		"on data of which nothing says whose it is": {func(t *testing.T, s *site) {
			s.createBusiness(t)
			db := newStore(t, s.path("ferry.db"))
			forget(t, db, canaryName)
			require.NoError(t, db.Close(t.Context()))
		}, errNoCanary.Error()},
		"on a file that a server has open": {func(t *testing.T, s *site) {
			p := s.serve(t, "")
			t.Cleanup(func() { p.stop(t) })
		}, "in use by another process"},
		"with an unknown field": {func(t *testing.T, s *site) {
			require.NoError(t, os.WriteFile(s.config, []byte(`{"pepper":"x"}`), 0o600))
		}, `unknown field "pepper"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			c.prepare(t, &s)
			stdout, stderr, code := ferryCommand(t, "serve", "--config", s.config)
			require.Equal(t, 1, code, stderr)
			require.Empty(t, stdout, "it never says that it is ready")
			require.Contains(t, stderr, c.want)
		})
	}
	_, stderr, code := ferryCommand(t, "serve")
	require.NotZero(t, code)
	require.Contains(t, stderr, "--config")
}

func TestFerryDevLeavesAServedStoreAlone(t *testing.T) {
	site := newSite(t)
	site.createBusiness(t)
	require.Contains(t, refused(t, "--store", site.store), errNotDev.Error())

	fresh := newSite(t)
	db := newStore(t, fresh.path("ferry.db"))
	keys, err := keysetConfig{File: fresh.path("keyset"), KEKFile: fresh.path("kek")}.load()
	require.NoError(t, err)
	require.NoError(t, keys.claim(t.Context(), db), "a server that has done nothing but claim it")
	require.NoError(t, db.Close(t.Context()))
	require.Contains(t, refused(t, "--store", fresh.store), errNotDev.Error())
}

func TestOfTwoKeysetsOneGetsAnEmptyStore(t *testing.T) {
	site := newSite(t)
	site.makeKeyset(t, "other")
	db := newStore(t, site.path("ferry.db"))
	defer func() { require.NoError(t, db.Close(t.Context())) }()
	var claims sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		name := []string{"keyset", "other"}[i%2]
		keys, err := keysetConfig{File: site.path(name), KEKFile: site.path("kek")}.load()
		require.NoError(t, err)
		claims.Go(func() { errs[i] = keys.claim(t.Context(), db) })
	}
	claims.Wait()
	for i, err := range errs {
		require.Equal(t, errs[i%2], err, "all claims of one keyset fare alike")
	}
	if errs[0] == nil {
		require.ErrorIs(t, errs[1], errKeyset)
	} else {
		require.ErrorIs(t, errs[0], errKeyset)
		require.NoError(t, errs[1])
	}
}

func TestAServerEndsInGoodOrderUnderLoad(t *testing.T) {
	site := newSite(t)
	site.limit(t, 0)
	p := site.serve(t, site.createBusiness(t).SecretKey)

	begun := make(chan struct{})
	var once sync.Once
	var callers sync.WaitGroup
	var kept sync.Map
	answers := make([]error, 8)
	for caller := range answers {
		callers.Go(func() {
			for i := 0; ; i++ {
				reference := fmt.Sprintf("w-%d-%d", caller, i)
				done, err := p.createWallet(reference)
				if !done {
					answers[caller] = err
					return
				}
				kept.Store(reference, true)
				once.Do(func() { close(begun) })
			}
		})
	}
	<-begun
	p.stop(t)
	callers.Wait()
	require.NoError(t, errors.Join(answers...), "every answer that began was whole, and none was an error")

	p = site.serve(t, p.SecretKey)
	defer p.stop(t)
	kept.Range(func(reference, _ any) bool {
		status, body := p.get(t, fmt.Sprintf("/v1/wallets?reference=%s", reference))
		require.Equal(t, http.StatusOK, status, "%s was acknowledged: %s", reference, body)
		return true
	})
}

// createWallet reports whether the server has acknowledged a wallet. A server
// that takes no more requests is no error; another answer, or half a one, is.
func (p process) createWallet(reference string) (done bool, err error) {
	request, err := http.NewRequest(http.MethodPost, p.BaseURL+"/v1/wallets", strings.NewReader(strings.Replace(aWallet, "main", reference, 1)))
	if err != nil {
		return false, err
	}
	request.Header.Set("Authorization", "Bearer "+p.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false, nil // it has ended
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s: %s", response.Status, body)
	}
	return err == nil, err
}

func TestASecondSignalEndsItAtOnce(t *testing.T) {
	p := newSite(t).serve(t, "")
	addr := strings.TrimPrefix(p.BaseURL, "http://")
	slow, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer slow.Close()
	_, err = io.WriteString(slow, "POST /v1/wallets HTTP/1.1\r\nHost: ferry\r\nContent-Length: 100\r\n\r\n{")
	require.NoError(t, err)
	status, _ := p.get(t, "/healthz")
	require.Equal(t, http.StatusOK, status)

	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, 10*time.Second, 10*time.Millisecond, "it takes no more connections")
	require.NoError(t, p.cmd.Process.Signal(syscall.Signal(0)), "it waits for the one in flight")
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	err = p.cmd.Wait()
	require.ErrorContains(t, err, "signal: terminated")
}
