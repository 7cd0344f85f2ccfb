package strictjson_test

import (
	stdjson "encoding/json"
	"testing"

	"github.com/ferrypay/ferry/internal/strictjson"
)

// lenient is request for a reader that takes no Literal.
type lenient struct {
	Name        string         `json:"name"`
	Description *string        `json:"description"`
	Amount      any            `json:"amount"`
	Count       int            `json:"count"`
	Active      *bool          `json:"active"`
	Metadata    map[string]any `json:"metadata"`
	Tags        []string       `json:"tags"`
	Items       []any          `json:"items"`
}

// BenchmarkDecode compares strict decoding with the standard library's, which
// takes what Decode refuses.
func BenchmarkDecode(b *testing.B) {
	document := []byte(`{"name":"Ada Obi","description":"Two shirts, blue","amount":2500.50,"count":2,"active":true,` +
		`"metadata":{"order":"1001","paid":false,"weight":1.25},"tags":["a","b"],"items":[{"amount":"1250.25"},{"amount":1250.25}]}`)
	b.Run("strict", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var r request
			if err := strictjson.Decode(document, &r, "description"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("standard", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var r lenient
			if err := stdjson.Unmarshal(document, &r); err != nil {
				b.Fatal(err)
			}
		}
	})
}
