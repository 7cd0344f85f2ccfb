package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sandbox"
)

// worldView is the KV of a view over a state. It reads from the database what the state does not
// have, together with the version of the world. When the world has another version by then, the
// body runs again.
type worldView struct {
	ctx   context.Context
	world *world
	state *worldState
	moved bool
}

var _ sandbox.KV = (*worldView)(nil)

// errWorldMoved is the error of reads after the world has changed. The body then runs again.
var errWorldMoved = errors.New("sqlstore: the world has changed since the view began")

func (v *worldView) Get(key string) ([]byte, bool, error) {
	if d, known := v.state.doc(key); known {
		return d.data, d.found, nil
	}
	var d worldDoc
	err := v.ask("SELECT v.version, w.key IS NOT NULL, w.value FROM world_version v LEFT JOIN world w ON w.key = ?", []any{key},
		func(scan func(...any) error, version *int64) error { return scan(version, &d.found, &d.data) })
	if err != nil {
		return nil, false, err
	}
	v.state.learnDoc(key, d)
	return d.data, d.found, nil
}

func (v *worldView) Scan(prefix, after string, limit int) ([]sandbox.Doc, error) {
	q := worldScan{prefix, after, limit}
	if docs, known := v.state.scan(q); known {
		return slices.Clone(docs), nil
	}
	var docs []sandbox.Doc
	err := v.ask("SELECT v.version, w.key, w.value FROM world_version v LEFT JOIN ("+scanOfWorld+") w ON TRUE ORDER BY w.key", q.args(),
		func(scan func(...any) error, version *int64) error {
			var key *string
			var d sandbox.Doc
			err := scan(version, &key, &d.Data)
			if key != nil {
				d.Key = *key
				docs = append(docs, d)
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	v.state.learnScan(q, docs)
	return slices.Clone(docs), nil
}

// ask reads rows that begin with the version of the world.
func (v *worldView) ask(query string, args []any, each func(scan func(...any) error, version *int64) error) error {
	var version int64
	err := v.world.db.Ask(v.ctx, query, args, func(scan func(...any) error) error { return each(scan, &version) })
	if err == nil && version != v.state.version {
		v.world.drop(v.state)
		v.moved, err = true, errWorldMoved
	}
	return err
}

func (*worldView) Put(string, []byte) error { return ferry.ErrReadOnly }
func (*worldView) Delete(string) error      { return ferry.ErrReadOnly }
func (*worldView) Clear() error             { return ferry.ErrReadOnly }
