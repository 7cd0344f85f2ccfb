package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
)

// owned is rows of one kind that a scope owns, as a suite asks for them.
type owned[R any] struct {
	// row is the n-th row of a scope, with no field empty.
	row     func(scope ferry.Scope, n int) R
	insert  func(ctx context.Context, p store.Ports, row R) error
	get     func(ctx context.Context, p store.Ports, scope ferry.Scope, row R) (R, error)
	update  func(ctx context.Context, p store.Ports, row R) error
	version func(*R) *int64
	// change is something of a row that may change.
	change  func(*R)
	missing error
	// fixed names the fields that no update changes; keys those by which an
	// update finds its row, "ID" when there are none.
	fixed, keys []string
	// given, if not nil, gives a row to another scope; else its field Scope becomes it.
	given func(*R, ferry.Scope)
	// others are scopes in which a row of home is not there; nil is away and live.
	others []ferry.Scope
	// keep, if not nil, does for a kind of record what fixed says of others.
	keep func(t *testing.T, stored R, changed *R)
}

func (o owned[R]) inserted(row R) body {
	return func(ctx context.Context, p store.Ports) error { return o.insert(ctx, p, row) }
}

func (o owned[R]) updated(row R) body {
	return func(ctx context.Context, p store.Ports) error { return o.update(ctx, p, row) }
}

func (o owned[R]) in(scope ferry.Scope, row R) func(context.Context, store.Ports) (R, error) {
	return func(ctx context.Context, p store.Ports) (R, error) { return o.get(ctx, p, scope, row) }
}

// stored is the row as it comes back.
func (o owned[R]) stored(row R, version int64) R {
	*o.version(&row) = version
	return row
}

// elsewhere is the scopes in which a row of home is not there.
func (o owned[R]) elsewhere() []ferry.Scope {
	if o.others == nil {
		return []ferry.Scope{away, live}
	}
	return o.others
}

// test checks what holds for rows of every kind.
func (o owned[R]) test(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a row comes back as it went in, with version 1", func(t *testing.T) {
		b, row := open(t), o.row(home, 1)
		*o.version(&row) = 7
		write(t, b, o.inserted(row))
		require.Equal(t, o.stored(row, 1), look(t, b, o.in(home, row)))
	})
	t.Run("nobody else sees it", func(t *testing.T) {
		b, row := open(t), o.row(home, 1)
		write(t, b, o.inserted(row))
		for _, scope := range o.elsewhere() {
			missing(t, b, o.missing, func(ctx context.Context, p store.Ports) error {
				_, err := o.get(ctx, p, scope, row)
				return err
			})
		}
		missing(t, b, o.missing, func(ctx context.Context, p store.Ports) error {
			_, err := o.get(ctx, p, home, o.row(home, 2))
			return err
		})
	})
	t.Run("a change raises the version and is seen within the unit", func(t *testing.T) {
		b, row := open(t), o.row(home, 1)
		write(t, b, o.inserted(row))
		row = o.stored(row, 1)
		o.change(&row)
		write(t, b, func(ctx context.Context, p store.Ports) error {
			if err := o.update(ctx, p, row); err != nil {
				return err
			}
			seen, err := o.get(ctx, p, home, row)
			require.Equal(t, o.stored(row, 2), seen)
			return err
		})
		require.Equal(t, o.stored(row, 2), look(t, b, o.in(home, row)))
	})
	t.Run("a change of what has moved on is refused", func(t *testing.T) {
		b, row := open(t), o.row(home, 1)
		write(t, b, o.inserted(row))
		row = o.stored(row, 1)
		write(t, b, o.updated(row))
		refuse(t, b, ferry.ErrStale, o.updated(row))
	})
	t.Run("a change of what is not there is refused", func(t *testing.T) {
		refuse(t, open(t), o.missing, o.updated(o.stored(o.row(home, 1), 1)))
	})
	o.testChanges(t, open)
	t.Run("a unit that fails leaves no row", func(t *testing.T) {
		b, row := open(t), o.row(home, 1)
		refuse(t, b, errFail, func(ctx context.Context, p store.Ports) error {
			if err := o.insert(ctx, p, row); err != nil {
				return err
			}
			return errFail
		})
		missing(t, b, o.missing, func(ctx context.Context, p store.Ports) error {
			_, err := o.get(ctx, p, home, row)
			return err
		})
		write(t, b, o.inserted(row))
	})
	readOnly(t, open, map[string]body{
		"an insert": o.inserted(o.row(home, 1)),
		"an update": o.updated(o.row(home, 1)),
	})
}
