// Package check holds the limits that wallets and transfers have in common.
package check

import (
	"regexp"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// reference is the form of references (docs/api.md, "Limits").
var reference = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// Reference refuses a reference of another form; an empty one is none.
func Reference(given string, p *ferry.Problems) {
	if given != "" && !reference.MatchString(given) {
		p.Add("reference", "Must be 1 to 100 letters, digits, hyphens or underscores")
	}
}

// Line refuses what is no line of text. Kept is what text.Clean returns.
func Line(field, given string, limit int, p *ferry.Problems) {
	_, problem := text.Line(given, 0, limit)
	p.Note(field, problem)
}
