package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

var _ = caseOf(kindCase[settings.Name, settings.Setting]{
	kind: settings.Kind, key: "Name",
	row: func(scope ferry.Scope, n int) settings.Setting {
		return settings.Setting{Name: settings.Name(idOf(string(scope.Env)+string(scope.Business), n)), Value: []byte("first")}
	},
	change: func(s *settings.Setting) { s.Value = []byte("second") },
})

func testSettings(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a setting has the value that was set last", func(t *testing.T) {
		b := open(t)
		require.Equal(t, "", look(t, b, setting("one")))
		for _, value := range []string{"1", "2"} {
			write(t, b, set("one", value))
		}
		write(t, b, set("two", "3"))
		require.Equal(t, "2", look(t, b, setting("one")))
	})
	t.Run("of those who set one that is not there, the first decides", func(t *testing.T) {
		b := open(t)
		taken := errors.New("taken")
		errs := race(8, func(int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				if _, found, err := settings.Get(ctx, p, "one"); err != nil || found {
					return errors.Join(err, taken)
				}
				return settings.Set(ctx, p, "one", []byte("1"))
			})
		})
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			require.ErrorIs(t, err, taken)
		}
		require.Equal(t, 1, won)
	})
	readOnly(t, open, map[string]body{"Set": set("one", "1")})
}

func set(name settings.Name, value string) body {
	return func(ctx context.Context, p store.Ports) error { return settings.Set(ctx, p, name, []byte(value)) }
}

func setting(name settings.Name) func(context.Context, store.Ports) (string, error) {
	return func(ctx context.Context, p store.Ports) (string, error) {
		value, _, err := settings.Get(ctx, p, name)
		return string(value), err
	}
}
