//go:build browser

package hosted_test

import (
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/webhook"
)

func TestAPersonSignsInLooksAndSendsAgainWithAReasonOnPagesThatAreAccessible(t *testing.T) {
	t.Parallel()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	shop := tenant.Business.Scope
	ada, err := e.Customers.Create(t.Context(), shop, customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	})
	require.NoError(t, err)
	to := "http://127.0.0.1:9/hooks"
	_, err = e.Webhooks.Configure(t.Context(), shop, webhook.ConfigureParams{URL: &to})
	require.NoError(t, err)
	event, err := e.Webhooks.SendTest(t.Context(), shop)
	require.NoError(t, err)
	web := httptest.NewServer(inspect.NewOperator(e, inspect.OperatorConfig{
		API: server.New(e, server.Config{}), Tokens: map[string]string{inspect.TokenDigest("opt_1"): "bola"},
	}))
	defer web.Close()

	b := open(t, web.URL+"/login")
	b.act(chromedp.SetValue(chromedp.CSS("#token"), "opt_1"))
	b.press("Sign in")
	b.shows("bola")
	root := "/test/" + string(shop.Business)
	b.act(chromedp.Navigate(web.URL + root + "/events/" + event))
	b.act(chromedp.SetValue(chromedp.CSS("#reason"), "Ticket 7"))
	b.press("Resend")
	b.shows("It is due again.")
	for _, path := range []string{
		"/", "/search?q=nobody", root, root + "/lists/customers", root + "/lists/bills", root + "/things/" + string(ada.ID), root + "/events",
		root + "/events/" + event, root + "/deliveries", root + "/log", root + "/things/nobody",
	} {
		b.act(chromedp.EmulateViewport(390, 844), chromedp.Navigate(web.URL+path))
		require.Empty(t, eval[[]string](b, `[...document.querySelectorAll("main *, header *, nav *")].filter((e) => !e.closest(".wide, pre, .unseen") &&
			e.getBoundingClientRect().right > 390).map((e) => e.outerHTML.slice(0, 80))`), path)
		b.accessible()
	}
	b.act(chromedp.Navigate(web.URL + root + "/log"))
	b.shows("Ticket 7")
	b.act(chromedp.Navigate(web.URL))
	b.press("Sign out")
	b.shows("Who are you?")
	b.accessible()
}
