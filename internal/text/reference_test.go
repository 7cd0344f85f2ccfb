package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/text"
)

func TestAReferenceIs1To100LettersDigitsHyphensOrUnderscores(t *testing.T) {
	for _, good := range []string{"a", "order-17_B", "-", strings.Repeat("x", 100)} {
		require.Empty(t, text.Reference(good), good)
	}
	for _, bad := range []string{"", " a", "a\n", "a b", "a.b", "é", "a\x00b", strings.Repeat("x", 101)} {
		require.NotEmpty(t, text.Reference(bad), "%q", bad)
	}
}
