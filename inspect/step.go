package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Step is one call of the API.
type Step struct {
	Method string `json:"method"`
	// Path is path and query.
	Path string `json:"path"`
	// Body is JSON, or empty.
	Body string `json:"body,omitempty"`
}

// step is a POST of a value.
func step(path string, body any) Step {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // a map of texts and numbers
	}
	return Step{http.MethodPost, path, string(text)}
}

// methods are those of the API.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete}

// check says what is wrong with a step that a browser sent, or nothing.
func (s Step) check() string {
	switch {
	case !slices.Contains(methods, s.Method):
		return "method must be one of " + strings.Join(methods, ", ")
	case !strings.HasPrefix(s.Path, "/v1/"):
		return "path must begin with /v1/"
	case s.Body != "" && !json.Valid([]byte(s.Body)):
		return "body must be JSON"
	}
	return ""
}

// Curl is the step for a shell with the variables that ferry dev prints.
func (s Step) Curl() string {
	text := "curl -sS " + inShell(s.Path) + ` -H "Authorization: Bearer $FERRY_KEY"`
	if s.Method != http.MethodGet {
		text = strings.Replace(text, "curl -sS", "curl -sS -X "+s.Method, 1)
	}
	if s.Body != "" {
		text += ` -H 'Content-Type: application/json' -d ` + inQuotes(s.Body)
	}
	return text
}

// plainPath is a path and query in which a shell finds nothing to do.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9/._~%?&=,:@+-]*$`)

// inShell is the URL of a path as a shell takes it. A path is what somebody asked for, so it may have
// commands of a shell in it.
func inShell(path string) string {
	if plainPath.MatchString(path) {
		return `"$FERRY_URL` + path + `"`
	}
	return `"$FERRY_URL"` + inQuotes(path)
}

// inQuotes is a text of which a shell reads nothing.
func inQuotes(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Go is the step as a statement of a test with a ferrytest.Fake named fake, which has a public key of its own
// in place of the given one.
func (s Step) Go(publicKey string) string {
	literal := func(text string) string { return withPublicKey(text, publicKey) }
	if text, short := s.short(literal); short {
		return text
	}
	return s.call(literal)
}

// withPublicKey is a text as a Go expression, in which a public key is that of the fake.
func withPublicKey(text, publicKey string) string {
	before, after, found := strings.Cut(text, publicKey)
	if publicKey == "" || !found {
		return quoted(text)
	}
	parts := []string{"fake.PublicKey"}
	if before != "" {
		parts = slices.Insert(parts, 0, quoted(before))
	}
	if after != "" {
		parts = append(parts, withPublicKey(after, publicKey))
	}
	return strings.Join(parts, " + ")
}

// call is the step as a call of the function of recorded tests.
func (s Step) call(literal func(string) string) string {
	return fmt.Sprintf("call(t, fake, %q, %s, %s)", s.Method, literal(s.Path), literal(s.Body))
}

// short is the step as a method of the fake, if it has one for it.
func (s Step) short(literal func(string) string) (text string, short bool) {
	var b map[string]any
	decoder := json.NewDecoder(strings.NewReader(s.Body))
	decoder.UseNumber()
	_ = decoder.Decode(&b) // no body has no members
	has := func(names ...string) bool {
		for name := range b {
			if !slices.Contains(names, name) {
				return false
			}
		}
		return s.Method == http.MethodPost
	}
	switch name, _ := strings.CutPrefix(s.Path, "/v1/test_helpers/"); {
	case name == "deposits" && has("address", "amount"):
		return fmt.Sprintf("fake.Deposit(%s, %q)", literal(word(b, "address")), word(b, "amount")), true
	case name == "bank_credits" && has("account_number", "amount"):
		return fmt.Sprintf("fake.Credit(%s, %q)", literal(word(b, "account_number")), word(b, "amount")), true
	case name == "clock/advance" && has("seconds") && isCount(word(b, "seconds")):
		return fmt.Sprintf("fake.Advance(%s * time.Second)", word(b, "seconds")), true
	case name == "faults" && has("target", "kind", "count") && isCount(cmp.Or(word(b, "count"), "1")):
		return fmt.Sprintf("fake.Inject(%q, %q, %s)", word(b, "target"), word(b, "kind"), cmp.Or(word(b, "count"), "1")), true
	case name == "drain":
		return "fake.Drain()", true
	case name == "reset":
		return "fake.Reset()", true
	}
	return "", false
}

// isCount reports whether a text is digits, and so the same number in Go. It has to be: the text stands
// outside of quotes.
func isCount(text string) bool {
	_, err := strconv.ParseUint(text, 10, 31)
	return err == nil
}

// quoted is a text as a Go literal: raw where that can be, and all that it has can be seen.
func quoted(text string) string {
	unseen := func(r rune) bool {
		return r == '`' || r == utf8.RuneError || r != '\n' && r != '\t' && !strconv.IsPrint(r)
	}
	if text != "" && !strings.ContainsFunc(text, unseen) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// Act is something that can be done, in one step or several.
type Act struct {
	Name    string `json:"name"`
	Primary bool   `json:"primary,omitempty"`
	Steps   []Step `json:"steps"`
}

// act is an act of some steps.
func act(name string, steps ...Step) Act { return Act{Name: name, Steps: steps} }

// JSON is the steps for a form.
func (a Act) JSON() (string, error) {
	text, err := json.Marshal(a.Steps)
	return string(text), err
}

// Curl is every step for a shell.
func (a Act) Curl() string { return a.lines(Step.Curl) }

// Go is every step for a test, whose fake has a public key of its own in place of the given one.
func (a Act) Go(publicKey string) string {
	return a.lines(func(s Step) string { return s.Go(publicKey) })
}

func (a Act) lines(of func(Step) string) string {
	lines := make([]string, len(a.Steps))
	for i, s := range a.Steps {
		lines[i] = of(s)
	}
	return strings.Join(lines, "\n")
}
