package inspect

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry/internal/text"
)

const (
	// operatorCookie keeps a person signed in, and signedIn is for how long.
	operatorCookie = "ferry_operator"
	signedIn       = 12 * time.Hour
	// maxPerson is the greatest length of a name, in code points.
	maxPerson = 100
)

// TokenDigest is what is kept of a token: its SHA-256 in hexadecimal. A token has 256 random bits, so nobody finds it by
// its digest.
func TokenDigest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// isHere reports whether a request asks for a name of the view and comes from a page of it, and answers it when not.
func (o *Operator) isHere(w http.ResponseWriter, r *http.Request) bool {
	if host := hostOf(r); !isLoopbackName(host) && !slices.Contains(o.config.Hosts, host) {
		http.Error(w, "This name is not one of operator.hosts.", http.StatusMisdirectedRequest)
		return false
	}
	if err := sameOrigin.Check(r); err != nil {
		http.Error(w, "Another page sent this. Changes come from pages of this view only.", http.StatusForbidden)
		return false
	}
	return true
}

// hostOf is the name that a request asks for, without its port.
func hostOf(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// isLoopbackName reports whether a name leads to this machine and nowhere else.
func isLoopbackName(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// person is the name of who looks: as the operator's proxy says, or by the cookie of this process.
func (o *Operator) person(r *http.Request) (name string, known bool) {
	if name, known = o.named(r); known {
		return name, true
	}
	c, err := r.Cookie(operatorCookie)
	if err != nil {
		return "", false
	}
	return o.opened(c.Value, time.Now())
}

// named is who looks, as a proxy says that is believed.
func (o *Operator) named(r *http.Request) (name string, known bool) {
	if o.config.UserHeader == "" {
		return "", false
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() && !o.proxies.Trust(peer.Addr()) {
		return "", false
	}
	said := r.Header.Values(o.config.UserHeader)
	if len(said) != 1 {
		return "", false // none, or one of the proxy and one of the client
	}
	name, problem := text.Line(said[0], 1, maxPerson)
	return name, problem == ""
}

// sealed is a cookie that says until when a person is signed in.
func (o *Operator) sealed(name string, until time.Time) string {
	said := base64.RawURLEncoding.EncodeToString([]byte(name)) + "." + strconv.FormatInt(until.Unix(), 10)
	return said + "." + base64.RawURLEncoding.EncodeToString(o.mac(said))
}

// opened is the person of a cookie, if this process sealed it and it has not ended.
func (o *Operator) opened(cookie string, now time.Time) (name string, known bool) {
	parts := strings.Split(cookie, ".")
	if len(parts) != 3 {
		return "", false
	}
	mac, errMac := base64.RawURLEncoding.DecodeString(parts[2])
	who, errWho := base64.RawURLEncoding.DecodeString(parts[0])
	until, errUntil := strconv.ParseInt(parts[1], 10, 64)
	ok := errMac == nil && errWho == nil && errUntil == nil && hmac.Equal(mac, o.mac(parts[0]+"."+parts[1])) && now.Unix() < until
	return string(who), ok
}

func (o *Operator) mac(said string) []byte {
	h := hmac.New(sha256.New, o.sign[:])
	_, _ = h.Write([]byte(said)) // it does not fail
	return h.Sum(nil)
}

// login exchanges a token for a cookie. The token comes in the body of a form, so that no log and no history has it.
func (o *Operator) login(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		o.stranger(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := readable(r); err != nil {
		o.sorry(w, r, err)
		return
	}
	name, known := o.config.Tokens[TokenDigest(strings.TrimSpace(r.PostForm.Get("token")))]
	if !known {
		o.config.Logger.WarnContext(r.Context(), "somebody gave the operator's view a token that nobody has", "peer", r.RemoteAddr)
		o.write(w, r, http.StatusForbidden, "login", loginData{Wrong: true, Form: true})
		return
	}
	http.SetCookie(w, o.cookie(r, o.sealed(name, time.Now().Add(signedIn)), int(signedIn/time.Second)))
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// logout ends what login began.
func (o *Operator) logout(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, o.cookie(r, "", -1))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// cookie is sent over https only, but on this machine.
func (o *Operator) cookie(r *http.Request, value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: operatorCookie, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: !isLoopbackName(hostOf(r)),
	}
}

// loginData is the page of who is not known.
type loginData struct {
	// Form says that there are tokens, and Wrong that the one that was given is none.
	Form  bool `json:"takes_token"`
	Wrong bool `json:"wrong_token"`
}

// stranger answers who is not known.
func (o *Operator) stranger(w http.ResponseWriter, r *http.Request) {
	o.write(w, r, http.StatusUnauthorized, "login", loginData{Form: len(o.config.Tokens) > 0})
}
