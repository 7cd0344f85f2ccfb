package hosted

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/store"
)

// payLink makes a session for what was filled in, once, and leads to its page.
func (p *pages) payLink(v *visit, w http.ResponseWriter) error {
	l, b, err := v.readLink()
	if err != nil {
		return err
	}
	if !v.embeds(b) {
		v.apologize(w, http.StatusForbidden, "framed")
		return nil
	}
	op := p.engine.Checkout.PayLinkOp(l, v.payer(l))
	pressed, err := json.Marshal(op.Params)
	if err != nil {
		return err
	}
	done, err := v.leadToOrder(w, l, b, v.token()+string(pressed), op)
	if done {
		return err
	}
	refused, ok := errors.AsType[*ferry.Error](err)
	if !ok || refused.Kind != ferry.Invalid {
		return err
	}
	return v.show(w, http.StatusBadRequest, "link", v.linkPage(l, b, refused))
}

// leadToOrder makes the session of a press and leads to its page, or says why the link takes
// no payments. Of another error it reports that it is not done.
func (v *visit) leadToOrder(w http.ResponseWriter, l links.Link, b business.Business, press string, op orderOp) (done bool, err error) {
	made, err := v.payFor(l, press, op)
	switch {
	case err == nil:
		v.lead(w, made.ID, nil)
		return true, nil
	case errors.Is(err, links.ErrLimitReached):
		return true, v.soldOut(w, l, b)
	case errors.Is(err, links.ErrNotActive):
		return true, v.closed(w, l, b, closedWhy(l))
	case errors.Is(err, ferry.ErrNoProvider):
		return true, v.closed(w, l, b, unserved)
	}
	return false, err
}

// orderOp makes a session of a link.
type orderOp = ferry.Operation[checkout.Tx, checkout.Created]

// payFor makes the session of a press, or finds it. When an earlier press made one that
// ended unpaid, the payer needs a new one: its key is made of the former key and session.
func (v *visit) payFor(l links.Link, press string, op orderOp) (checkout.Session, error) {
	for key := press; ; {
		digest := hex.EncodeToString(v.engine.Digest([]byte(key), "hosted.press"))
		paid, err := v.payOnce(l, digest, op)
		if err != nil {
			return checkout.Session{}, err
		}
		if open, err := v.openOrPaid(paid); err != nil || open {
			return paid, err
		}
		key = digest + string(paid.ID)
	}
}

// payOnce makes the session of a key. It takes a place of the network for it when the key
// has none yet. A bank that opens no account now is asked again on the session's page.
func (v *visit) payOnce(l links.Link, key string, op orderOp) (checkout.Session, error) {
	var settle func(checkout.ID)
	begin := op.Begin
	op.Begin = func() ferry.Steps[checkout.Tx, checkout.Created] {
		steps := begin()
		prepare := steps.Prepare
		steps.Prepare = func(ctx context.Context, resource string) (err error) {
			if settle == nil {
				if settle, err = v.room(l); err != nil {
					return err
				}
			}
			return prepare(ctx, resource)
		}
		return steps
	}
	made, err := engine.Do(v.http.Context(), v.engine, key, op)
	if settle != nil {
		settle(made.Session.ID)
	}
	if made.Session.ID != "" && ferry.KindOf(err) == ferry.Unavailable {
		err = nil
	}
	return made.Session, err
}

// openOrPaid reports whether a session has not ended unpaid.
func (v *visit) openOrPaid(s checkout.Session) (bool, error) {
	state, err := ferry.InRead(v.http.Context(), v.engine.Units(s.Scope.Env), func(ctx context.Context, tx store.Tx) (checkout.State, error) {
		return checkout.StateIn(ctx, tx, s.Scope, s.Ref())
	})
	return state.Status == checkout.Pending || state.Status == checkout.Completed, err
}

// payer is what was filled in.
func (v *visit) payer(l links.Link) checkout.PayParams {
	params := checkout.PayParams{
		Email: v.http.PostFormValue("email"), Name: v.http.PostFormValue("name"), Phone: v.http.PostFormValue("phone"),
		Fields: map[string]string{}, Pages: v.baseURL(),
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
