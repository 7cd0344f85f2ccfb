package storetest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
)

// customer is the n-th customer of a scope, with no field empty.
func customer(scope ferry.Scope, n int) customers.Customer {
	return customers.Customer{
		ID: customers.ID(idOf("cus_", n)), Scope: scope, Type: customers.Individual,
		FirstName: "Ada", LastName: "Obi", BusinessName: "Obi Foods",
		Email: fmt.Sprintf("ada%d@example.com", n), Phone: fmt.Sprintf("+23480%08d", n),
		BVN:         customers.SealedNumber{Sealed: []byte{0, 1, 255}, Digest: "d1"},
		NIN:         customers.SealedNumber{Sealed: []byte{2}, Digest: "d2"},
		DateOfBirth: "1990-04-17", CACNumber: "RC1", TaxID: "T", Industry: "food",
		Contact: customers.ContactPerson{FirstName: "Bola", LastName: "Ade", Email: "bola@example.com", Phone: "+2348000000000"},
		Address: "12 Marina Road", City: "Lagos", State: "Lagos", Country: "NG",
		Metadata:     ferry.Metadata{"tier": "gold", "vip": true, "score": json.Number("12.50")},
		Status:       customers.PendingVerification,
		Verification: customers.Verification{Method: kyc.BVN, VerifiedAt: after(n), VerifiedName: "ADA OBI"},
		CreatedAt:    after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[customers.ID, customers.Customer]{
	kind: customers.CustomerKind, row: customer,
	change: func(c *customers.Customer) {
		c.Status, c.Verification.Method, c.Metadata = customers.Rejected, kyc.NIN, ferry.Metadata{"tier": "silver"}
	},
	vary: func(c *customers.Customer, n int) {
		if n%2 == 0 {
			c.Type, c.Status, c.BVN = customers.Company, customers.Verified, customers.SealedNumber{}
		}
		if n == 5 {
			c.NIN, c.Verification = customers.SealedNumber{}, customers.Verification{}
		}
	},
	made: []string{"email", "first_name"},
})

// identity is the n-th identity of a scope, with no field empty.
func identity(scope ferry.Scope, n int) customers.Identity {
	return customers.Identity{
		ID: customers.IdentityID(idOf("idn_", n)), Scope: scope, Type: kyc.NIN,
		Number:     customers.SealedNumber{Sealed: []byte{0, 1, 255}, Digest: "d1"},
		CustomerID: customer(scope, n).ID, Status: customers.IdentitySent, Challenge: "otp_1",
		ExpiresAt: after(n + 1), AskedUntil: after(n + 2),
		Attempts: []customers.Attempt{
			{Number: 1, At: after(n), OTP: "d3", Judged: true, Reason: customers.ReasonInvalidOTP},
			{Number: 3, At: after(n), OTP: "d4"},
		},
		VerifiedName: "ADA OBI", VerifiedAt: after(n), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[customers.IdentityID, customers.Identity]{
	kind: customers.IdentityKind, row: identity,
	change: func(i *customers.Identity) {
		i.Type, i.Status, i.Attempts = kyc.CAC, customers.IdentityVerified, i.Attempts[:1]
	},
	vary: func(i *customers.Identity, n int) {
		if n%2 == 0 {
			i.Type, i.CustomerID, i.VerifiedAt = kyc.BVN, "", time.Time{}
		}
	},
})

// initiations is the log of the n-th key of a scope, with no field empty.
func initiations(scope ferry.Scope, n int) customers.InitiationLog {
	return customers.InitiationLog{Scope: scope, RateKey: customers.RateKey(fmt.Sprintf("number/bvn/d%d", n)), Initiations: []customers.Initiation{
		{Identity: identity(scope, 1).ID, Customer: customer(scope, 1).ID, At: after(1)},
		{Identity: identity(scope, 2).ID, At: after(2)},
	}}
}

var _ = caseOf(kindCase[customers.RateKey, customers.InitiationLog]{
	kind: customers.InitiationLogKind, row: initiations,
	change: func(t *customers.InitiationLog) { t.Initiations = t.Initiations[1:] },
})
