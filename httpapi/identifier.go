package httpapi

import (
	"cmp"

	"github.com/ferrypay/ferry"
)

// sameID returns the one identifier with a prefix that all given texts name, in
// either form. Empty texts name nothing. It reports false when none is given,
// one is no such identifier, or two differ.
func sameID(prefix string, given ...string) (string, bool) {
	same := ""
	for _, text := range given {
		if text == "" {
			continue
		}
		id, ok := ferry.CanonicalID(prefix, text)
		if !ok || same != "" && id != same {
			return "", false
		}
		same = id
	}
	return same, same != ""
}

// optionalID is sameID, but that texts which are all empty are no mistake: they name nothing.
func optionalID(prefix string, given ...string) (id string, ok bool) {
	if cmp.Or(given...) == "" {
		return "", true
	}
	return sameID(prefix, given...)
}

// mustHave notes that a field is missing.
func mustHave(p *ferry.Problems, field, value string) {
	if value == "" {
		p.Add(field, missing)
	}
}
