package scenario_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
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
	turn  int // of parameters and members that were sent odd values
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
