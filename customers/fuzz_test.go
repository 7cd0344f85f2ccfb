package customers_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
)

// FuzzCreate feeds texts to a new individual: what is accepted is in its normal
// form, and creating from that form is the same customer.
func FuzzCreate(f *testing.F) {
	f.Add("Ada", "ada@example.com", "+2348012345678", "1990-04-17")
	f.Add("Zoe\u0308", "A@B.CO", "+1 202-555-0123", "")
	f.Add("\xff\u202e", "a..b@c.de", "+", "2026-02-30")
	f.Fuzz(func(t *testing.T, name, email, phone, born string) {
		b := setup(t)
		p := person(1)
		p.FirstName, p.Email, p.Phone, p.DateOfBirth = name, email, phone, born
		c, err := b.Create(b.ctx, home, p)
		if err != nil {
			require.ErrorIs(t, err, ferry.ErrValidation)
			return
		}
		length := utf8.RuneCountInString(c.FirstName)
		require.True(t, utf8.ValidString(c.FirstName) && length >= 2 && length <= 50)
		require.Regexp(t, `^[!-?A-~]+@[a-z0-9.-]+\.[a-z0-9-]+$`, c.Email)
		require.Equal(t, strings.ToLower(c.Email), c.Email)
		require.Regexp(t, `^\+[1-9][0-9]{6,14}$`, c.Phone)

		p.FirstName, p.Email, p.Phone, p.DateOfBirth = c.FirstName, c.Email, c.Phone, c.DateOfBirth
		again, err := b.Create(b.ctx, away, p)
		require.NoError(t, err)
		require.Equal(t, []string{c.FirstName, c.Email, c.Phone, c.DateOfBirth},
			[]string{again.FirstName, again.Email, again.Phone, again.DateOfBirth})
	})
}

// FuzzNumber prints any text as a number: no BVN or NIN comes out whole.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"", "22212345670", "RC123", "222123456701", "２２２"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := customers.Number(text)
		shown := fmt.Sprintf("%v %#v %+v", n, n, n)
		if len(text) == 11 && strings.Trim(text, "0123456789") == "" {
			require.NotContains(t, shown, text)
		}
		if text != n.String() {
			require.Contains(t, []string{"[redacted]", text[:min(6, len(text))] + "****" + text[max(0, len(text)-1):]}, n.String())
		}
	})
}
