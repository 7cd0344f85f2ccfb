package main

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
)

// welcome is the front page of ferry dev, for who opens its address in a browser.
const welcome = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>ferry dev</title>
<h1>ferry dev</h1>
<p>This is a sandbox: no real money. The API is at <code>/v1</code>, and <a href="/openapi.json">/openapi.json</a> describes it.
In the repository, <code>docs/api.md</code> does so in words.</p>
<p>The keys are in the lines with <code>export</code> that <code>ferry dev</code> printed when it started. With those in a shell:</p>
<pre>curl -s "$FERRY_URL/v1/business" -H "Authorization: Bearer $FERRY_KEY"</pre>
<form method="post" action="/"><button>Open a checkout of 15,000 naira</button></form>
<p><a href="/healthz">/healthz</a> <a href="/readyz">/readyz</a></p>
`

// around shows the front page and passes on everything else.
func (d demo) around(next http.Handler, logger *slog.Logger) http.Handler {
	post := http.NewCrossOriginProtection().Handler(d.openCheckout(logger))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/":
			next.ServeHTTP(w, r)
		case r.Method == http.MethodPost:
			post.ServeHTTP(w, r)
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; frame-ancestors 'none'")
			fmt.Fprint(w, welcome)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// openCheckout makes a session of the demo business and leads to its page.
func (d demo) openCheckout(logger *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		made, err := d.engine.Checkout.Create(r.Context(), d.tenant.Business.Scope, checkout.CreateParams{
			TrxID: "demo-" + rand.Text(), Email: "ada@example.com", Amount: money.NGN(15_000_00),
		})
		if err != nil {
			logger.ErrorContext(r.Context(), "no checkout for the front page", "error", err)
			http.Error(w, "There is no checkout now; the log says why.", http.StatusServiceUnavailable)
			return
		}
		http.Redirect(w, r, "/checkout/"+string(made.Session.ID), http.StatusSeeOther)
	}
}
