package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/wire"
)

func TestAMemberIsFoundByItsPath(t *testing.T) {
	var value any
	require.NoError(t, json.Unmarshal([]byte(`{"data":{"items":[{"id":"a"},{"id":"b"}]}}`), &value))
	require.Equal(t, "b", wire.Member(value, "data.items.1.id"))
	for _, none := range []string{"data.items.2.id", "data.items.-1.id", "data.items.id", "data.other", "data.items.0.id.more", ""} {
		require.Nil(t, wire.Member(value, none), none)
	}
}
