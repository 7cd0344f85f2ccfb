package httpapi

import (
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
)

// fixedBusinessInput is what a change of a business may send back as it is shown, and
// cannot change (docs/api.md, "Business").
type fixedBusinessInput struct {
	ID             *string                `json:"id" doc:"As it is"`
	WebhookURL     *string                `json:"webhook_url" doc:"As it is; set by /v1/webhook/config"`
	SourceAccounts *[]sourceAccountView   `json:"source_accounts" doc:"As they are" eg:"-"`
	Fees           map[string]tariffInput `json:"fees" doc:"As they are" eg:"-"`
}

type tariffInput struct {
	Platform   ruleInput `json:"platform"`
	Processing ruleInput `json:"processing"`
}

type ruleInput struct {
	Percent strictjson.Literal  `json:"percent"`
	Flat    strictjson.Literal  `json:"flat"`
	Minimum strictjson.Literal  `json:"minimum"`
	Cap     *strictjson.Literal `json:"cap"`
}

// compared refuses what is not as the business shows it: silence would be a setting that
// was never made.
func (in fixedBusinessInput) compared(shown businessView) error {
	const fixed = "This field cannot be changed"
	var problems ferry.Problems
	if in.ID != nil && *in.ID != string(shown.ID) {
		problems.Add("id", fixed)
	}
	if in.WebhookURL != nil && *in.WebhookURL != string(shown.WebhookURL) {
		problems.Add("webhook_url", "Is set by POST /v1/webhook/config")
	}
	if in.SourceAccounts != nil && !slices.Equal(*in.SourceAccounts, shown.SourceAccounts) {
		problems.Add("source_accounts", fixed)
	}
	if in.Fees != nil && !sameTariffs(in.Fees, shown.Fees) {
		problems.Add("fees", fixed)
	}
	return problems.Err()
}

func sameTariffs(given map[string]tariffInput, shown map[string]tariffView) bool {
	for channel, view := range shown {
		of, ok := given[channel]
		if !ok || !of.Platform.is(view.Platform) || !of.Processing.is(view.Processing) {
			return false
		}
	}
	return len(given) == len(shown)
}

// is reports whether a rule is the one that is shown.
func (in ruleInput) is(shown ruleView) bool {
	same := sameDecimal(in.Percent, string(shown.Percent)) && sameDecimal(in.Flat, money.Amount(shown.Flat).Major()) &&
		sameDecimal(in.Minimum, money.Amount(shown.Minimum).Major())
	if in.Cap == nil || shown.Cap == nil {
		return same && in.Cap == nil && shown.Cap == nil
	}
	return same && sameDecimal(*in.Cap, money.Amount(*shown.Cap).Major())
}

// sameDecimal reports whether two decimals differ at most in zeros at their end: clients
// write what they read as 1.5000 in fewer digits.
func sameDecimal(given strictjson.Literal, shown string) bool {
	return shortest(string(given)) == shortest(shown)
}

func shortest(decimal string) string {
	if !strings.Contains(decimal, ".") {
		return decimal
	}
	return strings.TrimSuffix(strings.TrimRight(decimal, "0"), ".")
}
