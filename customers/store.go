package customers

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/webhook"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
	Outbox() webhook.Outbox
	Leases() lease.Store
	Idempotency() idempotency.Store
}

// Subject is what initiations are remembered by: a customer, a number, or an API key.
type Subject string

func customerSubject(id ID) Subject { return Subject("customer/" + string(id)) }

func keySubject(key string) Subject { return Subject("key/" + key) }

func numberSubject(t kyc.Type, digest string) Subject {
	return Subject("number/" + string(t) + "/" + digest)
}

// Trail is the recent initiations of one subject. It is one row, so that the
// limit and the newest initiation are decided from a key.
type Trail struct {
	Scope   ferry.Scope
	Subject Subject
	// Marks are oldest first. The newest always stays; others go when they no longer
	// count.
	Marks   []Mark
	Version int64
}

// Mark is one initiation in a trail.
type Mark struct {
	Identity IdentityID
	// Customer is the customer of the initiation, or empty.
	Customer ID
	At       time.Time
}
