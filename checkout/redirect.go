package checkout

import (
	"context"
	"net/url"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
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
	r.each(func(field, url string) {
		if problem := b.RefusesRedirect(url); problem != "" {
			problems.Add(field, problem)
		}
	})
}

// listed refuses URLs of somebody who has the public key only. The window could hand
// the session to an order of the shop's own, so in live mode they lead to a host that
// the business named, and nowhere when it named none.
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

// leadIn lets a session lead where the newest of its orders asks.
func leadIn(ctx context.Context, tx Tx, s Session, to Redirects) (Session, error) {
	if s.Redirects == to {
		return s, nil
	}
	s.Redirects = to
	return saveSession(ctx, tx, s)
}

// RedirectURL is where the payer goes now, with trx_id, reference and status
// added, or empty when there is no such place or the session is pending. Under A
// Redirect is the last resort, under B it comes before all others.
func (s Session) RedirectURL() string {
	status := map[Status]string{Completed: "success", Failed: "failed", Cancelled: "cancelled", Expired: "expired"}[s.Status]
	target := s.redirectTarget()
	if status == "" || target == "" {
		return ""
	}
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	query := u.Query()
	query.Set("trx_id", s.TrxID)
	query.Set("reference", string(s.Payment))
	query.Set("status", status)
	u.RawQuery = query.Encode()
	return u.String()
}

func (s Session) redirectTarget() string {
	r := s.Redirects
	if s.Variant == business.DialectB && r.Redirect != "" {
		return r.Redirect
	}
	switch s.Status {
	case Completed:
		return first(r.Success, r.Redirect)
	case Expired:
		return first(r.Timeout, r.Cancel, r.Redirect)
	}
	return first(r.Cancel, r.Redirect)
}

func first(urls ...string) string {
	for _, u := range urls {
		if u != "" {
			return u
		}
	}
	return ""
}
