package outflow

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank/banks"
)

// Limit is what may leave in one asset. A zero amount is no limit. Amounts are what the
// receivers get, without fees.
type Limit struct {
	// Operation is the most of one operation. A bulk payout is one operation.
	Operation money.Amount
	// KeyDay is the most that one API key sends in a day, and BusinessDay the most that all
	// keys of the business send. Days are those of UTC.
	KeyDay, BusinessDay money.Amount
	// Approval is from which sum on an operation waits for a second key or person.
	Approval money.Amount
}

// Limits are those of each asset.
type Limits struct{ NGN, USDC Limit }

// of returns the limit of an asset.
func (l *Limits) of(asset money.Asset) *Limit {
	if asset == money.AssetUSDC {
		return &l.USDC
	}
	return &l.NGN
}

// Check adds what is wrong with the limits: amounts of another asset, below zero or above
// money.Ceiling. Prefix begins the names of the fields.
func (l Limits) Check(prefix string, problems *ferry.Problems) {
	for _, asset := range Assets {
		of := l.of(asset)
		for _, sum := range []struct {
			name   string
			amount money.Amount
		}{{"operation", of.Operation}, {"key_day", of.KeyDay}, {"business_day", of.BusinessDay}, {"approval", of.Approval}} {
			field := fmt.Sprintf("%s%s.%s", prefix, asset, sum.name)
			switch {
			case sum.amount != money.Amount{} && sum.amount.Asset() != asset:
				problems.Add(field, "Must be in "+asset.String())
			case sum.amount.Sign() < 0:
				problems.Add(field, "Must not be negative")
			case sum.amount.AboveCeiling():
				problems.Add(field, sum.amount.CeilingProblem())
			}
		}
	}
}

// Assets are the assets that have limits.
var Assets = []money.Asset{money.AssetNGN, money.AssetUSDC}

// Ceilings are the limits of the operator, for each environment. None is no limit.
type Ceilings map[ferry.Env]Limits

// Check adds what is wrong with the limits.
func (c Ceilings) Check(problems *ferry.Problems) {
	for _, env := range ferry.Envs() {
		c[env].Check("outflow."+string(env)+".", problems)
	}
}

// Destination is where money goes: an account at a bank, or an address on the chain.
type Destination struct {
	BankCode      string `json:"bank_code,omitempty"`
	AccountNumber string `json:"account_number,omitempty"`
	Address       string `json:"address,omitempty"`
}

// MaxDestinations is how many destinations a business lists at most.
const MaxDestinations = 500

var addressPattern = regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{32,44}$`)

// problem says what is wrong with a destination, or nothing.
func (d Destination) problem() string {
	switch {
	case d.Address != "" && d.BankCode+d.AccountNumber == "" && addressPattern.MatchString(d.Address):
	case d.Address == "" && banks.NumberProblem(d.AccountNumber) == "" && banks.Problem(d.BankCode) == "":
	default:
		return "Must have the bank_code of a bank and an account_number of 10 digits, or an address on the chain"
	}
	return ""
}

// listed is a destination under the one code by which its bank is listed.
func (d Destination) listed() Destination {
	if b, known := banks.Find(d.BankCode); known {
		d.BankCode = b.Code()
	}
	return d
}

// Rules are what a business allows itself.
type Rules struct {
	Scope  ferry.Scope
	Limits Limits
	// ApprovalHours is how long an operation waits for its approval before it is rejected. 0 is
	// DefaultApprovalHours.
	ApprovalHours int
	// AllowList says that only Destinations may be paid.
	AllowList    bool
	Destinations []Destination
	// ChangedBy is the API key that changed the rules last, and UpdatedAt is when. They are
	// empty while there are none.
	ChangedBy string
	UpdatedAt time.Time
	Version   int64
}

const (
	// DefaultApprovalHours is how long an operation waits for its approval.
	DefaultApprovalHours = 72
	// MaxApprovalHours is the longest that a business may have it wait.
	MaxApprovalHours = 720
)

// WaitHours is how many hours an operation waits for its approval.
func (r Rules) WaitHours() int { return cmp.Or(r.ApprovalHours, DefaultApprovalHours) }

func (r Rules) approvalWait() time.Duration { return time.Duration(r.WaitHours()) * time.Hour }

// Change changes rules; nil fields stay as they are.
type Change struct {
	// By is the API key that changes them, or empty.
	By        string
	NGN, USDC LimitChange
	// ApprovalHours is from 1 to MaxApprovalHours.
	ApprovalHours *int
	AllowList     *bool
	Destinations  *[]Destination
}

// LimitChange changes the limits of an asset; nil fields stay as they are.
type LimitChange struct{ Operation, KeyDay, BusinessDay, Approval *money.Amount }

func (c LimitChange) apply(to *Limit) {
	for _, one := range []struct {
		to *money.Amount
		is *money.Amount
	}{{&to.Operation, c.Operation}, {&to.KeyDay, c.KeyDay}, {&to.BusinessDay, c.BusinessDay}, {&to.Approval, c.Approval}} {
		if one.is != nil {
			*one.to = *one.is
		}
	}
}

// apply lays a change over rules, and notes what is refused.
func (c Change) apply(to *Rules, problems *ferry.Problems) {
	c.NGN.apply(&to.Limits.NGN)
	c.USDC.apply(&to.Limits.USDC)
	to.Limits.Check("limits.", problems)
	if hours := c.ApprovalHours; hours != nil {
		if *hours < 1 || *hours > MaxApprovalHours {
			problems.Add("approval_hours", fmt.Sprintf("Must be from 1 to %d", MaxApprovalHours))
		}
		to.ApprovalHours = *hours
	}
	if c.AllowList != nil {
		to.AllowList = *c.AllowList
	}
	if c.Destinations == nil {
		return
	}
	if len(*c.Destinations) > MaxDestinations {
		problems.Add("destinations", fmt.Sprintf("Must have at most %d destinations", MaxDestinations))
		return
	}
	to.Destinations = nil
	for i, d := range *c.Destinations {
		problems.Note(fmt.Sprintf("destinations.%d", i), d.problem())
		if d = d.listed(); !slices.Contains(to.Destinations, d) {
			to.Destinations = append(to.Destinations, d)
		}
	}
}
