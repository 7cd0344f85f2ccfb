// Package check holds the limits that wallets and transfers have in common.
package check

import (
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// Of what references are made, and how long they may be (docs/api.md, "Limits").
const (
	referenceLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	maxReference     = 100
)

// Reference refuses a reference of another form; an empty one is none.
func Reference(given string, p *ferry.Problems) {
	if len(given) > maxReference || strings.Trim(given, referenceLetters) != "" {
		p.Add("reference", "Must be 1 to 100 letters, digits, hyphens or underscores")
	}
}

// Line refuses what is no line of text. Kept is what text.Clean returns.
func Line(field, given string, limit int, p *ferry.Problems) {
	_, problem := text.Line(given, 0, limit)
	p.Note(field, problem)
}
