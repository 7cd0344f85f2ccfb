package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
)

// act is one write of a unit.
type act struct {
	insert bool
	row    customers.Customer
}

var statuses = customers.Lifecycle.States()

func drawAct(t *rapid.T) act {
	text := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	return act{rapid.Bool().Draw(t, "insert"), customers.Customer{
		ID:        customers.ID(text("id", "1", "2", "3", "4")),
		Scope:     scope,
		Type:      "individual",
		Status:    rapid.SampledFrom(statuses).Draw(t, "status"),
		Email:     text("email", "a", "b", "c", "d", "e"),
		Phone:     text("phone", "1", "2", "3", "4", "5"),
		CreatedAt: noon, UpdatedAt: noon,
	}}
}

func (a act) do(ctx context.Context, p store.Ports) error {
	if a.insert {
		return customers.CustomerKind.Insert(ctx, p, a.row)
	}
	stored, err := customers.CustomerKind.Get(ctx, p, scope, a.row.ID)
	if err != nil {
		return err
	}
	row := a.row
	row.Version = stored.Version
	return customers.CustomerKind.Update(ctx, p, row)
}

var errAborted = errors.New("the unit is aborted")

// doAll runs acts in one unit.
func doAll(ctx context.Context, b store.Backend, acts []act, abort bool) error {
	return b.Write(ctx, func(ctx context.Context, p store.Ports) error {
		for _, a := range acts {
			if err := a.do(ctx, p); err != nil {
				return err
			}
		}
		if abort {
			return errAborted
		}
		return nil
	})
}

// listed returns the list of a scope in each status, with totals.
func listed(t require.TestingT, ctx context.Context, b store.Backend) (all []ferry.List[customers.Customer]) {
	require.NoError(t, b.Read(ctx, func(ctx context.Context, p store.Ports) error {
		for _, status := range append([]customers.Status{""}, statuses...) {
			list, err := customers.CustomerKind.Page(ctx, p, scope, customers.Filter{Status: status}.Query(), ferry.Page{})
			require.NoError(t, err)
			require.Len(t, list.Data, list.Total, "the counter of %q", status)
			all = append(all, list)
		}
		return nil
	}))
	return all
}

// Unique columns that move between rows of one unit, rows that are inserted and
// changed in one, counters after refusals: all as in memory.
func TestUnitsDoTheSameAsInMemory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		inFile, inMemory := fresh(t), memstore.New()
		defer func() { require.NoError(rt, inFile.Close(t.Context())) }()
		for range rapid.IntRange(1, 12).Draw(rt, "units") {
			acts := rapid.SliceOfN(rapid.Custom(drawAct), 1, 4).Draw(rt, "acts")
			abort := rapid.IntRange(0, 5).Draw(rt, "abort") == 0
			got, want := doAll(t.Context(), inFile, acts, abort), doAll(t.Context(), inMemory, acts, abort)
			require.Equal(rt, want == nil, got == nil, "%v, in memory %v", got, want)
			require.Equal(rt, listed(rt, t.Context(), inMemory), listed(rt, t.Context(), inFile))
		}
	})
}

func TestCountersAreRightAfterACrowd(t *testing.T) {
	s := fresh(t)
	var working sync.WaitGroup
	for worker := range 8 {
		working.Go(func() {
			draw := rapid.SliceOfN(rapid.Custom(drawAct), 1, 3)
			for n := range 40 {
				err := doAll(t.Context(), s, draw.Example(worker*1000+n), n%5 == 0)
				for _, expected := range []error{nil, errAborted, customers.ErrDuplicate, customers.ErrNotFound} {
					if errors.Is(err, expected) {
						err = nil
					}
				}
				if err != nil && !strings.Contains(err.Error(), "has a row") {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	listed(t, t.Context(), s)
}
