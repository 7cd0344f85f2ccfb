package inspect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

// adasToken lets Ada in.
const adasToken = "opt_AdasTokenOf43CharactersAndMoreThanThat"

// office is the operator's view over two businesses.
type office struct {
	t      *testing.T
	store  *storefault.Failing
	engine *engine.Engine
	api    http.Handler
	view   http.Handler
	shop   engine.Tenant
	other  engine.Tenant
	cookie string
}

func newOffice(t *testing.T, change ...func(*inspect.OperatorConfig)) *office {
	t.Helper()
	failing := storefault.FailNth(memstore.New(), 0, store.ErrUnavailable)
	e, err := engine.New(engine.Config{Store: failing})
	require.NoError(t, err)
	o := &office{t: t, store: failing, engine: e, api: server.New(e, server.Config{})}
	o.shop, err = e.Bootstrap(t.Context())
	require.NoError(t, err)
	o.other, err = e.CreateTenant(t.Context(), ferry.Test, "Other shop")
	require.NoError(t, err)
	c := inspect.OperatorConfig{API: o.api, Tokens: map[string]string{inspect.TokenDigest(adasToken): "ada"}}
	for _, each := range change {
		each(&c)
	}
	o.view = inspect.NewOperator(e, c)
	return o
}

// ask makes a request of this machine.
func (o *office) ask(method, path string, form url.Values, change ...func(*http.Request)) *http.Response {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), method, path, strings.NewReader(form.Encode()))
	r.Host, r.RemoteAddr = "localhost:8081", "127.0.0.1:5"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if o.cookie != "" {
		r.Header.Set("Cookie", o.cookie)
	}
	for _, each := range change {
		each(r)
	}
	w := httptest.NewRecorder()
	o.view.ServeHTTP(w, r)
	return w.Result()
}

// signIn exchanges Ada's token for a cookie.
func (o *office) signIn() *office {
	o.t.Helper()
	let := o.ask("POST", "/login", url.Values{"token": {adasToken}})
	require.Equal(o.t, http.StatusSeeOther, let.StatusCode)
	o.cookie, _, _ = strings.Cut(let.Header.Get("Set-Cookie"), ";")
	return o
}

// page is a page as HTML.
func (o *office) page(path string) (status int, html string) {
	o.t.Helper()
	answer := o.ask("GET", path, nil)
	text, err := io.ReadAll(answer.Body)
	require.NoError(o.t, err)
	return answer.StatusCode, string(text)
}

// data is a page as JSON.
func (o *office) data(path string, into any) {
	o.t.Helper()
	answer := o.ask("GET", path, nil, func(r *http.Request) { r.Header.Set("Accept", "application/json") })
	require.Equal(o.t, http.StatusOK, answer.StatusCode, path)
	require.NoError(o.t, json.NewDecoder(answer.Body).Decode(into))
}

// do asks the API as the program of a business does, and returns the data of the answer.
func (o *office) do(of engine.Tenant, method, path, body string) map[string]any {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+of.SecretKey)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	o.api.ServeHTTP(w, r)
	require.Equal(o.t, http.StatusOK, w.Code, w.Body)
	var answer struct{ Data map[string]any }
	_ = json.Unmarshal(w.Body.Bytes(), &answer) // some data are lists
	return answer.Data
}

func (o *office) order(of engine.Tenant, trxID string) map[string]any {
	return o.do(of, "POST", "/v1/checkout/create", `{"public_key":"`+of.PublicKey+`","trx_id":"`+trxID+`","email":"ada@example.com","amount":1500000,"currency":"NGN"}`)
}

// root is the path of the pages of a business.
func root(of engine.Tenant) string { return "/test/" + string(of.Business.Scope.Business) }

// noted is what the store has of what the operator's people did, oldest first.
func (o *office) noted() (entries []operatorlog.Entry) {
	o.t.Helper()
	require.NoError(o.t, o.engine.Units(ferry.Test).Read(o.t.Context(), func(ctx context.Context, tx store.Tx) error {
		entries = nil
		for e, err := range operatorlog.Since(ctx, tx, ferry.Test, time.Time{}) {
			if err != nil {
				return err
			}
			entries = append(entries, e)
		}
		return nil
	}))
	return entries
}

// subjects are what was done with what.
func (o *office) subjects() (said []string) {
	for _, e := range o.noted() {
		said = append(said, fmt.Sprintf("%s %s %s", e.By, e.Act, e.Subject))
	}
	return said
}
