package text

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Search returns what somebody looks for in the form in which Searchable has it:
// cleaned, in lower case.
func Search(part string) string { return strings.ToLower(Clean(part)) }

// Searchable returns texts as the one in which a search looks for a part: composed,
// in lower case, one a line.
func Searchable(texts ...string) string {
	return strings.ToLower(norm.NFC.String(strings.Join(texts, "\n")))
}

// IsASCII reports whether text has no character outside of ASCII.
func IsASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
