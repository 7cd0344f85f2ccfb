package text

import (
	"regexp"
	"strings"
)

const maxEmail = 254

const emailLabel = `[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?`

var emailPattern = regexp.MustCompile(`^[a-z0-9!#$%&'*+/=?^_{|}~` + "`" + `-]+(?:\.[a-z0-9!#$%&'*+/=?^_{|}~` + "`" + `-]+)*@(?:` + emailLabel + `\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`)

// Email returns an email address in the form in which it is kept and compared: in
// lower case. It reports whether it has the form of one.
func Email(email string) (folded string, ok bool) {
	folded = strings.ToLower(Clean(email))
	return folded, len(folded) <= maxEmail && emailPattern.MatchString(folded)
}
