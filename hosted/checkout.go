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
	v.lead(w, at{session: state.ID}, nil)
	return nil
}

// at is a place among the pages of a session.
type at struct {
	session checkout.ID
	// origin is that of the page that frames it, or empty.
	origin string
}

// path is the address of the page, with a query and the language if it was chosen.
func (v *visit) path(to at, query url.Values) string {
	path := "/checkout/" + string(to.session)
	if query == nil {
		query = url.Values{}
	}
	if to.origin != "" {
		path += "/embed"
		query.Set("origin", to.origin)
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
func (v *visit) lead(w http.ResponseWriter, to at, query url.Values) {
	http.Redirect(w, v.http, v.path(to, query), http.StatusSeeOther)
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
	return v.showCheckout(w, s, "", http.StatusOK, "")
}

// embed shows the page of a session to be framed by the origin that the address names.
func (p *pages) embed(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	if err != nil {
		return err
	}
	origin := v.http.URL.Query().Get("origin")
	if !mayFrame(s.business, origin) {
		v.apologize(w, http.StatusForbidden, "framed")
		return nil
	}
	framedBy(w.Header(), origin, s.Customizations.Logo != "")
	return v.showCheckout(w, s, origin, http.StatusOK, "")
}

// act does what a button of the page asks for, and shows the page again.
func (p *pages) act(v *visit, w http.ResponseWriter) error {
	v.http.Body = http.MaxBytesReader(w, v.http.Body, maxForm)
	s, err := v.read()
	if err != nil {
		return err
	}
	to := at{session: s.ID}
	if origin := v.http.PostFormValue("origin"); origin != "" && mayFrame(s.business, origin) {
		to.origin = origin
	}
	query := url.Values{}
	switch v.http.PathValue("action") {
	case "usdc":
		query.Set("method", methodUSDC)
		_, err = p.engine.Checkout.Crypto(v.http.Context(), s.Scope, s.TrxID, "")
	case "bank":
		query.Set("method", methodBank)
		err = p.openAccount(v.http.Context(), s.Session)
	case "card":
		query.Set("method", methodCard)
		err = p.testCard(v.http.Context(), s, v.http.PostFormValue("outcome"))
	case "cancel":
		_, err = p.engine.Checkout.Cancel(v.http.Context(), s.Scope, checkout.Ref{TrxID: s.TrxID})
	default:
		return checkout.ErrNotFound
	}
	switch {
	case err == nil, errors.Is(err, ferry.Conflict):
		// What is not possible any more shows on the page itself.
		query.Set("then", v.http.PathValue("action"))
		v.lead(w, to, query)
		return nil
	case errors.Is(err, ferry.Unavailable):
		if to.origin != "" {
			framedBy(w.Header(), to.origin, false)
		}
		return v.showCheckout(w, s, to.origin, http.StatusServiceUnavailable, "notice.unavailable")
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
	return p.engine.Units().Write(ctx, func(ctx context.Context, tx store.Tx) error {
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
	return p.engine.Units().Write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := p.engine.Checkout.AttemptIn(ctx, tx, s.Scope, checkout.Ref{TrxID: s.TrxID}, attempt)
		return err
	})
}
