package customers

import (
	"time"

	"github.com/ferrypay/ferry"
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
}

// RateKey is what initiations are counted by: a customer, a number, or an API key.
type RateKey string

func customerKey(id ID) RateKey { return RateKey("customer/" + string(id)) }

func apiKey(key string) RateKey { return RateKey("key/" + key) }

func numberKey(t kyc.Type, digest string) RateKey {
	return RateKey("number/" + string(t) + "/" + digest)
}

// InitiationLog is the recent initiations under one key. It is one row, so that the
// limit and the newest initiation are decided from a key.
type InitiationLog struct {
	Scope   ferry.Scope
	RateKey RateKey
	// Initiations are oldest first. The newest always stays; others go when they no longer
	// count.
	Initiations []Initiation
	Version     int64
}

// Initiation is one initiation in a log.
type Initiation struct {
	Identity IdentityID
	// Customer is the customer of the initiation, or empty.
	Customer ID
	At       time.Time
}
