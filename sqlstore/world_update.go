package sqlstore

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// worldUpdate is one update of the world. It buffers its writes until it scans their keys, or
// ends.
type worldUpdate struct {
	ctx context.Context
	tx  sqldb.Writer
	// known is the state with which the update began.
	known *worldState
	// written is everything that the update has written. kept has the keys of what is not in
	// the database yet.
	written map[string]worldDoc
	kept    map[string]bool
	cleared bool
}

var _ sandbox.KV = (*worldUpdate)(nil)

// begin begins an update. It reads the version of the world, which nobody else changes until the
// update ends.
func (w *world) begin(ctx context.Context, tx sqldb.Writer) (*worldUpdate, error) {
	u := &worldUpdate{ctx: ctx, tx: tx, written: map[string]worldDoc{}, kept: map[string]bool{}}
	version, err := u.version()
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if u.known = w.newest; u.known.version != version {
		u.known = newWorldState(version)
	}
	return u, nil
}

func (u *worldUpdate) version() (version int64, err error) {
	_, err = sqldb.One(u.ctx, u.tx, versionOfWorld, nil, &version)
	return version, err
}

func (u *worldUpdate) Get(key string) ([]byte, bool, error) {
	d, known := u.written[key]
	if !known && !u.cleared {
		d, known = u.known.doc(key)
	}
	if known || u.cleared {
		return d.data, d.found, nil
	}
	found, err := sqldb.One(u.ctx, u.tx, docOfWorld, []any{key}, &d.data)
	if d.found = found; err == nil {
		u.known.learnDoc(key, d)
	}
	return d.data, d.found, err
}

func (u *worldUpdate) Scan(prefix, after string, limit int) (docs []sandbox.Doc, err error) {
	q, own := worldScan{prefix, after, limit}, u.cleared || u.wrote(prefix)
	if own {
		if err := u.flush(); err != nil {
			return nil, err
		}
	} else if docs, known := u.known.scan(q); known {
		return slices.Clone(docs), nil
	}
	err = u.tx.Query(u.ctx, scanOfWorld, q.args(), func(scan func(...any) error) error {
		var d sandbox.Doc
		err := scan(&d.Key, &d.Data)
		docs = append(docs, d)
		return err
	})
	if err == nil && !own {
		u.known.learnScan(q, docs)
	}
	return slices.Clone(docs), err
}

// wrote reports whether the update has written a key with a prefix.
func (u *worldUpdate) wrote(prefix string) bool {
	for key := range u.written {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

func (u *worldUpdate) Put(key string, doc []byte) error {
	doc = append(make([]byte, 0, max(1, len(doc))), doc...) // nil would be NULL
	u.written[key], u.kept[key] = worldDoc{doc, true}, true
	return nil
}

func (u *worldUpdate) Delete(key string) error {
	u.written[key], u.kept[key] = worldDoc{}, true
	return nil
}

func (u *worldUpdate) Clear() error {
	clear(u.written)
	clear(u.kept)
	u.cleared = true
	_, err := u.tx.Exec("DELETE FROM world", nil)
	return err
}

// finish writes what is kept, and returns what is known of the new version.
func (u *worldUpdate) finish() (*worldState, error) {
	if err := u.flush(); err != nil {
		return nil, err
	}
	if len(u.written) == 0 && !u.cleared {
		return u.known, nil
	}
	version, err := u.version()
	if err != nil {
		return nil, err
	}
	if u.cleared {
		return newWorldState(version).after(version, u.written), nil
	}
	return u.known.after(version, u.written), nil
}

// flush gives the database what is kept, several keys in a statement.
func (u *worldUpdate) flush() error {
	var puts, deletes []any
	n := map[bool]int{}
	for _, key := range slices.Sorted(maps.Keys(u.kept)) {
		d := u.written[key]
		if n[d.found]++; d.found {
			puts = append(puts, key, d.data)
		} else {
			deletes = append(deletes, key)
		}
	}
	clear(u.kept)
	if err := u.each(n[true], puts, "INSERT INTO world (key, value) VALUES ", "(?, ?)",
		" ON CONFLICT (key) DO UPDATE SET value = excluded.value"); err != nil {
		return err
	}
	return u.each(n[false], deletes, "DELETE FROM world WHERE key IN (", "?", ")")
}

// each runs a statement on n items, by 16 and then by ever fewer, so that its texts are few.
func (u *worldUpdate) each(n int, args []any, before, item, after string) error {
	width := strings.Count(item, "?")
	for size := 16; n > 0; {
		if size > n {
			size /= 2
			continue
		}
		if _, err := u.tx.Exec(before+item+strings.Repeat(", "+item, size-1)+after, args[:size*width]); err != nil {
			return err
		}
		args, n = args[size*width:], n-size
	}
	return nil
}
