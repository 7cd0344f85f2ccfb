package hosted_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/tests/apitest"
)

// TestPagesOfferWhatTheProvidersServe opens the pages of orders and links that were made
// while the live environment had all of its providers, when it has only some of them.
func TestPagesOfferWhatTheProvidersServe(t *testing.T) {
	t.Parallel()
	clock := apitest.NewClock()
	world := sandbox.New(sandbox.Config{Clock: clock, Seed: 2})
	all := engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()}
	config := engine.Config{
		Store: memstore.New(), Clock: clock, World: sandbox.New(sandbox.Config{Clock: clock, Seed: 1}),
		Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"), Live: all,
	}
	e, err := engine.New(config)
	require.NoError(t, err)
	tenant, err := e.CreateTenant(t.Context(), ferry.Live, "Live shop")
	require.NoError(t, err)
	s := &stage{t: t, clock: clock, engine: e, tenant: tenant, scope: tenant.Business.Scope}
	pages := map[string]money.Amount{"naira": money.NGN(15_000_00), "usdc": money.USDC(10_000_000)}
	numbers, addresses := map[string]string{}, map[string]string{}
	for name, amount := range pages {
		p := order(name)
		p.Amount, p.Redirects = amount, checkout.Redirects{}
		numbers[name] = s.create(p).Account.AccountNumber
		addresses[name] = string(s.crypto(name).Current.Deposit)
		_, err := e.Links.Create(t.Context(), s.scope, links.CreateParams{
			Policy: business.DialectA, Currency: amount.Asset().String(), Amount: amount, Title: "Lunch", Slug: "lunch-" + name,
		})
		require.NoError(t, err)
	}
	for bits := range 16 {
		config.Live = all
		hasChain, hasBank, hasKYC, hasRates := bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0
		if !hasChain {
			config.Live.Chain = nil
		}
		if !hasBank {
			config.Live.Bank = nil
		}
		if !hasKYC {
			config.Live.KYC = nil
		}
		if !hasRates {
			config.Live.Rates = nil
		}
		e, err := engine.New(config)
		require.NoError(t, err)
		handler := server.New(e, server.Config{})
		ask := func(method, path string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(method, path, strings.NewReader("email=ada@example.com"))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			handler.ServeHTTP(w, r)
			return w
		}
		for name := range pages {
			byBank := hasBank && (name == "naira" || hasChain && hasRates)
			byUSDC := hasChain && (name == "usdc" || hasRates)
			page := "/checkout/" + string(s.get(name).Session.ID)
			bank, usdc := ask(http.MethodGet, page+"?method=bank"), ask(http.MethodGet, page+"?method=usdc")
			for _, answer := range []*httptest.ResponseRecorder{bank, usdc} {
				require.Equal(t, http.StatusOK, answer.Code, answer.Body)
				require.Equal(t, !byBank && !byUSDC, contains(answer, "cannot be paid here"), "%04b %s", bits, name)
			}
			require.Equal(t, byBank, contains(bank, numbers[name]), "%04b %s", bits, name)
			require.Equal(t, byUSDC, contains(usdc, addresses[name]), "%04b %s", bits, name)
			status := http.StatusSeeOther
			if !byUSDC {
				status = http.StatusServiceUnavailable
			}
			require.Equal(t, status, ask(http.MethodPost, page+"/usdc").Code, "%04b %s", bits, name)

			link, pay := ask(http.MethodGet, "/pay/lunch-"+name), ask(http.MethodPost, "/pay/lunch-"+name)
			if byBank || byUSDC {
				require.Equal(t, http.StatusOK, link.Code, "%04b %s", bits, name)
				require.Equal(t, http.StatusSeeOther, pay.Code, "%04b %s", bits, name)
				continue
			}
			for _, answer := range []*httptest.ResponseRecorder{link, pay} {
				require.Equal(t, http.StatusServiceUnavailable, answer.Code, "%04b %s", bits, name)
				require.True(t, contains(answer, "cannot be paid for the present"), "%s", answer.Body)
			}
		}
	}
}

func contains(answer *httptest.ResponseRecorder, text string) bool {
	return strings.Contains(answer.Body.String(), text)
}
