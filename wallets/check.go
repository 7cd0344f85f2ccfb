package wallets

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ferrypay/ferry"
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

func checkText(field, text string, limit int, p *ferry.Problems) {
	switch {
	case utf8.RuneCountInString(text) > limit:
		p.Add(field, fmt.Sprintf("Must be at most %d characters", limit))
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unprintable):
		p.Add(field, "Must not contain control characters")
	}
}

func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

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
