package onramp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/sandbox"
)

// stranger is an address that nobody here manages.
const stranger = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"

// shop is a business in the sandbox.
type shop struct {
	*engine.Engine
	t     testing.TB
	scope ferry.Scope
}

func open(t testing.TB) *shop { return openOn(t, nil) }

// openOn is open on a clock; nil is the one of the machine.
func openOn(t testing.TB, clock ferry.Clock) *shop {
	e, err := engine.New(engine.Config{Store: memstore.New(), Clock: clock})
	require.NoError(t, err)
	b, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return &shop{e, t, b.Business.Scope}
}

// order is 10 USDC for 15,000 naira, to a stranger.
func order(reference string) onramp.Params {
	return onramp.Params{
		Terms:   ramp.Terms{Reference: reference, Currency: "NGN", Amount: money.NGN(15_000_00), Asset: "USDC", Chain: "SOLANA"},
		Address: stranger,
	}
}

func (s *shop) create(p onramp.Params) onramp.Order {
	o, err := s.Onramps.Create(s.t.Context(), s.scope, p)
	require.NoError(s.t, err)
	s.advance(5 * time.Second) // the inventory is there
	return o
}

func (s *shop) pay(o onramp.Order, kobo int64) string {
	notice, err := s.World.Credit(s.t.Context(), sandbox.CreditParams{AccountNumber: o.Bank.AccountNumber, Amount: money.NGN(kobo)})
	require.NoError(s.t, err)
	s.drain()
	return notice.SessionID
}

func (s *shop) drain() {
	_, err := s.Drain(s.t.Context())
	require.NoError(s.t, err)
}

func (s *shop) advance(d time.Duration) {
	p, err := s.Advance(s.t.Context(), d)
	require.NoError(s.t, err)
	require.True(s.t, p.Done)
}

// is requires the stage of an order, and clean books.
func (s *shop) is(o onramp.Order, stage ramp.Stage) onramp.Order {
	now, err := s.Onramps.Get(s.t.Context(), s.scope, onramp.Ref{ID: string(o.ID)})
	require.NoError(s.t, err)
	require.Equal(s.t, stage, now.Stage, now.Failure)
	s.clean()
	return now
}

func (s *shop) clean() {
	findings, err := s.Audit(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	require.Empty(s.t, findings)
}

// holds requires the USDC of an address on the chain.
func (s *shop) holds(address string, micro int64) {
	held, err := s.World.Balance(s.t.Context(), chain.Address(address))
	require.NoError(s.t, err)
	require.Equal(s.t, money.USDC(micro), held)
}

// backTo is the naira that went back of bank sessions, in kobo.
func (s *shop) back(sessions ...string) (sum int64) {
	returns, err := s.World.Bank().Returns(s.t.Context(), "", 1000)
	require.NoError(s.t, err)
	for _, r := range returns {
		for _, session := range sessions {
			if r.SessionID == session {
				sum += r.Amount.Minor()
			}
		}
	}
	return sum
}
