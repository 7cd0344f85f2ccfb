package memstore

import (
	"context"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

type holdTables struct {
	holds    table[ferry.Env, wallets.Hold]
	sent     table[ferry.Env, chain.Cursor]
	outflows table[signature, wallets.Outflow]
	// open are the signatures of outflows that were not adopted, in order.
	open table[ferry.Env, []chain.Signature]
}

func (s walletStore) Hold(_ context.Context, env ferry.Env) (wallets.Hold, error) {
	h := s.tables.holds.holds.row(env)
	h.Env = env
	return h, nil
}

func (s walletStore) PutHold(_ context.Context, h wallets.Hold) error {
	if err := s.writable(); err != nil {
		return err
	}
	if s.tables.holds.holds.row(h.Env).Version != h.Version {
		return ferry.ErrStale
	}
	h.Version++
	s.tables.holds.holds.put(s.undo, h.Env, h)
	return nil
}

func (s walletStore) SentCursor(_ context.Context, env ferry.Env) (chain.Cursor, error) {
	return s.tables.holds.sent.row(env), nil
}

func (s walletStore) PutSentCursor(_ context.Context, env ferry.Env, c chain.Cursor) error {
	if err := s.writable(); err != nil {
		return err
	}
	s.tables.holds.sent.put(s.undo, env, c)
	return nil
}

func (s walletStore) InsertOutflow(_ context.Context, o wallets.Outflow) error {
	if err := s.writable(); err != nil {
		return err
	}
	if s.tables.holds.outflows.has(signature{o.Env, o.Signature}) {
		return wallets.ErrOutflowExists
	}
	o.Version = 1
	s.putOutflow(o)
	return nil
}

func (s walletStore) Outflow(_ context.Context, env ferry.Env, text chain.Signature) (wallets.Outflow, error) {
	o, found := s.tables.holds.outflows.get(signature{env, text})
	if !found {
		return wallets.Outflow{}, wallets.ErrOutflowNotFound
	}
	return o, nil
}

func (s walletStore) UpdateOutflow(ctx context.Context, o wallets.Outflow) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Outflow(ctx, o.Env, o.Signature)
	if err != nil {
		return err
	}
	if stored.Version != o.Version {
		return ferry.ErrStale
	}
	o.Version++
	s.putOutflow(o)
	return nil
}

// putOutflow writes an outflow and lists it while it is open.
func (s walletStore) putOutflow(o wallets.Outflow) {
	t := &s.tables.holds
	t.outflows.put(s.undo, signature{o.Env, o.Signature}, o)
	open := slices.DeleteFunc(slices.Clone(t.open.row(o.Env)), func(text chain.Signature) bool { return text == o.Signature })
	if o.AdoptedAt.IsZero() {
		open = append(open, o.Signature)
		slices.SortFunc(open, func(a, b chain.Signature) int { return strings.Compare(string(a), string(b)) })
	}
	t.open.put(s.undo, o.Env, open)
}

func (s walletStore) OpenOutflows(_ context.Context, env ferry.Env, after chain.Signature, limit int) ([]wallets.Outflow, error) {
	page := []wallets.Outflow{}
	for _, text := range s.tables.holds.open.row(env) {
		if len(page) < limit && text > after {
			page = append(page, s.tables.holds.outflows.row(signature{env, text}))
		}
	}
	return page, nil
}
