package hosted

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
)

// path is the address of a session's page, with a query and the language if it was
// chosen; within a frame, that of the page for it.
func (v *visit) path(session checkout.ID, query url.Values) string {
	if query == nil {
		query = url.Values{}
	}
	below := ""
	if v.origin != "" {
		query.Set("origin", v.origin)
		if v.found == nil {
			below = "/embed"
		}
	}
	return v.below(session, below, query)
}

// below is the address of what stands below a session's page.
func (v *visit) below(session checkout.ID, path string, query url.Values) string {
	if v.found == nil {
		return v.address("/checkout/"+string(session)+path, query)
	}
	maps.Copy(query, v.found)
	return v.address(foundPath+path, query)
}

// address adds the language, if it was chosen, to a path with a query.
func (v *visit) address(path string, query url.Values) string {
	if v.chosen {
		query.Set("lang", v.words.Tag)
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// lead sends the browser to a page of a session.
func (v *visit) lead(w http.ResponseWriter, session checkout.ID, query url.Values) {
	v.allow(w.Header())
	http.Redirect(w, v.http, v.path(session, query), http.StatusSeeOther)
}

// subject is a session as its page needs it.
type subject struct {
	checkout.State
	business business.Business
	incoming chain.PendingDeposits
	phase    phase
}

// read reads the session that the address names.
func (v *visit) read() (subject, error) {
	var state checkout.State
	var err error
	if v.found != nil {
		state, err = v.readFound()
	} else {
		state, err = v.engine.Checkout.Page(v.http.Context(), v.http.PathValue("session"))
	}
	if err != nil {
		return subject{}, err
	}
	return v.subject(state)
}

// subject reads what belongs to a session.
func (v *visit) subject(state checkout.State) (s subject, err error) {
	ctx := v.http.Context()
	s.State = state
	if s.business, err = v.engine.Businesses.Business(ctx, state.Scope); err != nil {
		return subject{}, err
	}
	if state.Status == checkout.Pending && state.Current != nil {
		// What is on its way is a nicety: without it the page waits.
		s.incoming, _ = v.engine.PendingDeposits(ctx, state.Scope.Env, state.Current.Deposit)
	}
	s.phase = phaseOf(state, s.incoming)
	return s, nil
}

// checkout shows the page of a session.
func (p *pages) checkout(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	return v.frameable(w, s, err)
}

// embed shows the page of a session to be framed by the origin that the address names.
func (p *pages) embed(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	return v.embedded(w, v.parent(), s, err)
}

// parent is the origin of the page that is to frame this one, as the address or the form that was
// posted names it.
func (v *visit) parent() string {
	query := v.http.URL.Query()
	return cmp.Or(query.Get("origin"), query.Get("parent_origin"), v.http.PostFormValue("origin"))
}

// frameable shows a session, or the error. The page may be framed when its address names an
// origin, unless the browser says that the request does not come from a frame.
func (v *visit) frameable(w http.ResponseWriter, s subject, err error) error {
	if origin := v.asksToFrame(); origin != "" {
		return v.embedded(w, origin, s, err)
	}
	if err != nil {
		return err
	}
	return v.showCheckout(w, s, http.StatusOK, "")
}

// asksToFrame is parent, or empty when the browser says that the request does not come from a
// frame.
func (v *visit) asksToFrame() string {
	if v.http.Header.Get("Sec-Fetch-Dest") == "document" {
		return ""
	}
	return v.parent()
}

// embedded shows a session to be framed by an origin.
func (v *visit) embedded(w http.ResponseWriter, origin string, s subject, err error) error {
	if err != nil {
		// An apology has no buttons, so any page may frame it, and gets its code.
		if originPattern.MatchString(origin) {
			v.origin = origin
		}
		return err
	}
	if !v.mayFrame(s.business, origin) {
		v.apologize(w, http.StatusForbidden, "framed")
		return nil
	}
	v.origin = origin
	return v.showCheckout(w, s, http.StatusOK, "")
}

// pressed is what a button does that leads elsewhere than to the page of its session.
type pressed func(*visit, http.ResponseWriter, subject) error

// framedAsBefore lets the origin frame the answer that frames the page whose form was posted.
func (v *visit) framedAsBefore(s subject) {
	if origin := v.parent(); origin != "" && v.mayFrame(s.business, origin) {
		v.origin = origin
	}
}

// act does what a button of the page asks for, and shows the page again.
func (p *pages) act(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	if err != nil {
		return err
	}
	v.framedAsBefore(s)
	query := url.Values{}
	action := v.http.PathValue("action")
	if v.found != nil && action != "usdc" && action != "bank" {
		return checkout.ErrNotFound
	}
	if other := map[string]pressed{"again": p.orderAgain, "simulate": p.simulate}[action]; other != nil {
		return other(v, w, s)
	}
	switch action {
	case "usdc":
		query.Set("method", methodUSDC)
		_, err = p.engine.Checkout.Crypto(v.http.Context(), s.Scope, s.Ref(), "")
	case "bank":
		query.Set("method", methodBank)
		if s.Open {
			err = p.offerNaira(v.http.Context(), s)
		}
	case "card":
		query.Set("method", methodCard)
		err = p.testCard(v.http.Context(), s, v.http.PostFormValue("outcome"))
	case "cancel":
		_, err = p.engine.Checkout.Cancel(v.http.Context(), s.Scope, s.Ref())
	default:
		return checkout.ErrNotFound
	}
	switch {
	case err == nil, errors.Is(err, ferry.Conflict):
		// The page itself shows that the action is no longer possible.
		query.Set("then", action)
		v.lead(w, s.ID, query)
		return nil
	case errors.Is(err, ferry.Unavailable):
		return v.showCheckout(w, s, http.StatusServiceUnavailable, "notice.unavailable")
	}
	return err
}

// offerNaira gives a session what a bank transfer needs: an account, and a price that stands.
func (p *pages) offerNaira(ctx context.Context, s subject) error {
	if _, err := p.engine.Checkout.OpenAccount(ctx, s.Session); err != nil {
		return err
	}
	_, err := p.engine.Checkout.RenewNaira(ctx, s.Scope, s.Ref())
	return err
}

// takesTestCard reports whether the sandbox's card may be used: there is no other.
func (p *pages) takesTestCard(s subject) bool {
	return s.Scope.Env == ferry.Test && !p.engine.Production() && s.Offers(business.BankTransfer)
}

func (p *pages) testCard(ctx context.Context, s subject, outcome string) error {
	if !p.takesTestCard(s) {
		return checkout.ErrNotFound
	}
	attempt := checkout.Attempt{Method: payments.Card, Outcome: checkout.OutcomeFailed}
	if outcome == string(checkout.OutcomeSuccess) {
		attempt.Outcome = checkout.OutcomeSuccess
	}
	_, err := p.engine.Checkout.Attempt(ctx, s.Scope, s.Ref(), attempt)
	return err
}
