package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/tests/apitest"
)

// capabilities are the live providers that a server has.
type capabilities struct{ chain, bank, kyc, rates bool }

// everySubset is all that a live environment may have.
func everySubset() (all []capabilities) {
	for bits := range 16 {
		all = append(all, capabilities{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0})
	}
	return all
}

func (c capabilities) String() string {
	names := []string{}
	for _, p := range []struct {
		name  string
		there bool
	}{{"chain", c.chain}, {"bank", c.bank}, {"kyc", c.kyc}, {"rates", c.rates}} {
		if p.there {
			names = append(names, p.name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "+")
}

func (c capabilities) none() bool { return c == capabilities{} }

// of keeps the providers that c has.
func (c capabilities) of(all engine.Providers) engine.Providers {
	if !c.chain {
		all.Chain = nil
	}
	if !c.bank {
		all.Bank = nil
	}
	if !c.kyc {
		all.KYC = nil
	}
	if !c.rates {
		all.Rates = nil
	}
	return all
}

// What the capabilities serve.
func (c capabilities) transfers() bool  { return c.bank }                         // naira for an order in naira
func (c capabilities) exchanges() bool  { return c.chain && c.rates }             // USDC for an order in naira
func (c capabilities) naira() bool      { return c.transfers() || c.exchanges() } // an order in naira
func (c capabilities) usdc() bool       { return c.chain }                        // an order in USDC
func (c capabilities) identities() bool { return c.kyc }                          // an identity
func (c capabilities) reserved() bool   { return c.bank && c.kyc }                // a reserved account
func (c capabilities) cross() bool      { return c.chain && c.bank && c.rates }   // naira for an order in USDC
func (c capabilities) has(m any, usdc bool) bool {
	switch {
	case m == string(business.Crypto) && usdc:
		return c.usdc()
	case m == string(business.Crypto):
		return c.exchanges()
	case usdc:
		return c.cross()
	}
	return c.transfers()
}

// liveStage is a store and a live world, on which servers with some of its providers run
// one after the other.
type liveStage struct {
	t      *testing.T
	config engine.Config
	all    engine.Providers
	world  *sandbox.World
	clock  *apitest.Clock
	tenant engine.Tenant
}

func newLiveStage(t *testing.T) *liveStage {
	t.Helper()
	clock := apitest.NewClock()
	world := sandbox.New(sandbox.Config{Clock: clock, Seed: 2})
	return &liveStage{
		t: t, clock: clock, world: world,
		all: engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()},
		config: engine.Config{
			Store: memstore.New(), Clock: clock, World: sandbox.New(sandbox.Config{Clock: clock, Seed: 1}),
			Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
		},
	}
}

// serve starts a server with some of the providers, whose client is that of the one live
// business. The first one makes that.
func (l *liveStage) serve(t *testing.T, has capabilities) *apitest.Server {
	t.Helper()
	l.config.Live = has.of(l.all)
	s := apitest.Start(t, apitest.Config{Engine: l.config})
	if l.tenant.SecretKey == "" && !has.none() {
		var err error
		l.tenant, err = s.Engine.CreateTenant(t.Context(), ferry.Live, "Live shop")
		require.NoError(t, err)
	}
	s.Client = s.As(l.tenant.SecretKey)
	return s
}

// lacks names what an answer of 503 says to be missing, and requires that it is.
func (c capabilities) lacks(t *testing.T, at string, a apitest.Answer) string {
	t.Helper()
	said, ok := strings.CutPrefix(a.Text("error.message"), "This environment has no ")
	require.True(t, ok, "%s: %s", at, a.Raw)
	there, known := map[string]bool{"blockchain": c.chain, "bank": c.bank, "identity provider": c.kyc, "exchange rates": c.rates, "biller": false}[said]
	require.True(t, known && !there, "%s: %s", at, a.Raw)
	require.Contains(t, []string{"provider_unavailable", "crypto_unavailable"}, a.Text("error.code"), at)
	require.False(t, a.Has("retry_after"), "%s: waiting does not help", at)
	require.Empty(t, a.Header.Get("Retry-After"), at)
	return said
}

func orderIn(s *apitest.Server, public, trxID, currency string, amount any, method string) apitest.Answer {
	body := apitest.Object{"public_key": public, "trx_id": trxID, "email": "ada@example.com", "amount": amount, "currency": currency}
	if method != "" {
		body["payment_method"] = method
	}
	return s.As("").Post("/v1/checkout", body)
}

func TestALiveEnvironmentServesWhatItsProvidersServeAndRefusesTheRestByName(t *testing.T) {
	for _, has := range everySubset() {
		if has.none() {
			continue
		}
		t.Run(has.String(), func(t *testing.T) {
			t.Parallel()
			stage := newLiveStage(t)
			s := stage.serve(t, has)
			public := stage.tenant.PublicKey
			link := func(currency string) apitest.Answer {
				return s.Post("/v1/payment-links", apitest.Object{"title": "Lunch", "amount": 500, "currency": currency})
			}
			for name, call := range map[string]struct {
				served bool
				code   string
				answer apitest.Answer
			}{
				"an order in naira":          {has.naira(), "", orderIn(s, public, "o-1", "NGN", 15000, "")},
				"naira for naira":            {has.transfers(), "provider_unavailable", orderIn(s, public, "o-2", "NGN", 15000, "bank-transfer")},
				"USDC for naira":             {has.exchanges(), "crypto_unavailable", orderIn(s, public, "o-3", "NGN", 15000, "crypto")},
				"an order in USDC":           {has.usdc(), "crypto_unavailable", orderIn(s, public, "o-4", "USDC", "10", "")},
				"naira for USDC":             {has.cross(), "", orderIn(s, public, "o-5", "USDC", "10", "bank-transfer")},
				"USDC for USDC":              {has.usdc(), "crypto_unavailable", orderIn(s, public, "o-6", "USDC", "10", "crypto")},
				"a quote":                    {has.exchanges(), "crypto_unavailable", s.Get("/v1/checkout/quote?amount=15000")},
				"a quote without a key":      {has.exchanges(), "crypto_unavailable", s.As("").Get("/v1/checkout/quote?amount=1&amount_type=crypto")},
				"a link in naira":            {has.naira(), "", link("NGN")},
				"a link in USDC":             {has.usdc(), "crypto_unavailable", link("USDC")},
				"a wallet":                   {has.usdc(), "provider_unavailable", s.Post("/v1/wallets", newWallet("till"))},
				"a rate":                     {has.exchanges(), "provider_unavailable", s.Get("/v1/stablecoin/wallets/rate")},
				"a virtual account":          {has.transfers(), "provider_unavailable", s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "v-1"})},
				"an identity":                {has.identities(), "provider_unavailable", s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": "22212345670"})},
				"a validation":               {has.identities(), "provider_unavailable", s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": "22212345670", "otp": "123456"})},
				"a company":                  {has.identities(), "provider_unavailable", s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "cac", "number": "RC123450"})},
				"a customer":                 {true, "", s.Post("/v1/customers", newCustomer(1))},
				"its own balance":            {true, "", s.Get("/v1/business/balance")},
				"another key":                {true, "", s.Post("/v1/api-keys", apitest.Object{"type": "secret"})},
				"its wallets":                {true, "", s.Get("/v1/wallets")},
				"its transactions":           {true, "", s.Get("/v1/transactions")},
				"its collection accounts":    {true, "", s.Get("/v1/fiat/virtual-accounts")},
				"a transfer of an address":   {false, "", s.Post("/v1/wallets/transfer", newTransfer(stranger, stranger, "1"))},
				"an account of an identity":  {false, "", reservedBy(s, "idn_019cadd4569875d7a1b61a53693e7f0f")},
				"an instruction of no order": {false, "", s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "nobody"})},
			} {
				switch {
				case call.served:
					require.Equal(t, http.StatusOK, call.answer.Status, "%s: %s", name, call.answer.Raw)
				case call.answer.Status < http.StatusInternalServerError:
					require.Contains(t, []string{
						"a transfer of an address", "an account of an identity", "an instruction of no order",
					}, name, "%s", call.answer.Raw)
				default:
					has.lacks(t, name, call.answer)
					if call.code != "" {
						require.Equal(t, call.code, call.answer.Text("error.code"), name)
					}
				}
				has.offersNothingElse(t, name, call.answer)
			}
			if has.reserved() {
				reservedBy(s, "idn_019cadd4569875d7a1b61a53693e7f0f").Fails(http.StatusNotFound, "identity_not_found")
			} else {
				has.lacks(t, "reserved", reservedBy(s, "idn_019cadd4569875d7a1b61a53693e7f0f"))
			}
		})
	}
}

func reservedBy(s *apitest.Server, identity string) apitest.Answer {
	return s.Post("/v1/fiat/reserved-accounts", apitest.Object{
		"currency": "NGN", "identity_id": identity, "email": "ada@example.com", "phone_number": "08012345678",
	})
}

// offersNothingElse requires that no part of an answer offers what nobody serves.
func (c capabilities) offersNothingElse(t *testing.T, at string, a apitest.Answer) {
	t.Helper()
	c.judge(t, at, a.Body, a.Raw)
}

func (c capabilities) judge(t *testing.T, at string, value any, raw []byte) {
	t.Helper()
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			c.judge(t, at, each, raw)
		}
	case map[string]any:
		c.judgeObject(t, at, v, raw)
		for _, each := range v {
			c.judge(t, at, each, raw)
		}
	}
}

func (c capabilities) judgeObject(t *testing.T, at string, o map[string]any, raw []byte) {
	t.Helper()
	inUSDC := o["currency"] == "USDC" || o["currency"] == nil && (strings.Contains(at, "usdc-") || strings.HasSuffix(at, "USDC"))
	if methods, ok := o["available_payment_methods"].([]any); ok {
		for _, m := range methods {
			require.True(t, c.has(m, inUSDC), "%s offers %s: %s", at, m, raw)
		}
	}
	if o["crypto_available"] == true || o["enabled"] == true {
		require.True(t, c.chain, "%s offers USDC: %s", at, raw)
	}
	if pending := o["status"] == nil || o["status"] == "AWAITING_DEPOSIT" || o["status"] == "pending"; pending {
		for _, address := range []string{"SOLANA", "deposit_address"} {
			require.True(t, c.chain || o[address] == nil, "%s shows an address that nobody watches: %s", at, raw)
		}
	}
	if types, ok := o["amount_types"].([]any); ok {
		require.Equal(t, c.naira(), slices.Contains(types, any("fiat")), "%s", raw)
		require.Equal(t, c.usdc(), slices.Contains(types, any("crypto")), "%s", raw)
	}
	if fiat, ok := o["fiat"].(map[string]any); ok {
		require.True(t, c.bank, "%s shows an account of no bank: %v", at, fiat)
	}
}

// stock makes one of everything that the live business can have, while all providers are
// there, and returns what examples name instead.
func (l *liveStage) stock() map[string]string {
	s := l.serve(l.t, capabilities{true, true, true, true})
	s.Post("/v1/webhook/config", apitest.Object{"url": "https://shop.example.com/hooks"})
	customer := s.Post("/v1/customers", newCustomer(7)).OK().Text("data.id")
	wallet := s.Post("/v1/wallets", newWallet("till")).OK()
	l.deposit(s, wallet.Text("data.primary_address"), 100_000_000)
	address := s.Get("/v1/wallets/addresses?address=" + wallet.Text("data.primary_address")).OK().Text("data.id")
	identity := initiated(s)
	s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": "22212345670", "otp": "123456"}).OK()
	s.Post("/v1/checkout/create", apitest.Object{
		"public_key": l.tenant.PublicKey, "trx_id": "order-981", "email": "ada@example.com", "amount": 1_500_000, "currency": "NGN",
	}).OK()
	for n, method := range []string{"", "bank-transfer", "crypto"} {
		orderIn(s, l.tenant.PublicKey, fmt.Sprintf("naira-%d", n), "NGN", 15000+n, method).OK()
		orderIn(s, l.tenant.PublicKey, fmt.Sprintf("usdc-%d", n), "USDC", fmt.Sprint(10+n), method).OK()
	}
	link := jollof(s, "active")
	s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "v-1"}).OK()
	reservedBy(s, identity).OK()
	transfer := s.Post("/v1/wallets/transfer", newTransfer(wallet.Text("data.primary_address"), stranger, "1")).OK().Text("data.id")
	return map[string]string{
		exampleCustomer: customer, exampleWallet: wallet.Text("data.id"), exampleAddress: wallet.Text("data.primary_address"),
		exampleIdentity: identity, exampleLink: link, examplePublic: l.tenant.PublicKey, "ADDRESS_ID": address, "{id}": transfer,
		examplePayment: s.Get("/v1/payments?id=order-981").OK().Text("data.id"),
		exampleKey:     s.Post("/v1/api-keys", apitest.Object{"type": "public"}).OK().Text("data.id"),
		exampleEvent:   s.Post("/v1/webhook/test", nil).OK().Text("data.event_id"),
	}
}

// deposit sends USDC to an address of the live world, and books it.
func (l *liveStage) deposit(s *apitest.Server, to string, amount int64) {
	_, err := l.world.Deposit(l.t.Context(), sandbox.DepositParams{To: chain.Address(to), Amount: money.USDC(amount)})
	require.NoError(l.t, err)
	l.clock.Add(10e9)
	l.work(s)
}

// work runs every kind of background work of a server once, and requires that none fails.
func (l *liveStage) work(s *apitest.Server) {
	for _, w := range s.Engine.Workers() {
		_, err := w.RunDue(l.t.Context(), 100)
		require.NoError(l.t, err, w.Name)
	}
}

// queries are those with which the routes that read are called.
var queries = map[string][]string{
	"/v1/checkout/quote":   {"?amount=15000", "?amount=10&amount_type=crypto"},
	"/v1/checkout":         {"", "?trx_id=order-981", "?trx_id=naira-2"},
	"/v1/checkout/account": {"?trx_id=order-981", "?trx_id=naira-0", "?trx_id=naira-1", "?trx_id=naira-2", "?trx_id=usdc-0", "?trx_id=usdc-1", "?trx_id=usdc-2&method=crypto"},
	"/v1/checkout/status":  {"?trx_id=order-981", "?trx_id=naira-1", "?trx_id=usdc-2"},
	"/v1/customers":        {"", "?id=" + exampleCustomer},
	"/v1/wallets":          {"", "?id=" + exampleWallet},
	"/v1/payments":         {"", "?id=" + examplePayment},
	"/v1/payment-links":    {"", "?id=" + exampleLink},
	"/v1/customers/identity": {
		"?type=bvn&number=22212345670",
	},
}

func TestNoRouteFailsOrOffersWhatNoProviderServesAnyMore(t *testing.T) {
	for _, has := range everySubset() {
		t.Run(has.String(), func(t *testing.T) {
			t.Parallel()
			stage := newLiveStage(t)
			ids := stage.stock()
			s := stage.serve(t, has)
			for path, item := range apitest.Document(t).Paths.Map() {
				for method, operation := range item.Operations() {
					at := method + " " + path
					body := ""
					if operation.RequestBody != nil {
						example, err := json.Marshal(operation.RequestBody.Value.Content.Get("application/json").Example)
						require.NoError(t, err)
						body = string(example)
					}
					place := path
					if to, ok := addressed[at]; ok {
						place = to
					}
					for _, query := range append(queries[path], "")[:max(1, len(queries[path]))] {
						where, what := place+query, body
						for name, id := range ids {
							where, what = strings.ReplaceAll(where, name, id), strings.ReplaceAll(what, name, id)
						}
						answer := s.Do(method, where, []byte(what))
						has.accepts(t, method+" "+where, answer)
					}
				}
			}
			stage.clock.Add(25 * 3600e9) // sessions and accounts are over
			stage.work(s)
			stage.clock.Add(25 * 3600e9)
			stage.work(s)
			findings, err := s.Engine.Audit(t.Context(), ferry.Live)
			require.NoError(t, err)
			require.Empty(t, findings)
		})
	}
}

// accepts requires that an answer is no fault, names what is missing, and offers nothing
// that is.
func (c capabilities) accepts(t *testing.T, at string, a apitest.Answer) {
	t.Helper()
	switch {
	case c.none() && a.Status < 500: // live keys are refused as they are
	case a.Status == http.StatusServiceUnavailable:
		c.lacks(t, at, a)
	case a.Status >= http.StatusInternalServerError:
		require.Fail(t, "a fault", "%s: %d %s", at, a.Status, a.Raw)
	default:
		c.offersNothingElse(t, at, a)
	}
}
