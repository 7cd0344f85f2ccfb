// Package check holds the limits that wallets and transfers have in common.
package check

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// Reference refuses a reference of another form; an empty one is none.
func Reference(given string, p *ferry.Problems) {
	if given != "" {
		p.Note("reference", text.Reference(given))
	}
}

// Line refuses what is no line of text. Kept is what text.Clean returns.
func Line(field, given string, limit int, p *ferry.Problems) {
	_, problem := text.Line(given, 0, limit)
	p.Note(field, problem)
}
