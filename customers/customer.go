// Package customers keeps the customers of a business and verifies who they are
// (docs/api.md, "Customers" and "Identity verification").
//
//	customer: pending_verification ──accepted──> verified
//	                 │       ^
//	              refused  retried
//	                 v       │
//	               rejected ─┘
//
//	identity: requested ──sent──> otp_sent ──accepted──> verified
//	              └──accepted──> verified       (CAC)
//	              └──refused───> rejected       (CAC)
//
// An identity is one initiation: a number whose owner gets a one-time password.
// Each validation is an attempt on it. Both are intent, call and outcome: a unit
// records what will be asked, the provider is asked outside any unit, and a
// second unit records what it said.
//
// What a program needs, on the service Engine.Customers:
//
//   - [Service.Create] and [Service.Update]: a [Customer]
//   - [Service.Customer], [Service.List] and [Service.All]: read them
//   - [Service.Initiate]: ask for a one-time password to the owner of a number
//   - [Service.Validate]: prove it; the [Outcome] has the identity
//   - [Verified] and [Rejected]: where a customer stands
//   - [ErrInvalidOTP] and [ErrNotFound]: errors to expect
//   - [EventVerified]: the type of the event; [VerifiedData] is its object
//
// Methods whose names end in Op return the same as an operation for engine.Do; those that end
// in In join the caller's unit of work. [Config], [Tx] and all that has to do with sealing
// is for the engine and the stores.
package customers

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
)

// ID names a customer, in the form cus_ and 32 hexadecimal digits.
type ID string

const idPrefix = "cus_"

// Type is the kind of a customer.
type Type string

const (
	// Individual is a person, known by first and last name, BVN and NIN.
	Individual Type = "individual"
	// Company is a business, known by its name and CAC number.
	Company Type = "business"
)

// Customer is a person or company that a business deals with.
type Customer struct {
	ID    ID
	Scope ferry.Scope
	Type  Type
	// FirstName and LastName belong to individuals, BusinessName to companies.
	FirstName, LastName string
	BusinessName        string
	// Email is in lower case and Phone has no separators: the forms in which
	// each is unique among the customers of a scope.
	Email string
	Phone string
	// BVN and NIN are the numbers of an individual; Masks shows them.
	BVN, NIN SealedNumber
	// DateOfBirth has the form YYYY-MM-DD, or is empty.
	DateOfBirth string
	// CACNumber is the registration number of a company: RC and digits.
	CACNumber       string
	TaxID, Industry string
	// Contact is the contact person of a company.
	Contact              ContactPerson
	Address, City, State string
	// Country is a two-letter code, or empty.
	Country  string
	Metadata ferry.Metadata
	Status   Status
	// Verification is set when Status is Verified.
	Verification Verification
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Version      int64
}

// ContactPerson is the contact person of a company. All fields are optional.
type ContactPerson struct {
	FirstName, LastName string
	Email, Phone        string
}

// Verification describes how a customer was verified.
type Verification struct {
	Method     kyc.Type
	VerifiedAt time.Time
	// VerifiedName is the name that the provider has on record.
	VerifiedName string
}

// Name is what to call the customer.
func (c Customer) Name() string {
	if c.Type == Company {
		return c.BusinessName
	}
	return c.FirstName + " " + c.LastName
}
