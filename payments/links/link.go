package links

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
)

// ID names a link: plink_ and 32 hexadecimal digits.
type ID string

// Prefix begins the id of a link.
const Prefix = "plink_"

// Link is a page at which anybody may pay.
type Link struct {
	ID    ID
	Scope ferry.Scope
	// Policy is the dialect under which it was made; it decides which moves
	// there are.
	Policy business.Dialect
	Type   Type
	Status Status
	Title  string
	// Description may be empty.
	Description string
	// Amount is what is to be paid. When the payer says, it is a suggestion, or nothing of
	// its asset.
	Amount money.Amount
	// Slug is its place on the web, unique on the server in any letter case.
	Slug string
	// QuantityLimit is how many payments it takes; 0 is any number.
	QuantityLimit int64
	// Fields are the labels of what payers are asked for.
	Fields []string
	// ExpiresAt is when it ends, or zero.
	ExpiresAt             time.Time
	SuccessURL, CancelURL string
	Metadata              ferry.Metadata
	DisabledAt            time.Time
	CreatedAt             time.Time
	UpdatedAt             time.Time
	Version               int64
}

// Type says who names the amount.
type Type string

const (
	// Fixed: the link.
	Fixed Type = "fixed"
	// Open: the payer.
	Open Type = "open"
)

// Status is where a link stands.
type Status string

const (
	// Pending: made under policy B and not opened yet. The business moves it on.
	Pending Status = "pending"
	// Active: takes payments. The business, time, or the last payment moves it on.
	Active Status = "active"
	// Inactive: takes none for now. The business moves it on.
	Inactive Status = "inactive"
	// Disabled: takes no payments, under policy A. Final.
	Disabled Status = "disabled"
	// Ended: its time is over. Final.
	Ended Status = "expired"
	// Completed: as many payments as it takes succeeded, under policy A. Final.
	Completed Status = "completed"
)

// cause is what moves a link.
type cause string

const (
	// causeActivated opens it.
	causeActivated cause = "activated"
	// causeDeactivated closes it for now.
	causeDeactivated cause = "deactivated"
	// causeDisabled closes it for ever.
	causeDisabled cause = "disabled"
	// causeExpired ends it, by the business or because its time is up.
	causeExpired cause = "expired"
	// causeCompleted: the last payment that it takes succeeded.
	causeCompleted cause = "completed"
)

// LifecycleA is docs/api.md, "Payment link status", of policy A.
var LifecycleA = ferry.Lifecycle[Status, cause]{
	Name:    "payment link",
	Initial: Active,
	Edges: []ferry.Edge[Status, cause]{
		{From: Active, On: causeDisabled, To: Disabled},
		{From: Active, On: causeExpired, To: Ended},
		{From: Active, On: causeCompleted, To: Completed},
	},
}

// LifecycleB is docs/api.md, "Payment link status", of policy B.
var LifecycleB = ferry.Lifecycle[Status, cause]{
	Name:    "payment link",
	Initial: Pending,
	Edges: []ferry.Edge[Status, cause]{
		{From: Pending, On: causeActivated, To: Active},
		{From: Pending, On: causeDeactivated, To: Inactive},
		{From: Active, On: causeDeactivated, To: Inactive},
		{From: Inactive, On: causeActivated, To: Active},
		{From: Pending, On: causeExpired, To: Ended},
		{From: Active, On: causeExpired, To: Ended},
		{From: Inactive, On: causeExpired, To: Ended},
	},
}

// lifecycle is that of the link's policy.
func (l Link) lifecycle() ferry.Lifecycle[Status, cause] {
	if l.Policy == business.DialectA {
		return LifecycleA
	}
	return LifecycleB
}

// At returns the link as it stands at an instant: what has run out by then has
// expired, whether or not the worker has been there.
func (l Link) At(now time.Time) Link {
	if l.ExpiresAt.IsZero() || now.Before(l.ExpiresAt) {
		return l
	}
	if edge, err := l.lifecycle().Next(l.Status, causeExpired); err == nil {
		l.Status = edge.To
	}
	return l
}

// Seen is the status as a dialect names it.
func (l Link) Seen(as business.Dialect) Status {
	switch {
	case as == business.DialectA && (l.Status == Inactive || l.Status == Pending):
		return Disabled
	case as == business.DialectB && (l.Status == Disabled || l.Status == Completed):
		return Inactive
	}
	return l.Status
}

// seenAs lists the statuses that a dialect names so.
var seenAs = map[business.Dialect]map[Status][]Status{
	business.DialectA: {Disabled: {Disabled, Inactive, Pending}},
	business.DialectB: {Inactive: {Inactive, Disabled, Completed}},
}

// Tally counts the payments of a link.
type Tally struct {
	Link  ID
	Scope ferry.Scope
	// Taken counts the places in use: by payments that did succeed, and, of a
	// link that has a limit, by those that still may.
	Taken int64
	// Paid counts successful payments, and Total sums them.
	Paid    int64
	Total   money.Amount
	Version int64
}

// Details is a link with what was paid through it.
type Details struct {
	Link
	Paid  int64
	Total money.Amount
}

// Filter keeps links; the zero value keeps all.
type Filter struct {
	// Status is as the dialect As names it, or empty.
	Status Status
	As     business.Dialect
	Asset  money.Asset
	// Slug is compared in any letter case.
	Slug string
	// Search keeps links whose title, description or slug contains it, in any case.
	Search string
	Range  ferry.Range
}

// statuses are those that the filter keeps, or none for all.
func (f Filter) statuses() []Status {
	if f.Status == "" {
		return nil
	}
	if all := seenAs[f.As][f.Status]; all != nil {
		return all
	}
	return []Status{f.Status}
}
