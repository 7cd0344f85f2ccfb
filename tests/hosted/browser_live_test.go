//go:build browser

package hosted_test

import (
	"fmt"
	"net"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/tests/apitest"
)

// secureShop is a shop on https, of another site than the server, that sells for live
// money. Its business has it among its redirect hosts.
type secureShop struct {
	*stage
	web    *httptest.Server
	origin string
}

// setupLive serves a live shop and the checkout, whose operator lets pages of the shop's
// origin make sessions if it is named. The live world is a simulated one.
func setupLive(t *testing.T, named bool) secureShop {
	t.Helper()
	shop, web := httptest.NewUnstartedServer(nil), httptest.NewUnstartedServer(nil)
	_, port, err := net.SplitHostPort(shop.Listener.Addr().String())
	require.NoError(t, err)
	origin := "https://localhost:" + port
	config := httpapi.Config{BaseURL: "https://" + web.Listener.Addr().String()}
	if named {
		config.Origins = []httpapi.Origin{httpapi.Origin(origin)}
	}
	clock := apitest.NewClock()
	world := sandbox.New(sandbox.Config{Clock: clock, Seed: 1})
	e, err := engine.New(engine.Config{
		Store: memstore.New(), Clock: clock, World: world, Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
		Live: engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()},
	})
	require.NoError(t, err)
	tenant, err := e.CreateTenant(t.Context(), ferry.Live, "Live shop")
	require.NoError(t, err)
	web.Config.Handler = server.New(e, server.Config{Config: config})
	web.StartTLS()
	t.Cleanup(web.Close)
	s := &stage{t, clock, e, tenant, tenant.Business.Scope, web.URL, web.Client(), web}
	s.prefer(business.UpdateParams{RedirectHosts: ptr([]string{"localhost"})})
	return secureShop{s, shop, origin}
}

// open opens the shop's page, which asks for 15,000 naira and more.
func (s secureShop) open(trxID, more string) *tab {
	s.t.Helper()
	s.web.Config.Handler = shopPage(s.stage, fmt.Sprintf(
		`{public_key: %q, trx_id: %q, amount: 1500000, email: "ada@example.com", %s}`, s.tenant.PublicKey, trxID, more))
	s.web.StartTLS()
	s.t.Cleanup(s.web.Close)
	b := open(s.t, "about:blank")
	call(b, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	b.act(chromedp.Navigate(s.origin))
	b.click("#pay")
	return b
}

func TestALiveShopSellsByItsPublicKeyFromAnOriginThatTheOperatorNamed(t *testing.T) {
	t.Parallel()
	s := setupLive(t, true)
	b := s.open("live", fmt.Sprintf("redirect_url: %q", s.origin+"/done"))
	b.until("document.activeElement === " + inFrame) // it asked for the focus, so it is ready
	state := s.get("live")
	require.Equal(t, ferry.Live, state.Scope.Env)
	require.Equal(t, money.NGN(15_000_00), state.Amount())
	require.Equal(t, checkout.Redirects{Redirect: s.origin + "/done"}, state.Redirects)
	require.Empty(t, b.heard())
	s.credit("live", money.NGN(15_000_00))
	b.hearsOfSuccessOnce(state)
	require.Equal(t, s.origin+"/", eval[string](b, "location.href"))
	b.faultless()
}

func TestALiveOrderThatLeadsElsewhereIsAnErrorThatNamesTheSetting(t *testing.T) {
	t.Parallel()
	s := setupLive(t, true)
	b := s.open("astray", `redirect_url: "https://evil.example/"`)
	told := b.onlyError(s.origin, "redirect_not_allowed")
	require.Contains(t, fmt.Sprint(told.payload["errors"]), "redirect_hosts")
	_, err := s.engine.Checkout.Get(t.Context(), s.scope, checkout.Ref{TrxID: "astray"})
	require.ErrorIs(t, err, checkout.ErrNotFound)
}

func TestFromAnOriginThatTheOperatorDidNotNameALiveOrderIsAnErrorThatSaysSo(t *testing.T) {
	t.Parallel()
	s := setupLive(t, false)
	b := s.open("unnamed", fmt.Sprintf("redirect_url: %q", s.origin+"/done"))
	told := b.onlyError(s.origin, "unreachable")
	require.Equal(t, "error", told.payload["status"])
	require.Equal(t, "unnamed", told.payload["trx_id"])
	require.Equal(t, fmt.Sprintf(
		`%s did not answer an order from %s: in production its operator names that origin among "origins"`, s.url, s.origin,
	), told.payload["message"])
	require.False(t, eval[bool](b, "Boolean(document.querySelector('dialog'))"))
	_, err := s.engine.Checkout.Get(t.Context(), s.scope, checkout.Ref{TrxID: "unnamed"})
	require.ErrorIs(t, err, checkout.ErrNotFound)
}
