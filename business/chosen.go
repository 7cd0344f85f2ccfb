package business

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ferrypay/ferry"
)

// GivenKeys are the first keys of a business where they are known beforehand; an
// empty one is made. They take a Service with ChosenKeys, and the test environment.
type GivenKeys struct{ Secret, Public, Widget string }

// chosenForm is the part of a chosen key behind its prefix.
var chosenForm = regexp.MustCompile(`^[A-Za-z0-9_-]{8,100}$`)

// checkGiven notes what is wrong with given keys, under the names that they have
// in answers.
func (s *Service) checkGiven(env ferry.Env, given GivenKeys, problems *ferry.Problems) {
	for _, k := range []struct {
		t    KeyType
		name string
		text string
	}{{SecretKey, "secret_key", given.Secret}, {PublicKey, "public_key", given.Public}, {WidgetKey, "widget_key", given.Widget}} {
		switch {
		case k.text == "":
		case !s.config.ChosenKeys || env != ferry.Test:
			problems.Add(k.name, "Keys can be chosen in a sandbox only")
		default:
			problems.Note(k.name, CheckChosenKey(k.t, k.text))
		}
	}
}

// CheckChosenKey says what is wrong with a text as a key of a type in the test
// environment, or nothing.
func CheckChosenKey(t KeyType, text string) string {
	prefix := keyPrefix(t, ferry.Test)
	if !strings.HasPrefix(text, prefix) || checkChosen(text) != "" {
		return fmt.Sprintf("Must be %s and 8 to 100 letters, digits, dashes or underscores", prefix)
	}
	return ""
}

// checkChosen says what is wrong with a text as a key of any type in the test
// environment, or nothing.
func checkChosen(text string) string {
	prefix, env, ok := splitKey(text)
	if !ok || env != ferry.Test || !chosenForm.MatchString(text[len(prefix):]) {
		return "is no key of the test environment"
	}
	return ""
}
