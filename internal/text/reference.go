package text

import "strings"

// Of what references are made, and how long they may be (docs/api.md, "Limits").
const (
	referenceLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	maxReference     = 100
)

// Reference returns the problem of a text that cannot be a reference, or "".
func Reference(given string) (problem string) {
	if given == "" || len(given) > maxReference || strings.Trim(given, referenceLetters) != "" {
		return "Must be 1 to 100 letters, digits, hyphens or underscores"
	}
	return ""
}
