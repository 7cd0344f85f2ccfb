package main

import (
	"embed"
	"html/template"
	"log"
	"net/http"
)

//go:embed pages
var files embed.FS

var pages = template.Must(template.ParseFS(files, "pages/*.html"))

// product is the page that sends payers to the checkout page.
func (s *Shop) product(w http.ResponseWriter, _ *http.Request) { render(w, "product.html", nil) }

// inline is the page that opens the checkout in a dialog. Its policy has all that
// inline.js needs; without script it works as the other one does.
func (s *Shop) inline(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; script-src 'self' "+s.config.FerryURL+"; frame-src "+s.config.FerryURL+"; connect-src 'self'")
	render(w, "product.html", map[string]string{"FerryURL": s.config.FerryURL})
}

func (s *Shop) script(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, "pages/shop.js")
}

func render(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		log.Print("checkout-shop: ", err)
	}
}

// fail logs the error and shows the payer a page without details.
func fail(w http.ResponseWriter, err error) {
	log.Print("checkout-shop: ", err)
	http.Error(w, "The shop cannot be paid right now. Please try again.", http.StatusBadGateway)
}
