package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// counter returns a row with a number and a version: the endpoint of a business
// of that name, or a new one, and its failures.
func counter(ctx context.Context, p store.Ports, name string) (webhook.Endpoint, error) {
	scope := ferry.Scope{Business: ferry.BusinessID(name), Env: home.Env}
	row, err := webhook.EndpointOf(ctx, p, scope)
	if errors.Is(err, webhook.ErrEndpointNotFound) {
		return webhook.Endpoint{Scope: scope, CreatedAt: start, UpdatedAt: start}, nil
	}
	return row, err
}

func testContention(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("counters that are read and written by many units lose nothing", func(t *testing.T) {
		b := open(t)
		const workers, rounds = 8, 25
		together(t, workers, func(i int) error {
			for range rounds {
				if err := b.Write(t.Context(), addTo(i%2, 1)); err != nil {
					return err
				}
			}
			return nil
		})
		require.EqualValues(t, workers*rounds, look(t, b, number(0))+look(t, b, number(1)))
	})

	t.Run("two units that each decide on the absence of the other's row do not both win", func(t *testing.T) {
		b := open(t)
		for round := range 20 {
			pair := []string{fmt.Sprintf("left-%d", round), fmt.Sprintf("right-%d", round)}
			together(t, 2, func(i int) error {
				return b.Write(t.Context(), putIfAlone(pair[i], pair[1-i]))
			})
			require.Equal(t, 1, look(t, b, howMany(pair)), "round %d", round)
		}
	})

	t.Run("a read unit sees one state and never a unit that failed", func(t *testing.T) {
		b := open(t)
		write(t, b, addToBoth(1))
		done := make(chan struct{})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { readBothUntil(t, b, done) })
		}
		together(t, 4, func(i int) error { return addOrFail(t.Context(), b, i) })
		close(done)
		wg.Wait()
		require.EqualValues(t, 1+4*20, look(t, b, number(0)))
	})
}

func numbered(i int) string { return fmt.Sprintf("counter-%d", i) }

// addTo reads a counter and writes it back with n more.
func addTo(i, n int) body {
	return func(ctx context.Context, p store.Ports) error {
		row, err := counter(ctx, p, numbered(i))
		if err != nil {
			return err
		}
		row.Failures += n
		return webhook.EndpointKind.Put(ctx, p, row)
	}
}

func addToBoth(n int) body {
	return func(ctx context.Context, p store.Ports) error {
		if err := addTo(0, n)(ctx, p); err != nil {
			return err
		}
		return addTo(1, n)(ctx, p)
	}
}

// addOrFail adds 1 to both counters in 20 units, and between them adds 1000 to
// one of them in units that fail.
func addOrFail(ctx context.Context, b store.Backend, i int) error {
	for range 20 {
		if err := b.Write(ctx, addToBoth(1)); err != nil {
			return err
		}
		err := b.Write(ctx, func(ctx context.Context, p store.Ports) error {
			if err := addTo(i%2, 1000)(ctx, p); err != nil {
				return err
			}
			return errFail
		})
		if !errors.Is(err, errFail) {
			return fmt.Errorf("a unit that fails returned %w", err)
		}
	}
	return nil
}

// readBothUntil reads the counters in the two orders until done, and reports
// counters that differ.
func readBothUntil(t *testing.T, b store.Backend, done <-chan struct{}) {
	for {
		var first, second int
		err := b.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
			if first, err = number(0)(ctx, p); err != nil {
				return err
			}
			second, err = number(1)(ctx, p)
			return err
		})
		if err != nil || first != second {
			t.Errorf("a read unit saw %d and %d: %v", first, second, err)
			return
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

func number(i int) func(context.Context, store.Ports) (int, error) {
	return func(ctx context.Context, p store.Ports) (int, error) {
		row, err := counter(ctx, p, numbered(i))
		return row.Failures, err
	}
}

// putIfAlone writes own unless the other one is there.
func putIfAlone(own, other string) body {
	return func(ctx context.Context, p store.Ports) error {
		row, err := counter(ctx, p, other)
		if err != nil || row.Version > 0 {
			return err
		}
		if row, err = counter(ctx, p, own); err != nil {
			return err
		}
		return webhook.EndpointKind.Put(ctx, p, row)
	}
}

// howMany counts the counters that are there.
func howMany(names []string) func(context.Context, store.Ports) (int, error) {
	return func(ctx context.Context, p store.Ports) (n int, err error) {
		for _, name := range names {
			row, err := counter(ctx, p, name)
			if err != nil {
				return 0, err
			}
			if row.Version > 0 {
				n++
			}
		}
		return n, nil
	}
}
