package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sandbox/sandboxtest"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
)

func TestTheWorldOnSQLite(t *testing.T) {
	sandboxtest.Run(t, func(t *testing.T) sandbox.Store { return fresh(t).World() })
}

func putDoc(key, doc string) func(sandbox.KV) error {
	return func(kv sandbox.KV) error { return kv.Put(key, []byte(doc)) }
}

func readDoc(t *testing.T, s *sqlstore.Store, key string) (text string) {
	t.Helper()
	require.NoError(t, s.World().View(t.Context(), 0, func(kv sandbox.KV) error {
		doc, _, err := kv.Get(key)
		text = string(doc)
		return err
	}))
	return text
}

func TestTheWorldIsThereAfterAnOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.World().Update(t.Context(), putDoc("a", "1")))
	require.NoError(t, s.Close(t.Context()))
	require.ErrorIs(t, s.World().Update(t.Context(), putDoc("a", "2")), sqlstore.ErrClosed)
	require.ErrorIs(t, s.World().View(t.Context(), 0, putDoc("a", "2")), sqlstore.ErrClosed)
	require.Equal(t, "1", readDoc(t, open(t, path), "a"))
}

func TestTheWorldIsNoPartOfAUnit(t *testing.T) {
	s := fresh(t)
	world := s.World()
	require.NoError(t, world.Update(t.Context(), putDoc("a", "1")))
	fails := errors.New("the unit fails")
	require.ErrorIs(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		require.NoError(t, openBooks(ctx, p))
		require.ErrorIs(t, world.Update(ctx, putDoc("a", "2")), ferry.ErrNestedUnit)
		require.Equal(t, "1", readDoc(t, s, "a"), "a unit may ask the world's clock")
		return fails
	}), fails)
	require.NoError(t, s.Write(t.Context(), openBooks), "nothing of the unit is there")
}

func TestUnitsThatHoldAllSnapshotsMayAskTheWorld(t *testing.T) {
	s := fresh(t)
	require.NoError(t, s.Write(t.Context(), openBooks))
	const units = 8 // the sessions of the pool
	var holding, ended sync.WaitGroup
	holding.Add(units)
	for range units {
		ended.Go(func() {
			err := s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
				_, err := p.Ledger().Account(ctx, till)
				holding.Done()
				holding.Wait()
				return errors.Join(err, s.World().View(t.Context(), 0, func(kv sandbox.KV) error {
					_, _, err := kv.Get("a")
					return err
				}))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	ended.Wait()
}

func TestUnitsAndUpdatesOfTheWorldDoNotHinderEachOther(t *testing.T) {
	s := fresh(t)
	require.NoError(t, s.Write(t.Context(), openBooks))
	const workers, rounds = 8, 25
	var running sync.WaitGroup
	for i := range workers {
		running.Go(func() {
			for n := range rounds {
				name := strconv.Itoa(i) + "-" + strconv.Itoa(n)
				err := s.World().Update(t.Context(), putDoc(name, "there"))
				if err = errors.Join(err, s.Write(t.Context(), deposit(ledger.PostingID(name)))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	require.EqualValues(t, workers*rounds, posted(t, s))
	require.Equal(t, "there", readDoc(t, s, "7-24"))
}

func TestAStateOfTheWorldKnowsItsOwnUpdates(t *testing.T) {
	s := fresh(t)
	read := func(kv sandbox.KV) (text string) {
		doc, _, err := kv.Get("k/1")
		require.NoError(t, err)
		docs, err := kv.Scan("k/", "", 10)
		require.NoError(t, err)
		text = string(doc)
		for _, d := range docs {
			text += " " + d.Key + "=" + string(d.Data)
		}
		return text
	}
	for i := range 40 {
		require.NoError(t, s.World().View(t.Context(), time.Hour, func(kv sandbox.KV) error {
			if i > 0 {
				require.Equal(t, fmt.Sprintf("%d k/1=%[1]d k/2=%[1]d", i-1), read(kv))
			}
			return nil
		}))
		require.NoError(t, s.World().Update(t.Context(), func(kv sandbox.KV) error {
			value := []byte(strconv.Itoa(i))
			return errors.Join(kv.Put("k/1", value), kv.Put("k/2", value), kv.Put("k/3", value), kv.Delete("k/3"))
		}))
		failed := errors.New("failed")
		require.ErrorIs(t, s.World().Update(t.Context(), func(kv sandbox.KV) error {
			return errors.Join(kv.Put("k/1", []byte("never")), failed)
		}), failed)
	}
}

func TestMoreDocumentsThanAStateKeepsAreReadAllTheSame(t *testing.T) {
	s := fresh(t)
	const documents = 5000
	name := func(i int) string { return fmt.Sprintf("k/%05d", i) }
	require.NoError(t, s.World().Update(t.Context(), func(kv sandbox.KV) error {
		for i := range documents {
			if err := kv.Put(name(i), []byte(strconv.Itoa(i))); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.World().View(t.Context(), time.Hour, func(kv sandbox.KV) error {
		for i := range documents {
			doc, found, err := kv.Get(name(i))
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, strconv.Itoa(i), string(doc))
		}
		docs, err := kv.Scan("k/", name(4), 3)
		require.NoError(t, err)
		require.Len(t, docs, 3)
		require.Equal(t, name(5), docs[0].Key)
		return nil
	}))
}

func TestAWorldThatPanicsLeavesTheStoreInOrder(t *testing.T) {
	s := fresh(t)
	require.Panics(t, func() {
		_ = s.World().Update(t.Context(), func(kv sandbox.KV) error {
			require.NoError(t, kv.Put("a", []byte("1")))
			panic("boom")
		})
	})
	require.NoError(t, s.Write(t.Context(), openBooks))
	require.Empty(t, readDoc(t, s, "a"))
}

func TestAWorldWhoseVersionGoesBackIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	back := func() { // to the state of version 1, as a restored backup has it
		_, err := db.Exec("UPDATE world SET value = x'31'; UPDATE world_version SET version = 1")
		require.NoError(t, err)
	}
	for _, doc := range []string{"1", "2", "3"} {
		require.NoError(t, s.World().Update(t.Context(), putDoc("a", doc)))
		require.Equal(t, doc, readDoc(t, s, "a"))
	}
	back()
	reading, cancel := context.WithTimeout(t.Context(), 10*time.Second) // so that a loop ends
	defer cancel()
	require.NoError(t, s.World().View(reading, 0, func(kv sandbox.KV) error {
		doc, _, err := kv.Get("a")
		require.NoError(t, err)
		require.Equal(t, "1", string(doc))
		_, err = kv.Scan("a", "", 1)
		return err
	}))

	require.NoError(t, s.World().Update(t.Context(), putDoc("a", "2")))
	require.NoError(t, s.World().Update(t.Context(), putDoc("a", "3")))
	back()
	require.NoError(t, s.World().Update(t.Context(), putDoc("a", "another 2")))
	require.NoError(t, s.World().View(reading, time.Hour, func(kv sandbox.KV) error {
		doc, _, err := kv.Get("a")
		require.NoError(t, err)
		require.Equal(t, "another 2", string(doc), "a view has all updates of this process")
		return nil
	}))
}
