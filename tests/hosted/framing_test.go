package hosted_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/server"
)

func TestInLiveOnlyListedOriginsMayFrameACheckout(t *testing.T) {
	t.Parallel()
	world := sandbox.New(sandbox.Config{Seed: 1})
	e, err := engine.New(engine.Config{
		Store: memstore.New(), Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
		Live: engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()},
	})
	require.NoError(t, err)
	made, err := e.Businesses.Create(t.Context(), ferry.Scope{Env: ferry.Live}, business.CreateParams{Name: "Live shop"})
	require.NoError(t, err)
	scope := made.Business.Scope
	p := order("live")
	p.Redirects.Redirect = ""
	state, err := e.Checkout.Create(t.Context(), scope, p)
	require.NoError(t, err)
	s := server.New(e, server.Config{Config: httpapi.Config{Origins: []httpapi.Origin{"https://listed.example.com"}}})
	framed := func(origin string) int {
		answer := httptest.NewRecorder()
		path := "/checkout/" + string(state.Session.ID) + "/embed?" + url.Values{"origin": {origin}}.Encode()
		s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer.Code
	}
	require.Equal(t, http.StatusForbidden, framed("https://shop.example.com"), "nobody listed it")
	require.Equal(t, http.StatusOK, framed("https://listed.example.com"), "the operator did")
	_, err = e.Businesses.Update(t.Context(), scope, business.UpdateParams{RedirectHosts: ptr([]string{"shop.example.com"})})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, framed("https://shop.example.com"), "the business did")
	require.Equal(t, http.StatusForbidden, framed("http://shop.example.com"))
	require.Equal(t, http.StatusForbidden, framed("https://evil.example.com"))
}
