package httpapi

import (
	"net/http"
	"strings"

	"github.com/ferrypay/ferry/business"
)

// describe says of a route what its row of the table knows, for the OpenAPI
// document.
func (r route) describe() string {
	said := []string{r.summary + ".", r.describeKey()}
	if r.writes() {
		said = append(said, "A repeated request with the same Idempotency-Key has no second effect.")
	}
	if r.secret {
		said = append(said, "What is shown once is left out of a repeated answer.")
	}
	if r.forms {
		said = append(said, "The body may be an HTML form as well.")
	}
	if r.sandbox {
		said = append(said, "It exists in the sandbox only, for test keys; elsewhere it is 404.")
	}
	if shape := r.shape(); r.method == http.MethodGet && shape.row != nil && shape.one != nil {
		said = append(said, "Without an identifier it answers a list.")
	}
	return strings.Join(said, " ")
}

func (r route) describeKey() string {
	switch {
	case r.place == inBody:
		return "It takes a " + string(r.key) + " key in the body."
	case r.place == bySession:
		return "It takes the token of a session in the header Authorization, and counts for pages of the session's origin."
	case r.place == optional:
		return "It needs no key; with one in the header, limits count by it."
	case r.key == business.SecretKey:
		return "It takes a secret key in the header Authorization."
	}
	return "It takes a " + string(r.key) + " key in the header Authorization."
}
