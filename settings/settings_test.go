package settings_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

func TestASettingDoesNotChangeWithTheBytesOfAProgram(t *testing.T) {
	s, value := memstore.New(), []byte("v1")
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx store.Ports) error {
		return settings.Set(ctx, tx, "shop/release", value)
	}))
	value[0] = 'x'
	for range 2 {
		require.NoError(t, s.Read(t.Context(), func(ctx context.Context, tx store.Ports) error {
			got, _, err := settings.Get(ctx, tx, "shop/release")
			require.Equal(t, "v1", string(got))
			got[1] = 'y'
			return err
		}))
	}
}
