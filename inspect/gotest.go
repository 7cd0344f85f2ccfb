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
}

// source is where a text comes from in the test: the answer of a call, or what the test has from the
// beginning (-1).
type source struct {
	call       int
	expression string
}

func newGenerator(calls []Exchange, publicKey string) *generator {
	g := &generator{calls, map[string]source{publicKey: {-1, "fake.PublicKey"}}, map[int]bool{}}
	for n, e := range calls {
		var said any
		if json.Unmarshal(e.answer.text, &said) == nil {
			g.learn(n, said, nil)
		}
	}
	return g
}

// chosenMembers are members, besides ids, whose values the server chooses.
var chosenMembers = []string{"account_number", "address", "deposit_address", "primary_address", "source_account_number", "event_id", "session_id"}

// learn notes each text of an answer that only the server can have chosen: an identifier, an account
// number, an address.
func (g *generator) learn(call int, v any, path []string) {
	switch at := v.(type) {
	case map[string]any:
		for name, member := range at {
			g.learn(call, member, append(slices.Clone(path), name))
		}
	case []any:
		if len(at) > 0 { // text of the test takes the first
			g.learn(call, at[0], path)
		}
	case string:
		_, known := g.known[at]
		if !known && len(path) > 0 && (looksLikeID(at) || len(at) >= 10 && slices.Contains(chosenMembers, path[len(path)-1])) {
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
