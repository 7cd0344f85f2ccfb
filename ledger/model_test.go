package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// model says in a few maps what the books must hold. Accounts w/a and w/b are
// under w; chain and fees are uncounted.
type model struct {
	posted, reserved map[ledger.AccountID]int64
	held             map[ledger.ReservationID]ledger.Reservation
	postings         int
}

var (
	counted = []ledger.AccountID{"w/a", "w/b", "x"}
	chainID = ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC)
	feesID  = ledger.SystemAccount(ferry.Test, ledger.NetworkFees, money.AssetUSDC)
)

func newModel() *model {
	return &model{
		posted:   map[ledger.AccountID]int64{},
		reserved: map[ledger.AccountID]int64{},
		held:     map[ledger.ReservationID]ledger.Reservation{},
	}
}

// post applies legs when every counted account keeps what it has reserved.
func (m *model) post(legs []ledger.Leg) bool {
	after := map[ledger.AccountID]int64{}
	for _, leg := range legs {
		if _, seen := after[leg.Account]; !seen {
			after[leg.Account] = m.posted[leg.Account]
		}
		after[leg.Account] += leg.Amount.Minor()
	}
	for _, id := range counted {
		if posted, moved := after[id]; moved && posted < m.reserved[id] {
			return false
		}
	}
	for id, posted := range after {
		m.posted[id] = posted
	}
	return true
}

func (m *model) reserve(r ledger.Reservation) bool {
	if m.posted[r.Account]-m.reserved[r.Account] < r.Amount.Minor() {
		return false
	}
	m.reserved[r.Account] += r.Amount.Minor()
	m.held[r.ID] = r
	return true
}

func (m *model) end(id ledger.ReservationID) {
	r := m.held[id]
	m.reserved[r.Account] -= r.Amount.Minor()
	delete(m.held, id)
}

func (m *model) nextPosting() ledger.PostingID {
	m.postings++
	return ledger.PostingID(fmt.Sprintf("p%d", m.postings))
}

func openBooks(t require.TestingT, ctx context.Context) *memstore.Store {
	s := memstore.New()
	scope := ferry.Scope{Business: "biz_1", Env: ferry.Test}
	require.NoError(t, s.Write(ctx, func(ctx context.Context, p store.Ports) error {
		for _, a := range append(ledger.SystemAccounts(ferry.Test),
			ledger.Account{ID: "w", Scope: scope, Asset: money.AssetUSDC},
			ledger.Account{ID: "w/a", Scope: scope, Asset: money.AssetUSDC, Control: "w"},
			ledger.Account{ID: "w/b", Scope: scope, Asset: money.AssetUSDC, Control: "w"},
			ledger.Account{ID: "x", Scope: scope, Asset: money.AssetUSDC}) {
			if err := p.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		return nil
	}))
	return s
}

func TestTheBooksAgreeWithAModelWhateverIsDoneToThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &modelled{ctx: context.Background(), model: newModel()}
		b.store = openBooks(t, b.ctx)
		t.Repeat(map[string]func(*rapid.T){
			"fund":    b.fund,
			"move":    b.move,
			"several": b.several,
			"reserve": b.reserve,
			"settle":  b.settle,
			"release": b.release,
			"repeat":  b.repeat,
			"fail":    b.fail,
			"":        b.compare,
		})
	})
}

// modelled is books beside their model.
type modelled struct {
	ctx   context.Context
	store store.Backend
	model *model
}

func (b *modelled) write(do func(context.Context, ledger.Store) error) error {
	return b.store.Write(b.ctx, func(ctx context.Context, p store.Ports) error { return do(ctx, p.Ledger()) })
}

// agree checks that the books took what the model took.
func agree(t *rapid.T, taken bool, err error) {
	if taken {
		require.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	shortage, ok := errors.AsType[*ledger.Shortage](err)
	require.True(t, ok)
	require.Less(t, shortage.Available.Minor(), shortage.Required.Minor())
}

var (
	anyAccount = rapid.SampledFrom(counted)
	anyAmount  = rapid.Int64Range(1, 100)
)

func (b *modelled) post(t *rapid.T, legs []ledger.Leg) {
	p := ledger.Posting{ID: b.model.nextPosting(), Env: ferry.Test, Kind: "test", Legs: legs}
	taken := b.model.post(legs)
	agree(t, taken, b.write(func(ctx context.Context, s ledger.Store) error { return ledger.Post(ctx, s, p) }))
}

func pair(from, to ledger.AccountID, minor int64) []ledger.Leg {
	return []ledger.Leg{{Account: from, Amount: money.USDC(-minor)}, {Account: to, Amount: money.USDC(minor)}}
}

func (b *modelled) fund(t *rapid.T) {
	b.post(t, pair(chainID, anyAccount.Draw(t, "to"), anyAmount.Draw(t, "amount")))
}

func (b *modelled) move(t *rapid.T) {
	b.post(t, pair(anyAccount.Draw(t, "from"), anyAccount.Draw(t, "to"), anyAmount.Draw(t, "amount")))
}

// several posts legs on several accounts, in any order, which may visit an
// account twice; fees take up the rest.
func (b *modelled) several(t *rapid.T) {
	var legs []ledger.Leg
	var sum int64
	for range rapid.IntRange(2, 5).Draw(t, "legs") {
		minor := rapid.Int64Range(-60, 60).Filter(func(n int64) bool { return n != 0 }).Draw(t, "amount")
		legs = append(legs, ledger.Leg{Account: anyAccount.Draw(t, "account"), Amount: money.USDC(minor)})
		sum += minor
	}
	if sum != 0 {
		legs = append(legs, ledger.Leg{Account: feesID, Amount: money.USDC(-sum)})
	}
	b.post(t, legs)
}

func (b *modelled) reserve(t *rapid.T) {
	r := ledger.Reservation{
		ID:      ledger.ReservationID(fmt.Sprintf("r%d", b.model.postings)),
		Account: anyAccount.Draw(t, "account"),
		Amount:  money.USDC(anyAmount.Draw(t, "amount")),
	}
	b.model.nextPosting() // so that the next id is another one
	taken := b.model.reserve(r)
	agree(t, taken, b.write(func(ctx context.Context, s ledger.Store) error { return ledger.Reserve(ctx, s, r) }))
}

// anyHeld draws an open reservation.
func (b *modelled) anyHeld(t *rapid.T) ledger.Reservation {
	if len(b.model.held) == 0 {
		t.Skip("nothing is reserved")
	}
	return b.model.held[rapid.SampledFrom(sortedKeys(b.model.held)).Draw(t, "reservation")]
}

func (b *modelled) settle(t *rapid.T) {
	r := b.anyHeld(t)
	legs := pair(r.Account, chainID, rapid.Int64Range(1, r.Amount.Minor()).Draw(t, "taken"))
	p := ledger.Posting{ID: b.model.nextPosting(), Env: ferry.Test, Kind: "test", Legs: legs}
	b.model.end(r.ID)
	require.True(t, b.model.post(legs))
	settle := func(ctx context.Context, s ledger.Store) error { return ledger.Settle(ctx, s, r.ID, p) }
	require.NoError(t, b.write(settle))
	require.ErrorIs(t, b.write(settle), ledger.ErrReservationEnded)
}

func (b *modelled) release(t *rapid.T) {
	r := b.anyHeld(t)
	b.model.end(r.ID)
	release := func(ctx context.Context, s ledger.Store) error { return ledger.Release(ctx, s, r.ID) }
	require.NoError(t, b.write(release))
	require.ErrorIs(t, b.write(release), ledger.ErrReservationEnded)
}

// repeat posts a cause that was posted before.
func (b *modelled) repeat(t *rapid.T) {
	p := ledger.Posting{ID: b.model.nextPosting(), Env: ferry.Test, Kind: "test", Legs: pair(chainID, "x", 1)}
	require.True(t, b.model.post(p.Legs))
	post := func(ctx context.Context, s ledger.Store) error { return ledger.Post(ctx, s, p) }
	require.NoError(t, b.write(post))
	require.ErrorIs(t, b.write(post), ledger.ErrPosted)
}

// fail does a bit of everything in a unit that fails.
func (b *modelled) fail(t *rapid.T) {
	boom := errors.New("boom")
	account, minor := anyAccount.Draw(t, "account"), anyAmount.Draw(t, "amount")
	require.ErrorIs(t, b.write(func(ctx context.Context, s ledger.Store) error {
		p := ledger.Posting{ID: "failed", Env: ferry.Test, Kind: "test", Legs: pair(chainID, account, minor)}
		if err := ledger.Post(ctx, s, p); err != nil {
			return err
		}
		if err := ledger.Reserve(ctx, s, ledger.Reservation{ID: "failed", Account: account, Amount: money.USDC(minor)}); err != nil {
			return err
		}
		for id := range b.model.held {
			if err := ledger.Release(ctx, s, id); err != nil {
				return err
			}
		}
		return boom
	}), boom)
}

// compare checks the books against the model, and themselves.
func (b *modelled) compare(t *rapid.T) {
	m := b.model
	require.NoError(t, b.store.Read(b.ctx, func(ctx context.Context, p store.Ports) error {
		for _, id := range counted {
			a, err := p.Ledger().Account(ctx, id)
			require.NoError(t, err)
			require.Equal(t, [2]int64{m.posted[id], m.reserved[id]}, [2]int64{a.Posted.Minor(), a.Reserved.Minor()}, id)
		}
		w, err := p.Ledger().Account(ctx, "w")
		require.NoError(t, err)
		require.Equal(t, m.posted["w/a"]+m.posted["w/b"], w.Posted.Minor())
		require.Equal(t, m.reserved["w/a"]+m.reserved["w/b"], w.Reserved.Minor())
		open, err := p.Ledger().OpenReservations(ctx, ferry.Test, "", 1000)
		require.NoError(t, err)
		require.Len(t, open, len(m.held))
		findings, err := ledger.Audit(ctx, p.Ledger(), ferry.Test)
		require.NoError(t, err)
		require.Empty(t, findings)
		return nil
	}))
}
