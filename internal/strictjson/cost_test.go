//go:build !race

// The race detector allocates beside what it watches, so costs are measured without it.

package strictjson_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/hostile"
	"github.com/ferrypay/ferry/internal/strictjson"
)

// members are names that request knows, and one that it does not.
var members = []string{"name", "description", "amount", "count", "metadata", "tags", "items", "sender", "x"}

// decodingCost is how many bytes are allocated for each byte of a document while it is
// decoded and made canonical, but for what any document costs.
func decodingCost(document []byte) float64 {
	const fixed = 16 << 10
	spent := hostile.Allocated(uint64(8*len(document)), func() {
		read, err := strictjson.Read(document, "description")
		var r request
		if err == nil && read.Decode(&r) == nil {
			_, _ = read.AppendCanonical(nil)
		}
	})
	return max(float64(spent)-fixed, 0) / float64(max(len(document), 1))
}

// The worst that a search has found so far, before each of them had its bound.
func TestDocumentsThatWereDearToDecodeAreNot(t *testing.T) {
	long := strings.Repeat("n", 100_000)
	for name, document := range map[string]string{
		"control characters below a long name": `{"` + long + `":[` + strings.Repeat(`"\u0000",`, 17_000) + `0]}`,
		"prose below a long name":              `{"` + long + `":{"description":[` + strings.Repeat(`"\n",`, 20_000) + `0]}}`,
		"wrong types in a long list":           `{"tags":[` + strings.Repeat(`0,`, 100_000) + `0]}`,
		"wrong types in objects of a list":     `{"items":[` + strings.Repeat(`{"wide":""},`, 20_000) + `0]}`,
		"objects of a list":                    `{"items":[` + strings.Repeat(`{},`, 80_000) + `{}]}`,
		"lists in metadata":                    `{"metadata":{"a":[` + strings.Repeat(`[],`, 80_000) + `0]}}`,
		"a name twice that is long":            `{"x":{"` + long + `":{"` + long + `":{"a":1,"a":2}}}}`,
	} {
		t.Run(name, func(t *testing.T) { require.Less(t, decodingCost([]byte(document)), 8.0) })
	}
}

func TestNoDocumentIsFoundThatIsDearToDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst, most := hostile.Body{}, 0.0
	for n := range 300 {
		body := worst.Mutated(r.IntN, members)
		if n%3 == 0 {
			body = hostile.Random(r.IntN, 32<<10, members)
		}
		document := body.JSON()
		if spent := decodingCost(document); spent > most {
			worst, most = body, spent
			require.Less(t, spent, 8.0, "%+v: %.200s", body, document)
		}
	}
	t.Logf("the worst: %.1f times its size: %+v", most, worst)
}

func FuzzNoDocumentIsDearToDecode(f *testing.F) {
	f.Add([]byte(`{"metadata":{"a":[[]]},"name":"\u0000"}`), uint16(1000))
	f.Fuzz(func(t *testing.T, document []byte, times uint16) {
		document = dense(document, int(times))
		if len(document) > 256<<10 {
			return
		}
		require.Less(t, decodingCost(document), 8.0)
	})
}

// dense repeats the middle of a document.
func dense(document []byte, times int) []byte {
	third := len(document) / 3
	head, middle, tail := document[:third], document[third:2*third], document[2*third:]
	if len(middle)*times > 256<<10 {
		return document
	}
	return []byte(string(head) + strings.Repeat(string(middle), times) + string(tail))
}
