//go:build !race

package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// odd are texts that a database may treat as no other does: of query strings, as
// they stand there.
var odd = []string{
	"%00", "a%00b", "%ff", "%C0%80", "%ED%A0%80", "%F0%9F%92%B0", "%EF%BF%BD", "%EF%BF%BE", "%C2%85", "%E2%80%A8", "%25", "_", "%5C", "'", "%22",
	"%CC%81e", "e%CC%81", "%C3%A9", "%C4%B0", "%C3%9F", "%EF%AC%81", "A", "a", "Z", "%C3%84", "0", "-1", "1", "100", "2147483648",
	"9223372036854775807", "9223372036854775808", "4611686018427387904", "99999999999999999999", "NaN", "1e3", "%2B5", "true",
	"0000-01-01", "0001-01-01", "9999-12-31", "9999-12-31T23:59:59.999999999Z", "0000-01-01T00:00:00%2B23:59", "294277-01-10", "-0001-01-01", "2026-03-02T09:15:00Z",
	strings.Repeat("x", 300), strings.Repeat("x", 9000), strings.Repeat("%F0%9F%92%B0", 2000), "%F0%9F%92%B0" + strings.Repeat("y", 5),
}

// oddJSON are values of members.
func oddJSON() []string {
	values := []string{
		`null`, `[]`, `{}`, `-1`, `0`, `0.0000001`, `1e400`, `1e-400`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, `true`,
		`{"\u0000":"x"}`, `{"k":"\u0000"}`, `{"k":"\ud800"}`, `{"k":1e400}`, `{"k":9223372036854775808}`, `{"k":-0}`, `{"k":0.10}`, `{"💰":"💰"}`,
		`{"` + strings.Repeat("k", 101) + `":1}`, `{"` + strings.Repeat("💰", 100) + `":"` + strings.Repeat("💰", 500) + `"}`, "\"\xff\xfe\"", "\"a\x00\"",
	}
	for _, text := range []string{
		`\u0000`, `a\u0000b`, `\ud800`, `\udc00x`, `\ud83d\udcb0`, `\uffff`, `\ufffd`, `\u0085`, `\u2028`, `'; --`, `\\`, `%`, ` x `, `é`, `e\u0301`, `İ`, `ß`,
		strings.Repeat("x", 255), strings.Repeat("x", 256), strings.Repeat("💰", 100), strings.Repeat("💰", 255), strings.Repeat("x", 9000),
		`a@` + strings.Repeat("b", 240) + `.example`, `💰@example.com`, `A@EXAMPLE.com`,
	} {
		values = append(values, `"`+text+`"`)
	}
	return values
}

// shareOfOdd is how many odd values there are for each that a parameter or a member is
// sent, unless there is a storm. They take turns, so that each value is sent somewhere.
const shareOfOdd = 4

// part returns those of the odd values that a parameter or a member is sent.
func (all *twins) part(values []string) (part []string) {
	if *storm {
		return values
	}
	all.turn++
	for n := all.turn % shareOfOdd; n < len(values); n += shareOfOdd {
		part = append(part, values[n])
	}
	return part
}

// TestEveryStoreAnswersOddRequestsAlike sends odd texts in every parameter and
// member that the OpenAPI document has.
func TestEveryStoreAnswersOddRequestsAlike(t *testing.T) {
	t.Parallel()
	all := newTwins(t, openTwins(t))
	furnishTwins(t, all)
	paths := apitest.Document(t).Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if strings.Contains(path, "/clock/") || strings.HasSuffix(path, "/businesses") || strings.HasSuffix(path, "/rotate-secret") {
			continue // what they do is for everybody, or ends the key of the requests
		}
		operations := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			for _, p := range operations[method].Parameters {
				oddParameter(t, all, request{method: method, path: path}, p.Value.In, p.Value.Name)
			}
			if body := operations[method].RequestBody; body != nil {
				oddMembers(t, all, request{method: method, path: wholePath(path)},
					slices.Sorted(maps.Keys(body.Value.Content["application/json"].Schema.Value.Properties)))
			}
		}
	}
	for _, list := range []string{"customers", "wallets/addresses", "wallets/transfers", "webhook/attempts", "api-keys"} {
		for _, number := range []string{"92233720368547759", "4611686018427387904", "9223372036854775807"} {
			for _, limit := range []string{"1", "2", "100"} {
				all.do(t, request{method: http.MethodGet, path: "/v1/" + list + "?page=" + number + "&limit=" + limit})
			}
		}
	}
	require.Contains(t, all.do(t, request{method: http.MethodGet, path: "/v1/test_helpers/audit"}), `"clean":true`)
}

func wholePath(path string) string { return placeholder.ReplaceAllString(path, "wal#1") }

// byChance are texts that stand in some identifiers and not in others, which are drawn
// anew by every store: what a search for them finds is nobody's promise.
var byChance = regexp.MustCompile(`^[0-9a-f]{2,8}$`)

func oddParameter(t *testing.T, all *twins, r request, in, parameter string) {
	texts := odd
	if parameter != "search" { // where databases differ most
		texts = all.part(odd)
	}
	for _, text := range texts {
		if parameter == "search" && byChance.MatchString(text) {
			continue
		}
		odd := r
		switch in {
		case "path":
			odd.path = strings.ReplaceAll(r.path, "{"+parameter+"}", text)
		case "query":
			odd.path = wholePath(r.path) + "?" + parameter + "=" + text
		default:
			return
		}
		if r.method != http.MethodGet {
			odd.body = "{}"
		}
		all.do(t, odd)
	}
}

// oddMembers sends odd values as each member of a body, with the others as they
// should be.
func oddMembers(t *testing.T, all *twins, r request, members []string) {
	for _, member := range members {
		if member == "wait" {
			continue // nobody moves the clock
		}
		for _, value := range all.part(oddJSON()) {
			body := fmt.Sprintf("{%q:%s", member, value)
			for _, other := range members {
				if usual := usual(r.path, other); other != member && usual != "" {
					body += fmt.Sprintf(",%q:%s", other, usual)
				}
			}
			odd := r
			odd.body = body + "}"
			all.do(t, odd)
		}
	}
}

// usual is the value of a member that lets a request come as far as the store, or
// empty where it may be left out.
func usual(path, member string) string {
	if member == "type" {
		switch {
		case strings.Contains(path, "wallets"):
			return `"stablecoin"`
		case strings.Contains(path, "api-keys"):
			return `"secret"`
		case strings.Contains(path, "identity"):
			return `"bvn"`
		}
		return `"individual"`
	}
	return map[string]string{
		"first_name": `"Ada"`, "last_name": `"Obi"`, "email": `"n@example.com"`, "phone": `"+2348012345679"`,
		"network": `"solana"`, "asset": `"USDC"`, "currency": `"NGN"`, "amount": `"1"`, "customer_id": `"cus#1"`, "wallet_id": `"wal#1"`,
		"from_address": `"chain#1"`, "to_address": `"chain#2"`, "number": `"` + bvn + `"`, "otp": `"123456"`,
		"address": `"chain#1"`, "wait": "false", "target": `"chain"`, "kind": `"nothing"`,
	}[member]
}
