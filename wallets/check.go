package wallets

import (
	"regexp"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

const (
	// MaxLabel is the greatest length of a label, in code points.
	MaxLabel = 100
	// MaxMemo is the greatest length of a memo, in code points.
	MaxMemo = 200
)

// referencePattern is the form of references (docs/api.md, "Limits").
var referencePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

func checkReference(reference string, p *ferry.Problems) {
	if reference != "" && !referencePattern.MatchString(reference) {
		p.Add("reference", "Must be 1 to 100 letters, digits, hyphens or underscores")
	}
}

func checkLabel(label string, p *ferry.Problems) {
	checkText("label", label, MaxLabel, p)
}

// checkText refuses what is no line of text. Kept is what text.Clean returns.
func checkText(field, given string, limit int, p *ferry.Problems) {
	if _, problem := text.Line(given, 0, limit); problem != "" {
		p.Add(field, problem)
	}
}

// checkPlace refuses another network or asset than ours; empty means ours.
func checkPlace(network, asset string) error {
	if network != "" && !strings.EqualFold(network, Network) {
		return ErrInvalidNetwork
	}
	if asset != "" && !strings.EqualFold(asset, Asset.String()) {
		return ErrInvalidAsset
	}
	return nil
}
