package form_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/form"
)

func TestAFormIsParsed(t *testing.T) {
	values, err := form.Parse("a=1&b=%20+x&a=2")
	require.NoError(t, err)
	require.Equal(t, url.Values{"a": {"1", "2"}, "b": {"  x"}}, values)
	_, err = form.Parse("a=%zz")
	require.Error(t, err)
}

func TestACrowdedFormIsRefused(t *testing.T) {
	_, err := form.Parse(strings.Repeat("a&", form.MaxFields-1) + "a")
	require.NoError(t, err)
	_, err = form.Parse(strings.Repeat("a&", form.MaxFields) + "a")
	require.ErrorIs(t, err, form.ErrCrowded)
}
