package hosted

import (
	"crypto/hmac"
	"encoding/hex"
	"net/http"
	"net/url"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
)

// A page that was found by the name of an order shows less: a trx_id can be guessed, and
// anybody has the public key. It has amount, status and how to pay, and neither who pays,
// nor a receipt, nor a way to give up; and it says nothing that leads to the page of the
// session itself.

// foundPath is where a page that was found goes on, with a proof that it was.
const foundPath = "/checkout/found"

// findCheckout shows the page of an order that came with a public key, by its trx_id and
// that key.
func (p *pages) findCheckout(v *visit, w http.ResponseWriter) error {
	state, err := v.lookUp()
	if err != nil {
		return v.frameable(w, subject{}, err)
	}
	v.found = url.Values{"proof": {v.proof(state.ID)}}
	for _, name := range []string{"trx_id", "public_key"} {
		v.found.Set(name, v.http.URL.Query().Get(name))
	}
	s, err := v.subject(state)
	return v.frameable(w, s, err)
}

// again serves a page that was found before. Its requests do not count as look-ups: they
// carry what only a look-up can have shown.
func (p *pages) again(page func(*visit, http.ResponseWriter) error) func(*visit, http.ResponseWriter) error {
	return func(v *visit, w http.ResponseWriter) error {
		v.found = url.Values{}
		for _, name := range []string{"trx_id", "public_key", "proof"} {
			v.found.Set(name, v.http.URL.Query().Get(name))
		}
		return page(v, w)
	}
}

// lookUp finds the order that the address names.
func (v *visit) lookUp() (checkout.State, error) {
	query := v.http.URL.Query()
	key, err := v.engine.Businesses.Authenticate(v.http.Context(), query.Get("public_key"))
	if err != nil && ferry.KindOf(err) != ferry.Unauthenticated {
		return checkout.State{}, err
	}
	if err != nil || key.Type != business.PublicKey {
		return checkout.State{}, checkout.ErrNotFound
	}
	return v.engine.Checkout.Public(v.http.Context(), key.Scope, query.Get("trx_id"))
}

// readFound is lookUp for an address with a proof.
func (v *visit) readFound() (checkout.State, error) {
	state, err := v.lookUp()
	if err == nil && !hmac.Equal([]byte(v.found.Get("proof")), []byte(v.proof(state.ID))) {
		return checkout.State{}, checkout.ErrNotFound
	}
	return state, err
}

// proof is what only who has found a session knows of it.
func (v *visit) proof(id checkout.ID) string {
	return hex.EncodeToString(v.engine.Digest([]byte(id), "hosted.found")[:16])
}
