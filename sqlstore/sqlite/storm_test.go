package sqlite_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ferrytest/sim"
	"github.com/ferrypay/ferry/internal/storms"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/simdisk"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
)

// machine is a store in a SQLite file on a simulated disk, whose power a storm cuts.
type machine struct {
	*sqlstore.Store
	*simdisk.Disk
}

var _ sim.Machine = (*machine)(nil)

const path = "/ferry.db"

// Boot opens the store anew. What the store of before has open is given back.
func (m *machine) Boot(draw *rand.Rand) error {
	m.CutAfter(0)
	_ = m.Store.Close(context.Background()) // on a disk without power
	m.Restore(draw)
	s, err := sqlite.OpenOn(context.Background(), m.VFS(), path)
	if err == nil {
		m.Store = s
	}
	return err
}

func (m *machine) Close(ctx context.Context) error {
	err := m.Store.Close(ctx)
	m.Disk.Close()
	if errors.Is(err, sqlstore.ErrClosed) { // it could not be opened anew
		return nil
	}
	return err
}

// newMachine opens an empty store. Its file is a copy of one, as migrations take longer than most storms.
func newMachine(clock ferry.Clock, seed uint64, lies bool) (store.Backend, error) {
	empty, err := empty()
	if err != nil {
		return nil, err
	}
	d, err := simdisk.New(clock.Now, seed)
	if err != nil {
		return nil, err
	}
	d.Put(path, empty)
	if lies {
		d.Lie()
	}
	s, err := sqlite.OpenOn(context.Background(), d.VFS(), path)
	return &machine{s, d}, err
}

// empty is the file of an empty store.
var empty = sync.OnceValues(func() ([]byte, error) {
	d, err := simdisk.New(time.Now, 0)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	s, err := sqlite.OpenOn(context.Background(), d.VFS(), path)
	if err != nil {
		return nil, err
	}
	err = s.Close(context.Background())
	return d.Content(path), err
})

func onSQLite(seed uint64) sim.Config {
	return sim.Config{Store: func(clock ferry.Clock) (store.Backend, error) { return newMachine(clock, seed, false) }}
}

var stormsOnSQLite = storms.Storms{Seeds: 3, Steps: 500, On: onSQLite}

func TestTheStorm(t *testing.T)                { stormsOnSQLite.Run(t) }
func TestStormsForHours(t *testing.T)          { stormsOnSQLite.RunForHours(t) }
func TestTheSameSeedIsTheSameRun(t *testing.T) { stormsOnSQLite.Repeat(t, 7, 300) }

func TestADiskThatLiesIsFound(t *testing.T) {
	for seed := range uint64(50) {
		_, err := sim.Live(sim.Config{Seed: seed, Steps: 1500, Store: func(clock ferry.Clock) (store.Backend, error) {
			return newMachine(clock, seed, true)
		}})
		if broken := new(sim.Violation); errors.As(err, &broken) {
			t.Logf("seed %d: %s", seed, broken)
			return
		}
		require.NoError(t, err)
	}
	t.Fatal("what was committed was lost, and nobody has noticed")
}
