package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/internal/text"
)

func TestAPartIsFoundInAnyLetterCaseAndHoweverItWasTyped(t *testing.T) {
	for _, c := range []struct {
		part  string
		in    []string
		found bool
	}{
		{"ADA", []string{"Ada Obi", "ada@example.com"}, true},
		{"example", []string{"Ada Obi", "ADA@EXAMPLE.COM"}, true},
		{"  obi ", []string{"Ada Obi"}, true},
		{"\u1ecdl\u00e1", []string{"\u1eccL\u00c1"}, true},
		{"O\u0323LA\u0301", []string{"\u1ecdl\u00e1"}, true},
		{"\u00e9", []string{"E\u0301ko\u0323"}, true},
		{"e", []string{"\u00c9"}, false},
		{"\u0434\u0410", []string{"\u0414\u0430"}, true},
		{"%", []string{"50 percent"}, false},
		{"_", []string{"a-b"}, false},
		{"adaobi", []string{"ada", "obi"}, false},
		{"", []string{""}, true},
		{"\u0130brahim", []string{"\u0130brahim"}, true},
		{"ibrahim", []string{"\u0130BRAH\u0130M"}, true},
		{"\u039f\u03b4\u03bf\u03c2", []string{"\u039f\u0394\u039f\u03a3"}, true},
		{"\u212aelvin", []string{"kelvin"}, true},
		{"\u0131", []string{"I"}, false},
	} {
		require.Equal(t, c.found, strings.Contains(text.Searchable(c.in...), text.Search(c.part)), "%q in %q", c.part, c.in)
	}
}

func TestWhatIsSearchedIsFoldedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := text.Searchable(rapid.String().Draw(t, "text"))
		require.Equal(t, once, text.Searchable(once))
		require.Equal(t, once, text.Searchable(strings.ToLower(once)))
	})
}

func TestTextOfASCIIAloneIsKnown(t *testing.T) {
	require.True(t, text.IsASCII("Ada_Obi@example.com\n\x7f"))
	require.True(t, text.IsASCII(""))
	require.False(t, text.IsASCII("Ad\u00e1"))
	require.False(t, text.IsASCII("\x80"))
}
