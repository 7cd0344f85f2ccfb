package httpapi

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAnAnswerComesBackAsItWasStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item := rapid.SliceOfN(rapid.Byte(), 1, 64).Draw(t, "item")
		body := append([]byte(`{"data":`), bytes.Repeat(item, rapid.IntRange(0, 2000).Draw(t, "items"))...)
		stored, err := pack(string(body))
		require.NoError(t, err)
		back, err := unpack(stored)
		require.NoError(t, err)
		require.True(t, string(body) == back, "%q", item)
	})
}

func TestALongAnswerTakesAFractionOfItsLength(t *testing.T) {
	var body []byte
	for i := range 1000 {
		body = fmt.Appendf(body, `{"id":"itm_%032x","status":"pending","bank_code":"058","account_number":"0123456780","amount":100},`, i)
	}
	stored, err := pack(string(body))
	require.NoError(t, err)
	require.Less(t, len(stored), len(body)/5)
	short := string(body[:packedFrom-1])
	stored, err = pack(short)
	require.NoError(t, err)
	require.Equal(t, short, stored)
}
