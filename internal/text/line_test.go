package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/ferrypay/ferry/internal/text"
)

func TestALineIsComposedAndTrimmed(t *testing.T) {
	for given, want := range map[string]string{
		"Ada":             "Ada",
		"  Ada Obi\u00a0": "Ada Obi",
		"e\u0301":         "\u00e9",
		"O\u0323laitan":   "\u1ecclaitan",
		"":                "",
		"   ":             "",
		"Ada 🚢":           "Ada 🚢",
		"a--b_c":          "a--b_c",
	} {
		line, problem := text.Line(given, 0, 20)
		require.Empty(t, problem)
		require.Equal(t, want, line)
	}
}

func TestLengthIsCountedInCodePointsAfterComposing(t *testing.T) {
	for _, ten := range []string{strings.Repeat("e\u0301", 10), strings.Repeat("🚢", 10), "  " + strings.Repeat("x", 10)} {
		_, problem := text.Line(ten, 10, 10)
		require.Empty(t, problem)
	}
	_, problem := text.Line(strings.Repeat("x", 11), 0, 10)
	require.Equal(t, "Must be at most 10 characters", problem)
	for _, given := range []string{"", "x", strings.Repeat("x", 11)} {
		_, problem := text.Line(given, 2, 10)
		require.Equal(t, "Must be 2 to 10 characters", problem)
	}
}

func TestALineRefusesWhatAReaderCannotSee(t *testing.T) {
	for name, given := range map[string]string{
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
		"broken UTF-8":           "a\xffb",
	} {
		t.Run(name, func(t *testing.T) {
			_, problem := text.Line(given, 0, 20)
			require.Equal(t, text.Invisible, problem)
		})
	}
}

func FuzzLine(f *testing.F) {
	f.Add("Ada  Obi ")
	f.Add("e\u0301\u202e")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, given string) {
		line, problem := text.Line(given, 1, 50)
		if problem != "" {
			return
		}
		require.True(t, norm.NFC.IsNormalString(line))
		again, problem := text.Line(line, 1, 50)
		require.Empty(t, problem)
		require.Equal(t, line, again, "a kept line is kept as it is")
	})
}
