package wire_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/internal/wire"
)

// byLibrary is what encoding/json writes without escapes for HTML.
func byLibrary(v any) (string, error) {
	var text strings.Builder
	library := json.NewEncoder(&text)
	library.SetEscapeHTML(false)
	err := library.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}

type inner struct {
	Text string   `json:"text,omitempty"`
	List []string `json:"list"`
}

type Named string

type node struct {
	Next  *node  `json:"next"`
	Nodes []node `json:"nodes,omitempty"`
}

type outer struct {
	inner
	Before  int    `json:"before"`
	Bare    bool   // without a tag
	Left    string `json:"-"`
	hidden  string
	None    *inner            `json:"none,omitempty"`
	Zero    inner             `json:"zero,omitzero"`
	At      time.Time         `json:"at,omitzero"`
	Maps    map[string]*inner `json:"maps,omitempty"`
	Any     any               `json:"any"`
	Bytes   []byte            `json:"bytes"`
	Quoted  int               `json:"quoted,string"`
	Number  json.Number       `json:"number"`
	Float   float64           `json:"float"`
	Pointer **int64           `json:"pointer"`
	Stamp   *wire.Timestamp   `json:"stamp"`
	Maybe   wire.OptionalTime `json:"maybe"`
	Node    node              `json:"node"`
	Raw     json.RawMessage   `json:"raw"`
}

func TestWhatIsOutOfTheCommonIsWrittenAsTheStandardLibraryWritesIt(t *testing.T) {
	n, at := new(int64), wire.Timestamp(time.UnixMilli(1_700_000_000_123))
	full := outer{
		inner: inner{"<a&b>", []string{"\u2028", "é", "\xff", "\x1f\"\\"}}, None: &inner{}, At: time.Now(), Left: "left", hidden: "hidden",
		Maps: map[string]*inner{"b": nil, "a<": {Text: "x"}}, Bytes: []byte("bytes"), Quoted: 3, Number: "1.50", Float: 1e21,
		Pointer: &n, Stamp: &at, Maybe: wire.OptionalTime(at), Node: node{Next: &node{}, Nodes: []node{{}, {}}}, Raw: json.RawMessage("[1]"),
	}
	type clash struct {
		inner
		Other string `json:"text"`
	}
	type pointing struct{ *inner }
	type tagged struct {
		Named `json:"named"`
		inner `json:"inner"`
	}
	for _, v := range []any{
		nil, full, &full, outer{Any: full}, outer{Any: &full}, []any{nil, 1, "a", true, uint8(3), [2]int{1, 2}, []int(nil), map[string]any(nil)},
		clash{inner{Text: "in"}, "out"}, pointing{}, pointing{&inner{}}, tagged{}, (*outer)(nil), []*inner{nil, {}}, struct{}{}, Named("a"),
		[]Named{"a"}, []struct{ A any }{{&at}, {at}, {"\n"}}, time.Second, &n, error(nil), json.Number(""), []wire.OptionalTime{{}, {}},
	} {
		want, err := byLibrary(v)
		require.NoError(t, err)
		for range 2 {
			text, err := wire.AppendJSON([]byte("before"), v)
			require.NoError(t, err)
			require.Equal(t, "before"+want, string(text), "%#v", v)
		}
	}
}

func TestEveryTextIsWrittenAsTheStandardLibraryWritesIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(rt, "text")
		want, err := byLibrary(text)
		require.NoError(rt, err)
		got, err := wire.AppendText(nil, text)
		require.NoError(rt, err)
		require.Equal(rt, want, string(got))
	})
}

func TestNumbersAndMapsAreWrittenAsTheStandardLibraryWritesThem(t *testing.T) {
	for _, text := range []json.Number{"0", "7", "0.10", "12.50", "-1", "1e3", "", "00", "01", "1.", ".5", "1.2.3", "x", "1x", "0x1", " 1", "0.", "+1"} {
		want, failure := byLibrary(text)
		got, err := wire.JSON(text)
		require.Equal(t, failure == nil, err == nil, "%q", text)
		require.Equal(t, want, got, "%q", text)
	}
	for _, v := range []any{map[string]any{}, map[string]any(nil), map[Named]int{"a": 1}, map[int]string{}, map[int]string{2: "b"}} {
		want, err := byLibrary(v)
		require.NoError(t, err)
		got, err := wire.JSON(v)
		require.NoError(t, err)
		require.Equal(t, want, got, "%#v", v)
	}
}

type failing struct{}

var errFails = errors.New("it fails")

func (failing) MarshalJSON() ([]byte, error) { return nil, errFails }

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	for _, v := range []any{math.NaN(), func() {}, []any{make(chan int)}, map[string]float64{"a": math.Inf(1)}} {
		_, err := wire.AppendJSON(nil, v)
		require.Error(t, err, "%#v", v)
	}
	for _, v := range []any{failing{}, &failing{}, []failing{{}}, struct{ F failing }{}, map[string]failing{"a": {}}} {
		_, err := wire.AppendJSON(nil, v)
		require.ErrorIs(t, err, errFails, "%#v", v)
	}
}
