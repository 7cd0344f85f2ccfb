package strictjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/ferrypay/ferry/internal/strictjson"
)

func TestANameIsComposedAndTrimmed(t *testing.T) {
	for text, want := range map[string]string{
		"Ada":             "Ada",
		"  Ada Obi\u00a0": "Ada Obi",
		"e\u0301":         "\u00e9",
		"O\u0323laitan":   "\u1ecclaitan",
		"":                "",
		"   ":             "",
		"Ada 🚢":           "Ada 🚢",
		"a--b_c":          "a--b_c",
	} {
		name, reason := strictjson.Name(text, 20)
		require.Empty(t, reason)
		require.Equal(t, want, name)
	}
}

func TestLengthIsCountedInCodePointsAfterComposing(t *testing.T) {
	for _, of := range []func(string, int) (string, strictjson.Reason){strictjson.Name, strictjson.Prose} {
		_, reason := of(strings.Repeat("e\u0301", 10), 10)
		require.Empty(t, reason)
		_, reason = of(strings.Repeat("🚢", 10), 10)
		require.Empty(t, reason)
		_, reason = of(strings.Repeat("x", 11), 10)
		require.Equal(t, strictjson.TooLong(10), reason)
		require.Equal(t, strictjson.Reason("Must be at most 10 characters"), reason)
	}
}

func TestANameRefusesWhatAReaderCannotSee(t *testing.T) {
	for name, text := range map[string]string{
		"NUL":                    "a\x00b",
		"tab":                    "a\tb",
		"newline":                "a\nb",
		"escape":                 "a\x1bb",
		"delete":                 "a\x7fb",
		"next line":              "a\u0085b",
		"soft hyphen":            "a\u00adb",
		"zero-width space":       "a\u200bb",
		"zero-width joiner":      "a\u200db",
		"left-to-right mark":     "a\u200eb",
		"right-to-left override": "a\u202eb",
		"isolate":                "a\u2067b",
		"word joiner":            "a\u2060b",
		"byte order mark":        "a\ufeffb",
		"arabic letter mark":     "a\u061cb",
		"line separator":         "a\u2028b",
		"paragraph separator":    "a\u2029b",
		"language tag":           "a\U000e0041b",
	} {
		t.Run(name, func(t *testing.T) {
			_, reason := strictjson.Name(text, 20)
			require.Equal(t, strictjson.Hidden, reason)
		})
	}
}

func TestProseKeepsTabsNewlinesAndMarks(t *testing.T) {
	text := " one\n\ttwo \u200e\u200d "
	prose, reason := strictjson.Prose(text, 20)
	require.Empty(t, reason)
	require.Equal(t, text, prose)

	for _, text := range []string{"a\x00", "a\r\n", "\x7f", "\u0085"} {
		_, reason := strictjson.Prose(text, 20)
		require.Equal(t, strictjson.ControlCharacter, reason)
	}
}

func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	_, reason := strictjson.Name("a\xff", 20)
	require.Equal(t, strictjson.Malformed, reason)
	_, reason = strictjson.Prose("\xc3(", 20)
	require.Equal(t, strictjson.Malformed, reason)
}

func FuzzName(f *testing.F) {
	f.Add("Ada")
	f.Add("e\u0301 \u200b")
	f.Fuzz(func(t *testing.T, text string) {
		name, reason := strictjson.Name(text, 50)
		if reason != "" {
			require.Empty(t, name)
			return
		}
		require.True(t, norm.NFC.IsNormalString(name))
		again, reason := strictjson.Name(name, 50)
		require.Empty(t, reason)
		require.Equal(t, name, again, "a stored name changes no more")
	})
}
