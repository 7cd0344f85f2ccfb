package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// World returns the store of the simulated world, which lives in a table of its
// own and ends with s. An update waits until no unit commits and then runs once.
// Inside a unit of work it is refused with ferry.ErrNestedUnit, because it might
// wait for the end of that unit.
func (s *Store) World() sandbox.Store { return world{s.db} }

type world struct{ db sqldb.Database }

var _ sandbox.Store = world{}

// Update runs body in a transaction; no unit commits meanwhile.
func (w world) Update(ctx context.Context, body func(sandbox.KV) error) error {
	ctx, err := ferry.EnterUnit(ctx)
	if err != nil {
		return err
	}
	return w.db.Update(ctx, func(tx sqldb.Writer) error { return body(worldKV{ctx, tx, tx}) })
}

// View runs body on a snapshot. It waits for no unit: a unit may ask the
// world's clock.
func (w world) View(ctx context.Context, body func(sandbox.KV) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	snap, err := w.db.Look(ctx)
	if err != nil {
		return err
	}
	defer snap.End()
	return body(worldKV{ctx, snap, nil})
}

// worldKV is one transaction, in the context of its caller: sandbox.KV has none of
// its own. A nil writer makes it read only.
type worldKV struct {
	ctx  context.Context
	from sqldb.Asker
	into sqldb.Writer
}

var _ sandbox.KV = worldKV{}

func (kv worldKV) Get(key string) (doc []byte, found bool, err error) {
	found, err = sqldb.One(kv.ctx, kv.from, "SELECT value FROM world WHERE key = ?", []any{key}, &doc)
	return doc, found, err
}

func (kv worldKV) Put(key string, doc []byte) error {
	doc = append(make([]byte, 0, 1), doc...) // nil would be NULL
	return kv.write(`INSERT INTO world (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, doc)
}

func (kv worldKV) Delete(key string) error {
	return kv.write("DELETE FROM world WHERE key = ?", key)
}

func (kv worldKV) Clear() error { return kv.write("DELETE FROM world") }

func (kv worldKV) write(sql string, args ...any) error {
	if kv.into == nil {
		return ferry.ErrReadOnly
	}
	_, err := kv.into.Exec(sql, args)
	return err
}

// afterKeys sorts after every character that a key may have.
const afterKeys = "\x7f"

func (kv worldKV) Scan(prefix, after string, limit int) (docs []sandbox.Doc, err error) {
	err = kv.from.Query(kv.ctx,
		"SELECT key, value FROM world WHERE key > ? AND key >= ? AND key < ? ORDER BY key LIMIT ?",
		[]any{after, prefix, prefix + afterKeys, max(limit, 0)},
		func(scan func(...any) error) error {
			var d sandbox.Doc
			err := scan(&d.Key, &d.Data)
			docs = append(docs, d)
			return err
		})
	return docs, err
}
