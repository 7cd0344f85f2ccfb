package checkout

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/payments"
)

// Redirects are where the payer goes afterwards.
type Redirects struct{ Redirect, Success, Cancel, Timeout string }

// each calls judge with every URL that there is, and the field that it stands in.
func (r Redirects) each(judge func(field, url string)) {
	for _, u := range []struct{ field, url string }{
		{"redirect_url", r.Redirect}, {"success_url", r.Success}, {"cancel_url", r.Cancel}, {"timeout_url", r.Timeout},
	} {
		if u.url != "" {
			judge(u.field, u.url)
		}
	}
}

// check adds what is wrong with the URLs for a business.
func (r Redirects) check(b business.Business, problems *ferry.Problems) {
	r.each(func(field, url string) { problems.Note(field, b.RefusesRedirect(url)) })
}

// listed refuses redirect URLs of a live order with a public key, unless their host is
// among those that the business named. An equal order of another payer may reuse the
// session, and would be redirected there.
func (r Redirects) listed(b business.Business) error {
	refused := ErrRedirectNotAllowed
	r.each(func(field, url string) {
		if b.Scope.Env == ferry.Live && !b.ListsHostOf(url) {
			refused = refused.About(field, "The host is not among the business's redirect_hosts: add it with PATCH /v1/business")
		}
	})
	if refused == ErrRedirectNotAllowed {
		return nil
	}
	return refused
}

// RedirectURL is where the payer goes now, with trx_id, reference and status
// added, or empty when there is no such place or the session is pending. Under A
// Redirect is the last resort, under B it comes before all others. A payment that was
// taken back leads where one that failed does.
func (s State) RedirectURL() string {
	ended := s.Status
	if s.Payment.Status == payments.Reversed {
		ended = Failed
	}
	status := map[Status]string{Completed: "success", Failed: "failed", Cancelled: "cancelled", Expired: "expired"}[ended]
	target := s.redirectTarget(ended)
	if status == "" || target == "" {
		return ""
	}
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	u.RawQuery = appended(u.RawQuery, [][2]string{{"trx_id", s.TrxID}, {"reference", string(s.Payment.ID)}, {"status", status}})
	return u.String()
}

// appended returns a query with more behind it. What is there stays as it is written,
// but for parameters of the same names, which a reader might believe instead.
func appended(query string, more [][2]string) string {
	var pairs []string
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		ours := slices.ContainsFunc(more, func(p [2]string) bool { return p[0] == name })
		if pair != "" && !(err == nil && ours) {
			pairs = append(pairs, pair)
		}
	}
	for _, p := range more {
		pairs = append(pairs, p[0]+"="+url.QueryEscape(p[1]))
	}
	return strings.Join(pairs, "&")
}

func (s Session) redirectTarget(ended Status) string {
	r := s.Redirects
	if s.Variant == business.DialectB && r.Redirect != "" {
		return r.Redirect
	}
	switch ended {
	case Completed:
		return cmp.Or(r.Success, r.Redirect)
	case Expired:
		return cmp.Or(r.Timeout, r.Cancel, r.Redirect)
	}
	return cmp.Or(r.Cancel, r.Redirect)
}
