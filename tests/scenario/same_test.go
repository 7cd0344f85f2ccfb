package scenario_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/tests/apitest"
)

// twins are servers over each kind of store, which are sent the same requests and
// must give the same answers.
type twins struct {
	kinds []string
	each  []*twin
}

// twin is one of them. Where it says an identifier, another one says another;
// what they have in common is when they first said it.
type twin struct {
	url, secret string

	names   map[string]string // of identifiers: "wal#2" is the second of its kind
	meaning map[string]string
	count   map[string]int
}

func openTwins(t testing.TB) (shops []shop) {
	for _, kind := range kinds {
		shops = append(shops, kind.open(t))
	}
	return shops
}

// newTwins opens a business of its own on each of the servers.
func newTwins(t testing.TB, shops []shop) *twins {
	all := &twins{}
	for i, s := range shops {
		made := s.For(t).Post("/v1/test_helpers/businesses", apitest.Object{"name": "Twin"}).OK()
		public := made.Text("data.public_key")
		all.kinds = append(all.kinds, kinds[i].name)
		all.each = append(all.each, &twin{
			url: s.URL, secret: made.Text("data.secret_key"),
			names: map[string]string{public: "pk#1"}, meaning: map[string]string{"pk#1": public}, count: map[string]int{"pk": 1},
		})
	}
	return all
}

// request is one request. Names of identifiers in its path and body stand for
// what each server means by them.
type request struct{ method, path, body, key string }

// do sends a request to all and returns their common answer.
func (all *twins) do(t require.TestingT, r request) (answer string) {
	for i, one := range all.each {
		got := one.answer(t, r)
		if i == 0 {
			answer = got
		}
		require.Equal(t, answer, got, "%s answers something else to %s %s %.300q (key %q)", all.kinds[i], r.method, r.path, r.body, r.key)
	}
	require.False(t, strings.HasPrefix(answer, "5"), "%s %s %.300q: %s", r.method, r.path, r.body, answer)
	return answer
}

// answer sends a request as it is: much of it breaks the OpenAPI document.
func (one *twin) answer(t require.TestingT, r request) string {
	sent, err := http.NewRequest(r.method, one.url+one.meant(r.path), strings.NewReader(one.meant(r.body)))
	require.NoError(t, err)
	sent.Header.Set("Authorization", "Bearer "+one.secret)
	sent.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		sent.Header.Set("Idempotency-Key", r.key)
	}
	got, err := http.DefaultClient.Do(sent)
	require.NoError(t, err)
	defer func() { _ = got.Body.Close() }()
	body := json.NewDecoder(got.Body)
	body.UseNumber()
	var said map[string]any
	require.NoError(t, body.Decode(&said))
	delete(said, "request_id")
	text, err := json.Marshal(one.named(said))
	require.NoError(t, err)
	return fmt.Sprint(got.StatusCode, " ", got.Header.Get("Idempotency-Replayed"), " ", string(text))
}

var (
	name       = regexp.MustCompile(`[a-z]+#[0-9]+`)
	identifier = regexp.MustCompile(`\b(?:[a-z]+_(?:test_)?[0-9a-f]{32}\b|(?:sk|pk|rwpk|whsec)_test_[\w+/=-]+|(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[1-9A-HJ-NP-Za-km-z]{80,90})\b)`)
)

func (one *twin) meant(text string) string {
	return name.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(one.meaning[name], name) })
}

// named replaces identifiers within an answer by their names, in the order of
// the members' names.
func (one *twin) named(v any) any {
	switch v := v.(type) {
	case string:
		return identifier.ReplaceAllStringFunc(strings.ReplaceAll(v, one.url, "…"), one.name)
	case []any:
		for i := range v {
			v[i] = one.named(v[i])
		}
	case map[string]any:
		members := make([]string, 0, len(v))
		for member := range v {
			members = append(members, member)
		}
		slices.Sort(members)
		for _, member := range members {
			switch member {
			case "last_four", "duration_ms", "prefix", "account_number":
				v[member] = "…"
			default:
				v[member] = one.named(v[member])
			}
		}
	}
	return v
}

func (one *twin) name(id string) string {
	if known, ok := one.names[id]; ok {
		return known
	}
	kind, digits, found := strings.Cut(id, "_")
	switch {
	case !found && len(id) > 44:
		kind = "signature"
	case !found:
		kind = "chain"
	case kind == "uid": // another name of what is known, or not known yet
		for known, name := range one.names {
			if strings.HasSuffix(known, "_"+digits) && !strings.HasPrefix(known, "uid_") {
				return "uid of " + name
			}
		}
	}
	one.count[kind]++
	name := fmt.Sprintf("%s#%d", kind, one.count[kind])
	one.names[id], one.meaning[name] = name, id
	return name
}

// known returns the names of a kind of identifier that were said.
func (all *twins) known(kind string) (names []string) {
	for i := range all.each[0].count[kind] {
		names = append(names, fmt.Sprintf("%s#%d", kind, i+1))
	}
	return names
}

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

var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

func wholePath(path string) string { return placeholder.ReplaceAllString(path, "wal#1") }

// byChance are texts that stand in some identifiers and not in others, which are drawn
// anew by every store: what a search for them finds is nobody's promise.
var byChance = regexp.MustCompile(`^[0-9a-f]{2,8}$`)

func oddParameter(t *testing.T, all *twins, r request, in, parameter string) {
	for _, text := range odd {
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
		for _, value := range oddJSON() {
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

// furnishTwins makes one of everything.
func furnishTwins(t *testing.T, all *twins) {
	for _, r := range []request{
		{http.MethodPost, "/v1/customers", `{"type":"individual","first_name":"Ada","last_name":"Obi","email":"ada@example.com","phone":"+2348012345678"}`, ""},
		{http.MethodPost, "/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"treasury"}`, "wallet"},
		{http.MethodPost, "/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"savings"}`, ""},
		{http.MethodPost, "/v1/test_helpers/deposits", `{"address":"chain#1","amount":"50","wait":false}`, ""},
		{http.MethodPost, "/v1/test_helpers/clock/advance", `{"seconds":10}`, ""},
		{http.MethodPost, "/v1/wallets/transfer", `{"from_address":"chain#1","to_address":"chain#2","amount":"2","network":"solana","asset":"USDC","reference":"one"}`, ""},
		{http.MethodPost, "/v1/api-keys", `{"type":"secret"}`, ""},
		{http.MethodPost, "/v1/payment-links", `{"currency":"NGN","amount":"100","title":"Ẹ̀fọ́","slug":"a_1"}`, ""},
		{http.MethodPost, "/v1/payment-links", `{"currency":"NGN","amount":"100","title":"Ada % 0","slug":"b-2"}`, ""},
		{http.MethodPost, "/v1/checkout/create", `{"public_key":"pk#1","trx_id":"A_1","currency":"NGN","amount":"50000","email":"ada@example.com","name":"Éda Z"}`, ""},
		{http.MethodPost, "/v1/checkout/create", `{"public_key":"pk#1","trx_id":"b-2","currency":"NGN","amount":"50000","email":"bola@example.com","name":"Bola"}`, ""},
	} {
		require.Regexp(t, "^200 ", all.do(t, r), r.path)
	}
}

// A story takes many requests: few of them, unless -rapid.checks says otherwise.
func init() {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		panic(err)
	}
}

// TestEveryStoreAnswersAStoryAlike tells every store the same story.
func TestEveryStoreAnswersAStoryAlike(t *testing.T) {
	t.Parallel()
	shops := openTwins(t)
	rapid.Check(t, func(rt *rapid.T) {
		all := newTwins(t, shops)
		rt.Repeat(map[string]func(*rapid.T){
			"customer": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/customers", fmt.Sprintf(`{"type":"individual","first_name":%q,"last_name":"Obi","email":"%s@example.com","phone":"+23480123456%02d"}`,
					pick(rt, "Ada", "ada", "Ádà", "İbo"), pick(rt, "a", "b", "C", "d"), rapid.IntRange(0, 5).Draw(rt, "phone")), someKey(rt)})
			},
			"change a customer": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPatch, "/v1/customers?id=" + all.some(rt, "cus"), fmt.Sprintf(`{"email":"%s@example.com","city":%q,"metadata":{%q:"1","b":null}}`,
					pick(rt, "a", "b", "C"), pick(rt, "Lagos", "Ìbàdàn"), pick(rt, "a", "b", "💰")), someKey(rt)})
			},
			"wallet": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/wallets", fmt.Sprintf(`{"type":"stablecoin","network":"solana","asset":"USDC","reference":%q}`, someReference(rt)), someKey(rt)})
			},
			"wallet's status": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/wallets/status", fmt.Sprintf(`{"id":%q,"status":%q}`, all.some(rt, "wal"), pick(rt, "active", "suspended", "active", "closed")), someKey(rt)})
			},
			"address": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/wallets/" + all.some(rt, "wal") + "/addresses", `{"network":"solana"}`, someKey(rt)})
			},
			"change an address": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPatch, "/v1/wallets/addresses/" + all.some(rt, "addr"), fmt.Sprintf(`{"label":"new","status":%q}`, pick(rt, "active", "inactive")), someKey(rt)})
			},
			"deposit": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/test_helpers/deposits", fmt.Sprintf(`{"address":%q,"amount":"%d.5","wait":false}`, all.some(rt, "chain"), rapid.IntRange(0, 20).Draw(rt, "amount")), ""})
				all.advance(rt, 10)
			},
			"transfer": func(rt *rapid.T) {
				to := all.some(rt, "chain")
				if rapid.Bool().Draw(rt, "outside") {
					to = stranger(t, rapid.IntRange(0, 2).Draw(rt, "stranger"))
				}
				all.do(rt, request{http.MethodPost, "/v1/wallets/transfer", fmt.Sprintf(`{"from_address":%q,"to_address":%q,"amount":"%d.25","network":"solana","asset":"USDC","reference":%q}`,
					all.some(rt, "chain"), to, rapid.IntRange(0, 8).Draw(rt, "amount"), someReference(rt)), someKey(rt)})
				all.advance(rt, rapid.SampledFrom([]int{0, 1, 60}).Draw(rt, "seconds"))
			},
			"link": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/payment-links", fmt.Sprintf(`{"currency":"NGN","amount":"100","title":%q,"slug":%q}`,
					pick(rt, "Ẹ̀fọ́", "ẸFO", "Ada %", "a_1", "e\u0301"), pick(rt, "x", "a_1", "EXAMPLE")), someKey(rt)})
			},
			"order": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/checkout/create", fmt.Sprintf(`{"public_key":"pk#1","trx_id":%q,"currency":"NGN","amount":"50000","email":"%s@example.com","name":%q}`,
					pick(rt, "A", "a_1", "b-2", "C"), pick(rt, "a", "B"), pick(rt, "Ada", "Ẹ̀fọ́", "İbo")), someKey(rt)})
			},
			"payment": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/test_helpers/payments", fmt.Sprintf(`{"trx_id":%q,"outcome":%q,"payment_method":"card"}`,
					pick(rt, "A", "a_1", "b-2", "C"), pick(rt, "success", "failed")), ""})
			},
			"refund": func(rt *rapid.T) {
				all.do(rt, request{http.MethodPost, "/v1/refunds", fmt.Sprintf(`{"trx_id":%q,"amount":%d,"reference":%q,"execution_mode":%q}`,
					pick(rt, "A", "a_1", "b-2", "C"), rapid.SampledFrom([]int{0, 1, 20_000, 50_000}).Draw(rt, "kobo"), someReference(rt), pick(rt, "manual", "manual", "auto_sender")), someKey(rt)})
			},
			"end of a refund": func(rt *rapid.T) {
				reference := someReference(rt)
				all.do(rt, request{http.MethodPost, "/v1/refunds/process", fmt.Sprintf(`{"reference":%q}`, reference), someKey(rt)})
				all.do(rt, request{http.MethodPost, "/v1/refunds/finalize", fmt.Sprintf(`{"reference":%q,"status":%q}`, reference, pick(rt, "successful", "failed")), someKey(rt)})
			},
			"search": func(rt *rapid.T) {
				// What might be part of the digits of an identifier finds other rows on each.
				all.do(rt, request{method: http.MethodGet, path: fmt.Sprintf("/v1/%s?search=%s&page=%d&limit=%d", pick(rt, "payment-links", "checkout", "transactions"),
					pick(rt, "O", "A_", "%25", "%E1%BB%8D", "%C3%A9", "EXAMPLE", "%C4%B0B", "-2"), rapid.IntRange(1, 3).Draw(rt, "page"), rapid.IntRange(1, 4).Draw(rt, "limit"))})
			},
			"API key": func(rt *rapid.T) {
				made := name.FindString(all.do(rt, request{http.MethodPost, "/v1/api-keys", `{"type":"secret","label":"x"}`, ""}))
				if rapid.Bool().Draw(rt, "revoke") {
					all.do(rt, request{http.MethodPost, "/v1/api-keys/revoke", fmt.Sprintf(`{"id":%q}`, made), someKey(rt)})
				}
			},
			"list": func(rt *rapid.T) {
				path := pick(rt, "customers?search=a", "customers?search=%C3%A1", "customers?status=pending", "customers?", "customers?date_to=2026-03-02",
					"wallets/addresses?", "wallets/addresses?status=active", "wallets/addresses?has_balance=1", "wallets/transfers?", "wallets/transfers?status=success",
					"wallets/transfers?type=OUT", "wallets/transfers?status=failed", "api-keys?", "webhook/attempts?",
					"refunds?", "refunds?status=success", "refunds?status=pending", "transactions?channel=refund")
				all.do(rt, request{method: http.MethodGet, path: fmt.Sprintf("/v1/%s&page=%d&limit=%d", path, rapid.IntRange(1, 4).Draw(rt, "page"), rapid.IntRange(1, 7).Draw(rt, "limit"))})
			},
			"look": func(rt *rapid.T) {
				all.do(rt, request{method: http.MethodGet, path: "/v1/wallets?reference=" + url.QueryEscape(someReference(rt))})
				all.do(rt, request{method: http.MethodGet, path: "/v1/wallets/transfers?transfer_reference=" + url.QueryEscape(someReference(rt))})
				all.do(rt, request{method: http.MethodGet, path: "/v1/events?limit=100"})
				all.do(rt, request{method: http.MethodGet, path: "/v1/business/balance"})
			},
		})
		all.advance(rt, 300)
		all.do(rt, request{method: http.MethodGet, path: "/v1/events?limit=100"})
		require.Contains(rt, all.do(rt, request{method: http.MethodGet, path: "/v1/test_helpers/audit"}), `"clean":true`)
	})
}

func (all *twins) advance(t require.TestingT, seconds int) {
	all.do(t, request{http.MethodPost, "/v1/test_helpers/clock/advance", fmt.Sprintf(`{"seconds":%d}`, seconds), ""})
}

// some returns an identifier that was said, or one that was not.
func (all *twins) some(rt *rapid.T, kind string) string {
	return rapid.SampledFrom(append(all.known(kind), kind+"_none")).Draw(rt, kind)
}

func pick(rt *rapid.T, values ...string) string { return rapid.SampledFrom(values).Draw(rt, "value") }

// someKey is mostly no key, and else one that comes again.
func someKey(rt *rapid.T) string { return pick(rt, "", "", "", "", "k1", "k2") }

func someReference(rt *rapid.T) string { return pick(rt, "a", "A", "b", "É", "é", "Z", "💰") }
