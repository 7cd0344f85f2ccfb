package inspect

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/format"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// recordedTest is a recorded test, but for the calls.
//
//go:embed recorded_test.go.txt
var recordedTest string

// generator writes recorded calls as a Go test that makes them again, and gets the same statuses. What
// an earlier answer said, such as an id, is taken from the answer that the test gets.
type generator struct {
	calls []Exchange
	// known are texts that only the server can have chosen, and expressions of the test that have them.
	known map[string]source
	// used are calls whose answers later ones need.
	used map[int]bool
	// isInbox reports whether a URL is that of an inbox of the recorded sandbox, which the fake does not have.
	isInbox func(url string) bool
}

// source is where a text comes from in the test: the answer of a call, or what the test has from the
// beginning (-1).
type source struct {
	call       int
	expression string
}

func newGenerator(calls []Exchange, publicKey string, isInbox func(string) bool) *generator {
	g := &generator{calls, map[string]source{publicKey: {-1, "fake.PublicKey"}}, map[int]bool{}, isInbox}
	for n, e := range calls {
		var said any
		if json.Unmarshal(e.answer.text, &said) == nil {
			g.learn(n, said, nil)
		}
	}
	return g
}

// chosenMembers are members, besides ids, whose values the server chooses.
var chosenMembers = []string{"account_number", "address", "deposit_address", "primary_address", "source_account_number", "event_id", "session_id", "SOLANA"}

// foreignMembers are members whose account numbers and addresses are those of somebody outside.
var foreignMembers = []string{"sender", "beneficiary", "destination", "destinations", "recipient"}

// typed reports whether the client has sent a text, in the request of a call or before.
func (g *generator) typed(call int, text string) bool {
	return slices.ContainsFunc(g.calls[:call+1], func(e Exchange) bool {
		return strings.Contains(e.rawURL, text) || strings.Contains(string(e.sent.text), text)
	})
}

// learn notes each text of an answer that only the server can have chosen: an identifier, an account
// number, an address. What the client has sent before is no such text.
func (g *generator) learn(call int, v any, path []string) {
	switch at := v.(type) {
	case map[string]any:
		for name, member := range at {
			if slices.Contains(foreignMembers, name) {
				continue
			}
			g.learn(call, member, append(slices.Clone(path), name))
		}
	case []any:
		if len(at) > 0 { // text of the test takes the first
			g.learn(call, at[0], path)
		}
	case string:
		_, known := g.known[at]
		if !known && len(path) > 0 && (looksLikeID(at) || len(at) >= 10 && slices.Contains(chosenMembers, path[len(path)-1])) && !g.typed(call, at) {
			quotedPath := make([]string, len(path))
			for i, name := range path {
				quotedPath[i] = strconv.Quote(name)
			}
			g.known[at] = source{call, fmt.Sprintf("a%d.text(%s)", call+1, strings.Join(quotedPath, ", "))}
		}
	}
}

// test is the source of the test.
func (g *generator) test() (string, error) {
	statements := make([]string, 0, len(g.calls))
	for n := len(g.calls) - 1; n >= 0; n-- { // so that it is known which answers are needed
		if g.calls[n].Method != http.MethodGet || g.used[n] {
			statements = append(statements, g.statement(n))
		}
	}
	slices.Reverse(statements)
	text := recordedTest
	if !slices.ContainsFunc(statements, func(s string) bool { return !strings.HasPrefix(s, "//") }) {
		text = strings.Replace(text, "fake := ", "", 1)
	}
	if !slices.ContainsFunc(statements, func(s string) bool { return strings.HasPrefix(s, "fake.Advance(") }) {
		text = strings.Replace(text, "\t\"time\"\n", "", 1)
	}
	text = strings.Replace(text, "// CALLS", strings.Join(statements, "\n\t"), 1)
	source, err := format.Source([]byte(text))
	return string(source), err
}

// statement is a call in Go.
func (g *generator) statement(n int) string {
	e := g.calls[n]
	if g.setsInbox(e) {
		return "// The webhook URL of the recording is left out: it was the inbox of that sandbox. Set one of your own."
	}
	s := Step{e.Method, e.rawURL, string(e.sent.text)}
	literal := func(text string) string { return g.literal(n, text) }
	if text, short := s.short(literal); short && !g.used[n] && e.Status < 400 {
		return text
	}
	text := s.call(literal) + fmt.Sprintf(".is(%d)", e.Status)
	if g.used[n] {
		text = fmt.Sprintf("a%d := %s", n+1, text)
	}
	return text
}

// setsInbox reports whether a call has events sent to an inbox of the recorded sandbox.
func (g *generator) setsInbox(e Exchange) bool {
	var sent struct {
		URL string `json:"url"`
	}
	return strings.HasPrefix(e.rawURL, "/v1/webhook/") && json.Unmarshal(e.sent.text, &sent) == nil && g.isInbox(sent.URL)
}

// literal is a text of a call as a Go expression, in which known texts come from where the test has
// them.
func (g *generator) literal(n int, text string) string {
	for known, from := range g.known {
		before, after, found := strings.Cut(text, known)
		if !found || known == "" || from.call >= n {
			continue
		}
		g.used[from.call] = true
		var parts []string
		for _, part := range []string{before, known, after} {
			switch part {
			case "":
			case known:
				parts = append(parts, from.expression)
			default:
				parts = append(parts, g.literal(n, part))
			}
		}
		return strings.Join(parts, " + ")
	}
	return quoted(text)
}
