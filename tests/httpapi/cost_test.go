//go:build !race

// The race detector allocates beside what it watches, so costs are measured without it.

package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/hostile"
)

// The bounds of what a body may cost, but for what any request costs.
const (
	// timesItsSize is how many bytes are allocated for each byte of it.
	timesItsSize = 8
	// yardsticks is how long it takes: 50 ms on a machine where the yardstick takes 5.
	yardsticks = 10
)

// requireCheap answers a request with a body, and holds what it costs against the bounds.
func (e edge) requireCheap(t testing.TB, p place, kind string, body []byte, about string) {
	t.Helper()
	const fixed = 64 << 10
	most := uint64(timesItsSize*len(body) + fixed)
	spent := hostile.Allocated(most, func() { e.answer(t, e.request(p, kind, body)) })
	assert.LessOrEqual(t, spent, most, "%s %s: %s allocates %d bytes for %d", p.method, p.path, about, spent, len(body))
	took := hostile.Took(yardsticks*yardstick(), func() { e.answer(t, e.request(p, kind, body)) })
	assert.LessOrEqual(t, took, yardsticks*yardstick(), "%s %s: %s", p.method, p.path, about)
}

// yardstick is how long the standard library takes to decode as large a body of no malice.
var yardstick = sync.OnceValue(func() time.Duration {
	harmless := []byte(`[` + strings.Repeat(`"a text",`, 256<<10/9-1) + `"a text"]`)
	return hostile.Took(0, func() {
		var v any
		if err := json.Unmarshal(harmless, &v); err != nil {
			panic(err)
		}
	})
})

// dear are bodies that were dear before there were bounds, with a member of each route.
func dear(member string) map[string][]byte {
	long := strings.Repeat("n", 100_000)
	in := func(value string) []byte { return []byte(`{"public_key":"pk_test_x","` + member + `":` + value + `}`) }
	return map[string][]byte{
		"control characters below a long name": in(`{"` + long + `":[` + strings.Repeat(`"\u0000",`, 17_000) + `0]}`),
		"objects in a list":                    in(`[` + strings.Repeat(`{},`, 80_000) + `{}]`),
		"lists in an object":                   in(`{"a":[` + strings.Repeat(`[],`, 80_000) + `0]}`),
		"a crowd of names":                     in(`{` + crowd() + `"":0}`),
		"a long text":                          in(`"` + strings.Repeat("e\u0301", 40_000) + `"`),
		"a long text of escapes":               in(`"` + strings.Repeat(`\u0301`, 40_000) + `"`),
		"a long number":                        in(strings.Repeat("9", 250_000)),
		"texts in a list":                      in(`[` + strings.Repeat(`"",`, 80_000) + `""]`),
	}
}

func crowd() string {
	var names strings.Builder
	for n := range 20_000 {
		names.WriteString(`"` + string(rune('a'+n%26)) + string(rune('!'+2+n/26%50)) + string(rune('0'+n/1300)) + `":1,`)
	}
	return names.String()
}

func TestBodiesThatWereDearAreNotOnAnyRoute(t *testing.T) {
	e := newEdge(t)
	for n, p := range places(t) {
		for m, name := range slices.Sorted(maps.Keys(dear("x"))) {
			member := p.members[(n+m)%len(p.members)]
			e.requireCheap(t, p, asJSON, dear(member)[name], name+" in "+member)
		}
	}
}

func TestNoBodyIsFoundThatIsDearOnAnyRoute(t *testing.T) {
	e, r := newEdge(t), mathrand.New(mathrand.NewPCG(5, 6))
	for _, p := range places(t) {
		e.requireCheap(t, p, asJSON, filled(p, r.IntN), "all members filled")
		for range 3 {
			body := hostile.Random(r.IntN, 64<<10, p.members)
			e.requireCheap(t, p, asJSON, body.JSON(), fmt.Sprintf("%+v", body))
		}
	}
}

// filled is a body that has a long text in each member that a route knows.
func filled(p place, draw func(int) int) []byte {
	var members []string
	for _, member := range p.members {
		piece := hostile.Pieces()[draw(len(hostile.Pieces()))]
		members = append(members, strconv.Quote(member)+`:"`+strings.Repeat(piece, 8000/len(piece))+`"`)
	}
	return []byte(`{` + strings.Join(members, ",") + `}`)
}

func TestNoFormIsDear(t *testing.T) {
	e := newEdge(t)
	for name, body := range map[string]string{
		"a crowd":             strings.Repeat("a&", 100_000),
		"a crowd of names":    strings.ReplaceAll(strings.ReplaceAll(crowd(), `":1,`, "&"), `"`, ""),
		"one name":            strings.Repeat("a=1&", 60_000),
		"quotation marks":     `email=` + strings.Repeat(`"`, 250_000),
		"control characters":  `email=` + strings.Repeat("\x01", 250_000),
		"line feeds":          `email=` + strings.Repeat("\n", 250_000),
		"escapes":             `email=` + strings.Repeat("%41", 80_000),
		"angle brackets":      `email=` + strings.Repeat("<", 250_000),
		"what is no UTF-8":    `email=` + strings.Repeat("\xff", 250_000),
		"a long name":         strings.Repeat("n", 250_000) + `=1`,
		"long texts in many":  strings.Repeat(`n`, 100) + `=` + strings.Repeat("é", 100_000) + `&email=` + strings.Repeat("é", 20_000),
		"a wrong escape late": `email=` + strings.Repeat("a", 200_000) + "%zz",
	} {
		e.requireCheap(t, place{http.MethodPost, "/v1/checkout", nil}, asForm, []byte(body), name)
	}
}

func TestNoQueryIsDear(t *testing.T) {
	e := newEdge(t)
	for _, query := range []string{
		strings.Repeat("a&", 8000), strings.Repeat("a=1&", 4000), "search=" + strings.Repeat("e%CC%81", 2000), "date_from=" + strings.Repeat("2", 15_000),
		"currency=" + strings.Repeat("%00", 5000), "status=" + strings.Repeat("%E2%80%A8", 1500),
	} {
		for _, path := range []string{"/v1/customers", "/v1/checkout", "/v1/payments", "/v1/transactions"} {
			e.requireCheap(t, place{http.MethodGet, path + "?" + query, nil}, asJSON, make([]byte, len(query)), query[:20])
		}
	}
}

func TestABodyWithoutAnAnnouncedLengthIsNotDear(t *testing.T) {
	e := newEdge(t)
	for _, size := range []int{513, 4097, 129 << 10, 256 << 10} {
		body := []byte(`{"x":"` + strings.Repeat("a", size-8) + `"}`)
		most := uint64(timesItsSize*size + 64<<10)
		require.LessOrEqual(t, hostile.Allocated(most, func() {
			r := e.request(place{http.MethodPost, "/v1/customers", nil}, asJSON, body)
			r.ContentLength = -1
			e.answer(t, r)
		}), most)
	}
}

func FuzzNoBodyIsDear(f *testing.F) {
	f.Add([]byte(`{"metadata":{"a":[[]]},"name":"\u0000"}`), uint16(1000), uint16(3))
	e, all := newEdge(f), places(f)
	f.Fuzz(func(t *testing.T, body []byte, times, route uint16) {
		third := len(body) / 3
		if third*int(times) > 200<<10 {
			return
		}
		body = []byte(string(body[:third]) + strings.Repeat(string(body[third:2*third]), int(times)) + string(body[2*third:]))
		e.requireCheap(t, all[int(route)%len(all)], asJSON, body, "it")
	})
}
