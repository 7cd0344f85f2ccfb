package hosted

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"regexp"
	"strconv"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/store"
)

// payLink makes a session for what was filled in, once, and leads to its page.
func (p *pages) payLink(v *visit, w http.ResponseWriter) error {
	l, b, err := v.readLink()
	if err != nil {
		return err
	}
	paid, err := p.payFor(v, l)
	switch {
	case err == nil:
		v.lead(w, paid.ID, nil)
		return nil
	case errors.Is(err, links.ErrLimitReached):
		return v.closed(w, l, b, "full")
	case errors.Is(err, links.ErrNotActive):
		return v.closed(w, l, b, closedWhy(l))
	case errors.Is(err, ferry.ErrNoProvider):
		return v.closed(w, l, b, unserved)
	}
	refused, ok := errors.AsType[*ferry.Error](err)
	if !ok || refused.Kind != ferry.Invalid {
		return err
	}
	return v.show(w, http.StatusBadRequest, "link", v.linkPage(l, b, refused))
}

// payFor makes the session, or finds that of the same press. A bank that opens no
// account now is asked again on the session's page.
func (p *pages) payFor(v *visit, l links.Link) (checkout.Session, error) {
	ctx, press := v.http.Context(), v.press(l)
	found, ok, err := v.earlier(ctx, press)
	if ok || err != nil {
		return found, err
	}
	settle, err := v.room(l)
	if err != nil {
		return checkout.Session{}, err
	}
	var paid checkout.Session
	defer func() { settle(paid.ID) }()
	ready, err := p.engine.Checkout.PrepareLink(ctx, l, v.payer(l))
	if err != nil {
		return checkout.Session{}, err
	}
	paid, err = v.payOnce(ctx, press, ready)
	if err != nil {
		return checkout.Session{}, err
	}
	if _, err := p.engine.Checkout.OpenAccount(ctx, paid); err != nil && ferry.KindOf(err) != ferry.Unavailable {
		return checkout.Session{}, err
	}
	return paid, nil
}

// payer is what was filled in.
func (v *visit) payer(l links.Link) checkout.PayParams {
	params := checkout.PayParams{
		Email: v.http.PostFormValue("email"), Name: v.http.PostFormValue("name"), Phone: v.http.PostFormValue("phone"),
		Fields: map[string]string{},
	}
	for i, label := range l.Fields {
		params.Fields[label] = v.http.PostFormValue("field." + strconv.Itoa(i))
	}
	if l.Type == links.Open {
		// What is no amount is missing, and is named with the other fields.
		params.Amount, _ = v.words.amountTyped(l.Amount.Asset(), v.http.PostFormValue("amount"))
	}
	return params
}

// A link's form has a token of its own, drawn when the page is rendered. The same form
// filled in the same way is one press, however often its button is pressed: it has one
// session and takes one place. Another answer in a field makes another press, and so
// does a token that is no token.

// pressField is the name of the hidden field of the token.
const pressField = "press"

// pressToken is a token as rand.Text draws it.
var pressToken = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// token is the one that was posted, so that a form that is shown again stays one
// press, or else a new one.
func (v *visit) token() string {
	if posted := v.http.PostFormValue(pressField); pressToken.MatchString(posted) {
		return posted
	}
	return rand.Text()
}

// press is what a posted form of a link is known by.
func (v *visit) press(l links.Link) idempotency.Record {
	_ = v.http.PostFormValue(pressField) // reads the form
	form := v.http.PostForm
	form.Set(pressField, v.token())
	digest := hex.EncodeToString(v.engine.Digest([]byte(form.Encode()), "hosted.press"))
	return idempotency.Record{
		Key:         idempotency.Key{Scope: l.Scope, Operation: "POST /pay/" + string(l.ID), Client: digest},
		Fingerprint: digest,
	}
}

// pressed returns the session of an earlier press, unless it ended unpaid: then the payer
// needs a new one.
func pressed(ctx context.Context, tx store.Tx, r idempotency.Record) (checkout.Session, bool, error) {
	state, err := checkout.StateIn(ctx, tx, r.Key.Scope, checkout.Ref{Reference: r.Resource})
	return state.Session, state.Status == checkout.Pending || state.Status == checkout.Completed, err
}

// earlier returns the session of an earlier press, before anything is asked of a link
// that may be full by now.
func (v *visit) earlier(ctx context.Context, press idempotency.Record) (found checkout.Session, ok bool, err error) {
	err = v.engine.Units(press.Key.Scope.Env).Read(ctx, func(ctx context.Context, tx store.Tx) error {
		known, err := tx.Idempotency().Record(ctx, press.Key)
		if errors.Is(err, idempotency.ErrUnknown) {
			return nil
		}
		if err == nil {
			found, ok, err = pressed(ctx, tx, known)
		}
		return err
	})
	return found, ok, err
}

// payOnce makes the session of a press, or finds that of a twin which was faster.
func (v *visit) payOnce(ctx context.Context, press idempotency.Record, ready checkout.PreparedLink) (checkout.Session, error) {
	pay := func(ctx context.Context, tx store.Tx) (checkout.Session, error) {
		known, err := idempotency.Begin(ctx, tx.Idempotency(), tx.Now(), tx.Now(), press)
		if err != nil {
			return checkout.Session{}, err
		}
		if known != nil {
			if found, ok, err := pressed(ctx, tx, *known); ok || err != nil {
				return found, err
			}
		}
		made, err := v.engine.Checkout.PayLinkIn(ctx, tx, ready)
		if err != nil {
			return checkout.Session{}, err
		}
		if known == nil {
			_, err = idempotency.Finish(ctx, tx.Idempotency(), press.Key, string(made.Session.ID), http.StatusSeeOther, nil)
			return made.Session, err
		}
		known.Resource = string(made.Session.ID)
		return made.Session, tx.Idempotency().Update(ctx, *known)
	}
	found, err := ferry.InUnit(ctx, v.engine.Units(press.Key.Scope.Env), pay)
	if errors.Is(err, idempotency.ErrTaken) {
		return ferry.InUnit(ctx, v.engine.Units(press.Key.Scope.Env), pay) // it is known now
	}
	return found, err
}
