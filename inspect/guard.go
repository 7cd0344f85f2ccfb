package inspect

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// cookie keeps the token of a browser.
const cookie = "ferry_inspect"

// secure sets what all pages say to browsers.
func secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "+
		"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
}

// originOf is the origin of the page that a request asks for.
func originOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// sameOrigin refuses changes that pages of other origins send.
var sameOrigin = http.NewCrossOriginProtection()

// admit reports whether a request may see the inspector, and answers it when not.
func (i *Inspector) admit(w http.ResponseWriter, r *http.Request) bool {
	if err := sameOrigin.Check(r); err != nil {
		http.Error(w, "Another page sent this. The inspector takes changes from its own pages only.", http.StatusForbidden)
		return false
	}
	if isLocal(r) || i.hasToken(r) {
		return true
	}
	if given := r.URL.Query().Get("token"); r.Method == http.MethodGet && i.isToken(given) {
		http.SetCookie(w, &http.Cookie{
			Name: cookie, Value: given, Path: i.config.Prefix, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
		})
		http.Redirect(w, r, i.config.Prefix, http.StatusSeeOther) // so that the token leaves the address
		return false
	}
	http.Error(w, "The inspector is for programs on this machine, by the name localhost or the address 127.0.0.1, or for who opens it by the address with the token that was printed at the start.", http.StatusForbidden)
	return false
}

// forwarded are headers with which proxies say for whom they ask.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"}

// isLocal reports whether a request comes from this machine and asks for a name of this machine. The
// name matters because a page of a stranger could have its own name lead here. What a proxy or a tunnel
// on this machine passes on comes from elsewhere.
func isLocal(r *http.Request) bool {
	if slices.ContainsFunc(forwarded, func(name string) bool { return r.Header.Get(name) != "" }) {
		return false
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	at, err := netip.ParseAddr(host)
	if host != "localhost" && (err != nil || !at.IsLoopback()) {
		return false
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

// hasToken reports whether a browser was let in before.
func (i *Inspector) hasToken(r *http.Request) bool {
	c, err := r.Cookie(cookie)
	return err == nil && i.isToken(c.Value)
}

func (i *Inspector) isToken(given string) bool {
	return i.config.Token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(i.config.Token)) == 1
}
