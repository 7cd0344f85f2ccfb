package storetest

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

var _ = caseOf(kindCase[settings.Name, settings.Setting]{
	kind: settings.Kind,
	row: func(scope ferry.Scope, n int) settings.Setting {
		return settings.Setting{Name: settings.Name(idOf(string(scope.Env)+string(scope.Business), n)), Value: []byte("first")}
	},
	change: func(s *settings.Setting) { s.Value = []byte("second") },
})

func set(name settings.Name, value string) body {
	return func(ctx context.Context, p store.Ports) error { return settings.Set(ctx, p, name, []byte(value)) }
}

func setting(name settings.Name) func(context.Context, store.Ports) (string, error) {
	return func(ctx context.Context, p store.Ports) (string, error) {
		value, _, err := settings.Get(ctx, p, name)
		return string(value), err
	}
}
