package text

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Search returns what somebody looks for in the form in which Searchable has it,
// without the space around it.
func Search(part string) string { return Searchable(strings.TrimSpace(part)) }

// Searchable returns texts as the one in which a search looks for a part: composed,
// in one letter case, one a line. Of texts in ASCII it is their lower case.
func Searchable(texts ...string) string {
	return norm.NFC.String(strings.Map(fold, norm.NFC.String(strings.Join(texts, "\n"))))
}

// Folded is Searchable of texts that have other letters than those of ASCII. Of others it
// reports false: their lower case says the same.
func Folded(texts ...string) (folded string, some bool) {
	if slices.IndexFunc(texts, func(s string) bool { return !IsASCII(s) }) < 0 {
		return "", false
	}
	return Searchable(texts...), true
}

// fold returns the one letter by which all cases of a letter are searched: the lower
// case of the first that Unicode has of them.
func fold(r rune) rune {
	first := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		first = min(first, other)
	}
	return unicode.ToLower(first)
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
