package inspect

import (
	"time"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// finding is something that an audit found.
type finding struct {
	Check   string `json:"check"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// account is an account of the books. One that is not counted has no balance of its own.
type account struct {
	ID        ledger.AccountID `json:"id"`
	Business  string           `json:"business_id,omitempty"`
	Asset     string           `json:"asset"`
	Control   ledger.AccountID `json:"control,omitempty"`
	Uncounted bool             `json:"uncounted,omitempty"`
	Posted    money.Amount     `json:"posted"`
	Reserved  money.Amount     `json:"reserved"`
}

// leg is one side of a posting.
type leg struct {
	Posting      ledger.PostingID `json:"posting"`
	Leg          int              `json:"leg"`
	Account      ledger.AccountID `json:"account"`
	Amount       money.Amount     `json:"amount"`
	BalanceAfter money.Amount     `json:"balance_after"`
	Control      ledger.AccountID `json:"control,omitempty"`
	Kind         string           `json:"kind"`
	Ref          string           `json:"ref"`
	At           time.Time        `json:"at"`
}

func viewFindings(all []ledger.Finding) (views []finding) {
	for _, f := range all {
		views = append(views, finding{f.Check, f.Subject, f.Text})
	}
	return views
}

func viewAccounts(all []ledger.Account) (views []account) {
	for _, a := range all {
		views = append(views, account{a.ID, string(a.Scope.Business), a.Asset.String(), a.Control, a.Uncounted, a.Posted, a.Reserved})
	}
	return views
}

func viewLegs(all []ledger.Entry) (views []leg) {
	for _, e := range all {
		views = append(views, leg{e.ID.Posting, e.ID.Leg, e.Account, e.Amount, e.BalanceAfter, e.Control, e.Kind, e.Ref, e.At})
	}
	return views
}
