package checkout_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// standing is a clock that stands still.
type standing struct{}

func (standing) Now() time.Time { return time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC) }

// stage is an engine on a clock that stands still, with the demo business.
type stage struct {
	t      *testing.T
	Engine *engine.Engine
	Tenant engine.Tenant
	scope  ferry.Scope
	start  money.Amount
}

func setup(t *testing.T, tariffs ...fees.Tariffs) *stage {
	t.Helper()
	config := engine.Config{Store: memstore.New(), Clock: standing{}}
	config.World = sandbox.New(sandbox.Config{Clock: config.Clock, Seed: 1})
	if len(tariffs) > 0 {
		config.Tariffs = tariffs[0]
	}
	s := &stage{t: t}
	var err error
	s.Engine, err = engine.New(config)
	require.NoError(t, err)
	s.Tenant, err = s.Engine.Bootstrap(t.Context())
	require.NoError(t, err)
	s.scope = s.Tenant.Business.Scope
	s.start = s.naira()
	return s
}

// Settle moves the sandbox's clock far enough for the chain to finalize what is under
// way, and does all that is due meanwhile.
func (s *stage) Settle() { s.Advance(10 * time.Second) }

// Advance moves the sandbox's clock and does all that is due meanwhile.
func (s *stage) Advance(by time.Duration) {
	s.t.Helper()
	progress, err := s.Engine.Advance(context.Background(), by)
	require.NoError(s.t, err)
	require.True(s.t, progress.Done, "the engine did not come to rest")
}

func (s *stage) prefer(p business.UpdateParams) {
	s.t.Helper()
	_, err := s.Engine.Businesses.Update(s.t.Context(), s.scope, p)
	require.NoError(s.t, err)
}

func ptr[T any](v T) *T { return &v }

// order is an order of 15,000 naira, which is 10 USDC.
func order(trxID string) checkout.CreateParams {
	return checkout.CreateParams{
		Variant: business.DialectA, TrxID: trxID, Email: "Ada@example.com", Name: "Ada", Amount: money.NGN(15_000_00),
	}
}

func inUSDC(trxID string) checkout.CreateParams {
	p := order(trxID)
	p.Amount, p.Method = money.USDC(10_000_000), business.Crypto
	return p
}

func (s *stage) create(p checkout.CreateParams) checkout.Created {
	s.t.Helper()
	made, err := s.Engine.Checkout.Create(s.t.Context(), s.scope, p)
	require.NoError(s.t, err)
	return made
}

func (s *stage) get(trxID string) checkout.State {
	s.t.Helper()
	state, err := s.Engine.Checkout.Get(s.t.Context(), s.scope, checkout.Ref{TrxID: trxID})
	require.NoError(s.t, err)
	return state
}

// crypto returns the session with an instruction.
func (s *stage) crypto(trxID string) checkout.State {
	s.t.Helper()
	state, err := s.Engine.Checkout.Crypto(s.t.Context(), s.scope, checkout.Ref{TrxID: trxID}, "")
	require.NoError(s.t, err)
	return state
}

// credit brings naira to the session's account.
func (s *stage) credit(trxID string, amount money.Amount, session ...string) {
	s.t.Helper()
	p := sandbox.CreditParams{AccountNumber: s.get(trxID).Account.AccountNumber, Amount: amount}
	if len(session) > 0 {
		p.SessionID = session[0]
	}
	_, err := s.Engine.World.Credit(s.t.Context(), p)
	require.NoError(s.t, err)
	s.drain()
}

// price makes one USDC cost so much naira from now on.
func (s *stage) price(naira string) {
	s.t.Helper()
	require.NoError(s.t, s.Engine.World.SetPrice(s.t.Context(), naira))
}

func (s *stage) drain() {
	s.t.Helper()
	progress, err := s.Engine.Drain(s.t.Context())
	require.NoError(s.t, err)
	require.True(s.t, progress.Done)
}

// deposit brings USDC to an address and waits until it is final.
func (s *stage) deposit(to chain.Address, amount money.Amount, from ...chain.Address) {
	s.t.Helper()
	p := sandbox.DepositParams{To: to, Amount: amount}
	if len(from) > 0 {
		p.Sender = from[0]
	}
	_, err := s.Engine.World.Deposit(s.t.Context(), p)
	require.NoError(s.t, err)
	s.Settle()
}

func (s *stage) totals() map[money.Asset]ledger.Total {
	s.t.Helper()
	totals, err := s.Engine.Balances(s.t.Context(), s.scope)
	require.NoError(s.t, err)
	byAsset := map[money.Asset]ledger.Total{}
	for _, total := range totals {
		byAsset[total.Asset] = total
	}
	return byAsset
}

func (s *stage) naira() money.Amount { return s.totals()[money.AssetNGN].Posted }

// gained is the naira that the business got since the beginning.
func (s *stage) gained() money.Amount {
	s.t.Helper()
	got, err := s.naira().Sub(s.start)
	require.NoError(s.t, err)
	return got
}

// usdc is what the business has, and what of it is held.
func (s *stage) usdc() (posted, held money.Amount) {
	total := s.totals()[money.AssetUSDC]
	return total.Posted, total.Reserved
}

// events lists the types of payment events so far.
func (s *stage) events() []string {
	s.t.Helper()
	feed, err := s.Engine.Webhooks.Events(s.t.Context(), s.scope, "", 100)
	require.NoError(s.t, err)
	types := []string{}
	for _, body := range feed.Bodies {
		var e struct{ Type string }
		require.NoError(s.t, json.Unmarshal(body, &e))
		if len(e.Type) > 8 && e.Type[:8] == "payment." {
			types = append(types, e.Type)
		}
	}
	return types
}

// clean requires that the books are right and that nothing is on its way back.
func (s *stage) clean() {
	s.t.Helper()
	findings, err := s.Engine.Audit(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	require.Empty(s.t, findings)
}

// is requires where a payment stands.
func (s *stage) is(trxID string, session checkout.Status, status payments.Status, exceptions ...payments.Exception) checkout.State {
	s.t.Helper()
	state := s.get(trxID)
	require.Equal(s.t, session, state.Status)
	require.Equal(s.t, status, state.Payment.Status)
	require.ElementsMatch(s.t, exceptions, state.Payment.Exceptions)
	s.clean()
	return state
}

// attempt drives an attempt by other means than money that arrives.
func (s *stage) attempt(trxID string, method payments.Method, outcome checkout.Outcome) {
	s.t.Helper()
	require.NoError(s.t, s.Engine.Units(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := s.Engine.Checkout.AttemptIn(ctx, tx, s.scope, checkout.Ref{TrxID: trxID}, checkout.Attempt{Method: method, Outcome: outcome})
		return err
	}))
}

// stranger is an address of somebody outside.
var stranger = func() chain.Address {
	seed, err := chain.NewSeed(strings.NewReader(strings.Repeat("stranger", 4)))
	if err != nil {
		panic(err)
	}
	return seed.Address()
}()

const day = 24 * time.Hour

// reverse takes a payment back, if it can be: one by bank transfer by the bank's recall.
func (s *stage) reverse(trxID string) {
	s.t.Helper()
	p := s.get(trxID).Payment
	if p.Method != payments.BankTransfer || p.Status != payments.Success {
		_, _ = s.Engine.Checkout.Reverse(s.t.Context(), s.scope, payments.Ref{Reference: trxID})
		return
	}
	for _, r := range must(s.Engine.Payments.Receipts(s.t.Context(), p)) {
		if r.State == payments.Settled && r.Method == payments.BankTransfer {
			_, err := s.Engine.World.Recall(s.t.Context(), r.Source)
			require.NoError(s.t, err)
		}
	}
	s.drain()
}
