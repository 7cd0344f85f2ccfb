package httpapi

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
)

// bodyKey lets a body bring the idempotency key (docs/api.md, "Idempotency"). The input of a
// route embeds it.
type bodyKey struct {
	Client *string `json:"idempotency_key" doc:"As the header Idempotency-Key; when both are sent, they must agree" eg:"-"`
}

// claims makes the key of a body that of the call. It has no part in the fingerprint, so that
// the key may come either way.
func (k bodyKey) claims(c *call, p *ferry.Problems) {
	switch {
	case k.Client == nil && c.client == "":
	case k.Client == nil:
		c.body = c.body.Without("idempotency_key") // it may be null
	case !idempotency.ValidClientKey(*k.Client):
		p.Add("idempotency_key", "Must be 1 to 255 visible ASCII characters")
	case c.client != "" && c.client != *k.Client:
		p.Add("idempotency_key", "Must be the key of the header Idempotency-Key")
	default:
		c.client, c.body = *k.Client, c.body.Without("idempotency_key")
	}
}
