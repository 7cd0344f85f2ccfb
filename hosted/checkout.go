package hosted

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
)

// findCheckout leads to the page of a session by its trx_id and the business's public
// key: a trx_id alone can be guessed.
func (p *pages) findCheckout(v *visit, w http.ResponseWriter) error {
	query := v.http.URL.Query()
	key, err := p.engine.Businesses.Authenticate(v.http.Context(), query.Get("public_key"))
	if err != nil && ferry.KindOf(err) != ferry.Unauthenticated {
		return err
	}
	if err != nil || key.Type != business.PublicKey || query.Get("trx_id") == "" {
		return checkout.ErrNotFound
	}
	state, err := p.engine.Checkout.Get(v.http.Context(), key.Scope, checkout.Ref{TrxID: query.Get("trx_id")})
	if err != nil {
		return err
	}
	v.lead(w, state.ID, nil)
	return nil
}

// path is the address of a session's page, with a query and the language if it was
// chosen; within a frame, that of the page for it.
func (v *visit) path(session checkout.ID, query url.Values) string {
	path := "/checkout/" + string(session)
	if query == nil {
		query = url.Values{}
	}
	if v.origin != "" {
		path += "/embed"
		query.Set("origin", v.origin)
	}
	return v.address(path, query)
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
	http.Redirect(w, v.http, v.path(session, query), http.StatusSeeOther)
}

// subject is a session as its page needs it.
type subject struct {
	checkout.State
	business business.Business
	incoming chain.Incoming
	phase    phase
}

// read reads the session that the address names.
func (v *visit) read() (subject, error) {
	ctx := v.http.Context()
	state, err := v.engine.Checkout.Page(ctx, v.http.PathValue("session"))
	if err != nil {
		return subject{}, err
	}
	s := subject{State: state}
	if s.business, err = v.engine.Businesses.Business(ctx, state.Scope); err != nil {
		return subject{}, err
	}
	if state.Status == checkout.Pending && state.Current != nil {
		// What is on its way is a nicety: without it the page waits.
		s.incoming, _ = v.engine.Incoming(ctx, state.Scope.Env, state.Current.Deposit)
	}
	s.phase = phaseOf(state, s.incoming)
	return s, nil
}

// checkout shows the page of a session.
func (p *pages) checkout(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	if err != nil {
		return err
	}
	if s.Customizations.Logo != "" {
		w.Header().Set("Content-Security-Policy", policy("'none'", true))
	}
	return v.showCheckout(w, s, http.StatusOK, "")
}

// embed shows the page of a session to be framed by the origin that the address names.
func (p *pages) embed(v *visit, w http.ResponseWriter) error {
	origin := v.http.URL.Query().Get("origin")
	s, err := v.read()
	if err != nil {
		// An apology has nothing to press, so any shop may frame it, and is told.
		if originPattern.MatchString(origin) {
			v.framed(w, origin, false)
		}
		return err
	}
	if !p.mayFrame(s.business, origin) {
		v.apologize(w, http.StatusForbidden, "framed")
		return nil
	}
	v.framed(w, origin, s.Customizations.Logo != "")
	return v.showCheckout(w, s, http.StatusOK, "")
}

// framed lets one origin frame the answer, also when it is an apology.
func (v *visit) framed(w http.ResponseWriter, origin string, logo bool) {
	v.origin = origin
	framedBy(w.Header(), origin, logo)
}

// act does what a button of the page asks for, and shows the page again.
func (p *pages) act(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	if err != nil {
		return err
	}
	if origin := v.http.PostFormValue("origin"); origin != "" && p.mayFrame(s.business, origin) {
		v.framed(w, origin, false)
	}
	query := url.Values{}
	switch v.http.PathValue("action") {
	case "usdc":
		query.Set("method", methodUSDC)
		_, err = p.engine.Checkout.Crypto(v.http.Context(), s.Scope, s.Ref(), "")
	case "bank":
		query.Set("method", methodBank)
		if s.Open {
			err = p.openAccount(v.http.Context(), s.Session)
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
		// What is not possible any more shows on the page itself.
		query.Set("then", v.http.PathValue("action"))
		v.lead(w, s.ID, query)
		return nil
	case errors.Is(err, ferry.Unavailable):
		return v.showCheckout(w, s, http.StatusServiceUnavailable, "notice.unavailable")
	}
	return err
}

// openAccount asks the bank for the account of a session that has none yet.
func (p *pages) openAccount(ctx context.Context, s checkout.Session) error {
	if !s.NeedsAccount() {
		return nil
	}
	account, err := p.engine.Checkout.OpenAccount(ctx, s)
	if err != nil {
		return err
	}
	return p.engine.Units(s.Scope.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := checkout.AttachIn(ctx, tx, s, account)
		return err
	})
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
	return p.engine.Units(ferry.Test).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := p.engine.Checkout.AttemptIn(ctx, tx, s.Scope, s.Ref(), attempt)
		return err
	})
}
