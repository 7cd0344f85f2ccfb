package sqlstore

import (
	"context"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// books is what a unit has done to the ledger and not committed yet. Its reads
// by key add it to what the snapshot shows.
type books struct {
	opened map[ledger.AccountID]ledger.Account
	moved  map[ledger.AccountID]sqldb.Move
	posted map[ledger.PostingID][]ledger.Entry
}

func (b *books) open(v ledger.Account) {
	if b.opened == nil {
		b.opened = map[ledger.AccountID]ledger.Account{}
	}
	v.Posted, v.Reserved = money.Of(v.Asset, 0), money.Of(v.Asset, 0)
	b.opened[v.ID] = v
}

func (b *books) move(id ledger.AccountID, m sqldb.Move) {
	if b.moved == nil {
		b.moved = map[ledger.AccountID]sqldb.Move{}
	}
	sum := b.moved[id]
	b.moved[id] = sqldb.Move{Posted: sum.Posted + m.Posted, Reserved: sum.Reserved + m.Reserved}
}

func (b *books) post(p ledger.Posting) {
	if b.posted == nil {
		b.posted = map[ledger.PostingID][]ledger.Entry{}
	}
	for i, leg := range p.Legs {
		b.posted[p.ID] = append(b.posted[p.ID], ledger.Entry{
			ID: ledger.EntryID{Posting: p.ID, Leg: i}, Account: leg.Account, Amount: leg.Amount, Kind: p.Kind, Ref: p.Ref, At: p.At,
		})
	}
}

// addTo returns an account with the unit's own moves.
func (b *books) addTo(a ledger.Account) (_ ledger.Account, err error) {
	m := b.moved[a.ID]
	if a.Posted, err = a.Posted.Add(money.Of(a.Asset, m.Posted)); err != nil {
		return a, err
	}
	a.Reserved, err = a.Reserved.Add(money.Of(a.Asset, m.Reserved))
	return a, err
}

// facts is what never changes about an account.
type facts struct {
	asset     money.Asset
	env       ferry.Env
	uncounted bool
	control   ledger.AccountID
}

func factsOf(a ledger.Account) facts { return facts{a.Asset, a.Scope.Env, a.Uncounted, a.Control} }

// facts returns those of an account, or ledger.ErrAccountNotFound. It does not
// count as reading the account.
func (s ledgerStore) facts(ctx context.Context, id ledger.AccountID) (facts, error) {
	if a, own := s.books.opened[id]; own {
		return factsOf(a), nil
	}
	if f, known := s.store.accounts.get(id); known {
		return f, nil
	}
	a, err := s.snapshotAccount(ctx, id)
	if err != nil {
		return facts{}, err
	}
	f := factsOf(*a)
	s.store.accounts.put(id, f)
	return f, nil
}

// factsCache keeps the facts of accounts that were used lately.
type factsCache struct {
	mu    sync.Mutex
	facts map[ledger.AccountID]facts
}

// cachedAccounts is how many accounts the cache holds before it starts anew.
const cachedAccounts = 1 << 16

func (c *factsCache) get(id ledger.AccountID) (facts, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, known := c.facts[id]
	return f, known
}

func (c *factsCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.facts = nil
}

func (c *factsCache) put(id ledger.AccountID, f facts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.facts == nil || len(c.facts) >= cachedAccounts {
		c.facts = map[ledger.AccountID]facts{}
	}
	c.facts[id] = f
}
