package hosted_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// instructed makes a session with an address.
func (s *stage) instructed(trxID string) checkout.State {
	s.t.Helper()
	s.create(order(trxID))
	return s.crypto(trxID)
}

func TestEveryStateIsToldInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range shownStates {
		t.Run(c.name, func(t *testing.T) {
			s := setup(t)
			state := c.bring(s)
			for lang, want := range map[string][]string{"en": c.en, "fr": c.fr} {
				page := s.page(checkoutPath(state) + "?lang=" + lang + "&" + c.query)
				require.Equal(t, http.StatusOK, page.Status)
				require.Equal(t, c.phase, page.phase())
				require.Equal(t, lang, attr(page.all(func(n *html.Node) bool { return n.Data == "html" })[0], "lang"))
				seen := page.text()
				for _, piece := range want {
					if piece == bankNumber {
						piece = state.Account.AccountNumber
					}
					require.Contains(t, seen, piece)
				}
				for _, piece := range c.without {
					if piece == bankNumber {
						piece = state.Account.AccountNumber
					}
					require.NotContains(t, seen, piece)
				}
				require.NotRegexp(t, `\{[a-z_]+\}`, seen, "a placeholder was left")
			}
		})
	}
}

func TestAnAddressIsMadeWhenThePayerAsksForItAndNoSooner(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("switch"))
	page := s.page(checkoutPath(state) + "?method=usdc")
	require.Contains(t, page.text(), "Get an address")
	require.Nil(t, s.get("switch").Current, "reading makes nothing")
	page = s.follow(s.post(checkoutPath(state)+"/usdc", nil))
	require.True(t, page.has("qr"))
	made := s.get("switch").Current
	require.NotNil(t, made)
	require.Equal(t, string(made.Deposit), text(page.byID("address")))
	s.follow(s.post(checkoutPath(state)+"/usdc", nil))
	require.Equal(t, made.Deposit, s.get("switch").Current.Deposit, "one that is valid is offered again")
}

func TestCopyButtonsCopyPlainDigits(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.instructed("copy")
	page := s.page(checkoutPath(state) + "?method=bank")
	require.Equal(t, state.Account.AccountNumber, attr(page.byID("copy-number"), "data-copy"))
	require.Equal(t, "15000.00", attr(page.byID("copy-amount"), "data-copy"))
	require.Equal(t, "Copy account number", attr(page.byID("copy-number"), "aria-label"))
	page = s.page(checkoutPath(state) + "?method=usdc&lang=fr")
	require.Equal(t, "10", attr(page.byID("copy-amount"), "data-copy"))
	require.Equal(t, string(state.Current.Deposit), attr(page.byID("copy-address"), "data-copy"))
	require.Equal(t, "Copier l’adresse", attr(page.byID("copy-address"), "aria-label"))
}

func TestAPageAsksForWhatAFormerAddressDidNotGet(t *testing.T) {
	t.Parallel()
	s := setup(t)
	former := s.instructed("former").Current.Deposit
	s.advance(15 * time.Minute)
	state := s.crypto("former")
	s.deposit(former, money.USDC(4_000_000))
	page := s.page(checkoutPath(state) + "?method=usdc")
	require.Equal(t, "6", attr(page.byID("copy-amount"), "data-copy"))
	require.Contains(t, page.Body, "amount=6&", "the link of the code")
	require.Equal(t, string(state.Current.Deposit), text(page.byID("address")))
}

func TestStatusTellsAScriptWhetherThereIsNews(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("status"))
	path := checkoutPath(state) + "/status"
	first := s.page(path)
	require.Equal(t, http.StatusOK, first.Status)
	require.Equal(t, "application/json", first.Header.Get("Content-Type"))
	tag := first.Header.Get("ETag")
	require.Equal(t, tag, attr(s.page(checkoutPath(state)).byID("main"), "data-tag"))
	require.Equal(t, http.StatusNotModified, s.page(path, "If-None-Match", tag).Status)

	s.credit("status", money.NGN(15_000_00))
	news := s.page(path, "If-None-Match", tag)
	require.Equal(t, http.StatusOK, news.Status)
	var told map[string]any
	require.NoError(t, json.Unmarshal([]byte(news.Body), &told))
	require.Equal(t, map[string]any{
		"phase": "paid", "over": true, "message": "Paid. Thank you!", "status": "completed",
		"trx_id": "status", "reference": string(state.Payment.ID), "amount": 1500000.0, "currency": "NGN",
		"redirect_url": "https://shop.example.com/done?cart=9&trx_id=status&reference=" + string(state.Payment.ID) + "&status=success#end",
	}, told)
}

func TestAPaymentThatWasTakenBackLeadsWhereAFailedOneDoes(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := order("taken")
	p.Redirects = checkout.Redirects{Redirect: "https://shop.example.com/done", Success: "https://shop.example.com/thanks", Cancel: "https://shop.example.com/cart"}
	path := checkoutPath(s.create(p)) + "/status"
	tell := func() (told struct {
		Phase, Status string
		Redirect      string `json:"redirect_url"`
	}) {
		require.NoError(t, json.Unmarshal([]byte(s.page(path).Body), &told))
		return told
	}
	s.credit("taken", money.NGN(15_000_00))
	require.Regexp(t, "^https://shop.example.com/thanks.*status=success", tell().Redirect)
	s.reverse("taken")
	told := tell()
	require.Equal(t, "reversed", told.Phase)
	require.Equal(t, "reversed", told.Status)
	require.Regexp(t, "^https://shop.example.com/cart.*status=failed", told.Redirect)
}

func TestATagChangesWithWhatThePageShowsOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("tag"))
	tag := func() string { return s.page(checkoutPath(state) + "/status").Header.Get("ETag") }
	first := tag()
	s.advance(time.Minute)
	require.Equal(t, first, tag())
	s.crypto("tag")
	second := tag()
	require.NotEqual(t, first, second)
	s.advance(15 * time.Minute)
	require.NotEqual(t, second, tag(), "the price has run out")
}

func TestAPageLeadsBackToTheShopOnlyWhenItIsOver(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("back"))
	require.False(t, s.page(checkoutPath(state)).has("back"))
	s.credit("back", money.NGN(15_000_00))
	page := s.page(checkoutPath(state))
	require.Equal(t, s.get("back").RedirectURL(), attr(page.byID("back"), "href"))
	require.Equal(t, s.get("back").RedirectURL(), attr(page.byID("main"), "data-redirect"))
}

func TestACardIsForTheSandboxOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("card"))
	page := s.page(checkoutPath(state) + "?method=card")
	require.Contains(t, page.text(), "Card pays")
	require.Equal(t, "paid", s.follow(s.post(checkoutPath(state)+"/card", url.Values{"outcome": {"success"}})).phase())
	require.Equal(t, payments.Card, s.get("card").Payment.Method)

	p := setup(t, engine.Config{Production: true})
	state = p.create(order("card"))
	require.NotContains(t, p.page(checkoutPath(state)+"?method=card").text(), "Card pays")
	require.Equal(t, http.StatusNotFound, p.post(checkoutPath(state)+"/card", url.Values{"outcome": {"success"}}).Status)
	require.Equal(t, checkout.Pending, p.get("card").Status)

	only := order("cryptoonly")
	only.Method = business.Crypto
	state = s.create(only)
	require.NotContains(t, s.page(checkoutPath(state)).text(), "Test card")
}

func TestWhatIsNotPossibleAnyMoreShowsThePage(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("gone"))
	s.credit("gone", money.NGN(15_000_00))
	for _, action := range []string{"cancel", "usdc", "bank", "card"} {
		page := s.follow(s.post(checkoutPath(state)+"/"+action, url.Values{"outcome": {"success"}}))
		require.Equal(t, "paid", page.phase(), action)
	}
}

func TestWhatIsNotThereIsAPageToo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("there"))
	for path, status := range map[string]int{
		"/checkout/sess_00000000000000000000000000000000": http.StatusNotFound,
		"/checkout/%3Cscript%3E":                          http.StatusNotFound,
		"/checkout":                                       http.StatusNotFound,
		"/checkout/":                                      http.StatusNotFound,
		"/checkout//x":                                    http.StatusNotFound,
		"/pay":                                            http.StatusNotFound,
		"/pay/nothing":                                    http.StatusNotFound,
		checkoutPath(state) + "/nothing":                  http.StatusNotFound,
		checkoutPath(state) + "/embed":                    http.StatusForbidden,
	} {
		page := s.page(path)
		require.Equal(t, status, page.Status, path)
		require.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"), path)
		require.NotEmpty(t, text(page.byID("title")), path)
	}
	require.Equal(t, http.StatusNotFound, s.post(checkoutPath(state)+"/nothing", nil).Status)
	require.Equal(t, http.StatusMethodNotAllowed, s.do(http.MethodDelete, checkoutPath(state), nil).Status)
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("csrf"))
	foreign := s.post(checkoutPath(state)+"/cancel", nil, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, foreign.Status)
	require.Equal(t, checkout.Pending, s.get("csrf").Status)
}

func TestADownRateSourceIsSaidAndTheBankStaysOpen(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("down"))
	require.NoError(t, s.engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	page := s.post(checkoutPath(state)+"/usdc", nil)
	require.Equal(t, http.StatusServiceUnavailable, page.Status)
	require.Contains(t, page.text(), "This does not work right now. Nothing was lost")
	require.Contains(t, page.text(), state.Account.AccountNumber)
}

// remote is a store that cannot be reached while it is told so.
type remote struct {
	store.Backend
	away atomic.Bool
}

func (r *remote) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if r.away.Load() {
		return store.ErrUnavailable
	}
	return r.Backend.Read(ctx, body)
}

func TestAPageWhoseStoreCannotBeReachedAsksToComeBack(t *testing.T) {
	t.Parallel()
	r := &remote{Backend: memstore.New()}
	s := setup(t, engine.Config{Store: r})
	path := checkoutPath(s.create(order("away")))
	r.away.Store(true)
	require.Equal(t, http.StatusServiceUnavailable, s.page(path).Status)
	r.away.Store(false)
	require.Equal(t, http.StatusOK, s.page(path).Status)
}

func TestABankThatWasDownOpensTheAccountLater(t *testing.T) {
	t.Parallel()
	s := setup(t)
	require.NoError(t, s.engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1))
	_, err := s.engine.Checkout.Create(t.Context(), s.scope, order("later"))
	require.ErrorIs(t, err, checkout.ErrBankUnavailable)
	state := s.get("later")
	require.Contains(t, s.page(checkoutPath(state)).text(), "Get an account")
	page := s.follow(s.post(checkoutPath(state)+"/bank", nil))
	require.Equal(t, s.get("later").Account.AccountNumber, text(page.byID("number")))
}

func TestWhoPaysTheFeeIsSaid(t *testing.T) {
	t.Parallel()
	tariff := fees.Tariff{Platform: fees.Rule{Share: 10_000}}
	s := setup(t, engine.Config{Tariffs: fees.Tariffs{fees.Checkout: tariff, fees.Link: tariff}})
	require.NotContains(t, s.page(checkoutPath(s.create(order("shop")))).text(), "Includes a fee")
	s.prefer(business.UpdateParams{CustomerPaysFee: ptr(true)})
	page := s.page(checkoutPath(s.create(order("payer"))))
	require.Contains(t, page.text(), "₦15,150.00")
	require.Contains(t, page.text(), "Includes a fee of ₦150.00")
}

func TestAReceiptIsThereOncePaid(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.instructed("receipt")
	path := checkoutPath(state) + "/receipt"
	require.Equal(t, "waiting", s.follow(s.page(path)).phase())
	s.deposit(state.Current.Deposit, money.USDC(10_000_000))
	page := s.page(path)
	for _, piece := range []string{
		"Receipt", "₦15,000.00", "Demo business", "Ada Obi, receipt@example.com", "USDC on Solana · 10 USDC", "receipt",
		string(state.Payment.ID), "2 March 2026, 09:15 UTC",
	} {
		require.Contains(t, page.text(), piece)
	}
	links := page.all(func(n *html.Node) bool { return n.Data == "a" && attr(n, "rel") == "noreferrer noopener" })
	require.Len(t, links, 1)
	require.Regexp(t, `^https://explorer\.solana\.com/tx/`, attr(links[0], "href"))
	require.Contains(t, s.page(path+"?lang=fr").text(), "Reçu")
}

func TestWithoutScriptAPendingPageLoadsAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("plain"))
	require.Contains(t, s.page(checkoutPath(state)).Body, `<meta http-equiv="refresh" content="20;url=`+checkoutPath(state)+`?method=bank">`, "whether or not there is script: a page cannot know whether its script will come")
	require.NotContains(t, s.page(checkoutPath(state)).Body, `type="module"`, "not all browsers have modules")
	s.credit("plain", money.NGN(15_000_00))
	require.NotContains(t, s.page(checkoutPath(state)).Body, `http-equiv`)
}
