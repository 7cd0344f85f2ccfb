package ferry_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

func TestAScopeSaysWhoseItIsAndAZeroOneSaysThat(t *testing.T) {
	for want, scope := range map[string]ferry.Scope{
		"zero Scope": {}, "test/biz_1": {Business: "biz_1", Env: ferry.Test}, "live/": {Env: ferry.Live},
	} {
		require.Equal(t, want, scope.String())
		var out bytes.Buffer
		slog.New(slog.NewJSONHandler(&out, nil)).Info("called", "scope", scope)
		require.Contains(t, out.String(), `"scope":"`+want+`"`)
	}
}

// opened counts the units that were opened.
type opened struct{ n *int }

func (o opened) Read(ctx context.Context, body func(context.Context, int) error) error {
	*o.n++
	return body(ctx, 0)
}
func (o opened) Write(ctx context.Context, body func(context.Context, int) error) error {
	return o.Read(ctx, body)
}

func TestNoUnitIsOpenedForTheZeroScope(t *testing.T) {
	n := 0
	nothing := func(context.Context, int) error { return nil }
	for scope, want := range map[ferry.Scope]error{{}: ferry.ErrZeroScope, {Env: ferry.Test}: nil} {
		units := ferry.UnitsOf[int](opened{&n}, opened{&n}).Of(scope)
		require.ErrorIs(t, units.Read(t.Context(), nothing), want)
		require.ErrorIs(t, units.Write(t.Context(), nothing), want)
	}
	require.Equal(t, 2, n)
}
