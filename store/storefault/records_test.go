package storefault_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

func TestEachOperationOnRowsFailsByTheNameOfItsTable(t *testing.T) {
	line := statement.Transaction{ID: "trx_1", Scope: scope, Reference: "a", CreatedAt: at}
	for name, do := range map[string]func(context.Context, store.Ports) error{
		"Insert": func(ctx context.Context, p store.Ports) error { return statement.Kind.Insert(ctx, p, line) },
		"Update": func(ctx context.Context, p store.Ports) error { return statement.Kind.Update(ctx, p, line) },
		"Get": func(ctx context.Context, p store.Ports) error {
			_, err := statement.Kind.Get(ctx, p, scope, line.ID)
			return err
		},
		"Anyones": func(ctx context.Context, p store.Ports) error {
			_, err := statement.Kind.Anyones(ctx, p, line)
			return err
		},
		"Find": func(ctx context.Context, p store.Ports) error {
			_, err := statement.Kind.Find(ctx, p, statement.ByReference, line)
			return err
		},
		"After": func(ctx context.Context, p store.Ports) error {
			_, err := statement.Kind.After(ctx, p, records.Query{}, "", 1)
			return err
		},
		"Page": func(ctx context.Context, p store.Ports) error {
			_, err := statement.Kind.Page(ctx, p, scope, records.Query{}, ferry.Page{})
			return err
		},
	} {
		b := storefault.FailNth(memstore.New(), 1, errFault)
		require.ErrorIs(t, b.Write(t.Context(), do), errFault, name)
		require.Equal(t, []string{statement.Kind.Name + "." + name}, b.Operations())
	}
}
