package scenario_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAnOrderWithMetadataIsEqualToItselfAfterItWasStored(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAnOrderWithMetadataIsEqualToItselfAfterItWasStored)
}

func testAnOrderWithMetadataIsEqualToItselfAfterItWasStored(t *testing.T, open opener) {
	s := open(t)
	kept := []any{"metadata", apitest.Object{"n": json.Number("9.00"), "big": json.Number("1e2"), "yes": true, "text": "a \"<b>& é"}}
	s.As("").Post("/v1/checkout", s.order("kept-1", "ada@example.com", kept...)).OK()
	for _, trxID := range []string{"kept-1", "kept-2"} {
		made := s.As("").Post("/v1/checkout", s.order(trxID, "ada@example.com", kept...)).OK()
		require.Equal(t, true, made.At("reused"), trxID)
		require.Equal(t, "kept-1", made.Text("trx_id"))
	}
}
