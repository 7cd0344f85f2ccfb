package wire_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/wire"
)

func TestAnInstantIsRFC3339InUTCWithMilliseconds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lagos := time.FixedZone("WAT", 3600)
	for range 1000 {
		at := time.Unix(random.Int64N(4e9), random.Int64N(1e9)).In(lagos)
		want := at.UTC().Format("2006-01-02T15:04:05.000Z")
		require.Equal(t, want, wire.Time(at))
		text, err := json.Marshal(wire.Timestamp(at))
		require.NoError(t, err)
		require.Equal(t, `"`+want+`"`, string(text))
	}
}
