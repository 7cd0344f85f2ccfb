package chaintest

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// stage is a subject and the people on it, for one test.
type stage struct {
	Subject
	t     *testing.T
	ctx   context.Context
	chain chain.Chain
}

func newStage(t *testing.T, s Subject) *stage {
	return &stage{s, t, t.Context(), s.Chain()}
}

// owner is somebody with a key.
type owner struct {
	Address chain.Address
	Keys    chain.Keyring
}

func (s *stage) newSeed() chain.Seed {
	seed, err := chain.NewSeed(rand.Reader)
	require.NoError(s.t, err)
	return seed
}

// owner makes somebody who has nothing.
func (s *stage) owner() owner {
	seed := s.newSeed()
	return owner{seed.Address(), chain.NewKeyring(seed)}
}

// funded makes somebody who has so many millionths of USDC, finalized.
func (s *stage) funded(micro int64) owner {
	o := s.owner()
	s.deposit(o.Address, micro)
	return o
}

// deposit brings USDC from outside and waits until it is finalized.
func (s *stage) deposit(to chain.Address, micro int64) chain.Signature {
	signature, err := s.Deposit(s.ctx, to, money.USDC(micro))
	require.NoError(s.t, err)
	s.finalize(signature)
	return signature
}

func pays(from chain.Address, micro int64) chain.Source {
	return chain.Source{Address: from, Amount: money.USDC(micro)}
}

// sign signs a payment of one source.
func (s *stage) sign(from owner, to chain.Address, micro int64, memo string) chain.Signed {
	signed, err := s.chain.Sign(s.ctx, chain.Transfer{
		Sources: []chain.Source{pays(from.Address, micro)}, Destination: to, Memo: memo,
	}, from.Keys)
	require.NoError(s.t, err)
	return signed
}

func (s *stage) send(signed chain.Signed) {
	require.NoError(s.t, s.chain.Send(s.ctx, signed.Bytes))
}

// pay signs a payment, sends it, and waits until it is finalized.
func (s *stage) pay(from owner, to chain.Address, micro int64, memo string) chain.Signed {
	signed := s.sign(from, to, micro, memo)
	s.send(signed)
	s.finalize(signed.Signature)
	return signed
}

// unused returns so many addresses that nothing happened to.
func (s *stage) unused(n int) []chain.Address {
	addresses := make([]chain.Address, n)
	for i := range addresses {
		addresses[i] = s.owner().Address
	}
	return addresses
}

func (s *stage) pass(blocks int) { require.NoError(s.t, s.Pass(s.ctx, blocks)) }

// look returns the status of one signature and the height as of which it was searched.
func (s *stage) look(signature chain.Signature) (chain.Status, uint64) {
	seen, err := s.chain.Statuses(s.ctx, []chain.Signature{signature})
	require.NoError(s.t, err)
	require.Len(s.t, seen.Statuses, 1)
	return seen.Statuses[0], seen.FinalizedHeight
}

// patience is how many blocks a test waits for what must come.
const patience = 400

// until passes block by block until done says so.
func (s *stage) until(what string, done func() bool) {
	for range patience {
		if done() {
			return
		}
		s.pass(1)
	}
	require.Fail(s.t, "did not come about: "+what)
}

// finalize waits until a transaction is finalized.
func (s *stage) finalize(signature chain.Signature) chain.Status {
	var status chain.Status
	s.until("finalized", func() bool {
		status, _ = s.look(signature)
		return status.Commitment == chain.Finalized
	})
	require.True(s.t, status.Found)
	return status
}

// expire waits until a payment is proven dead, and then some: it stays so.
func (s *stage) expire(signed chain.Signed) {
	s.until("expired", func() bool {
		status, height := s.look(signed.Signature)
		require.NotEqual(s.t, chain.Finalized, status.Commitment)
		return !status.Found && height > signed.LastValidHeight
	})
	for range 20 {
		s.pass(2)
		status, _ := s.look(signed.Signature)
		require.False(s.t, status.Found, "a payment that was proven dead has landed")
	}
}

// history reads all movements of an address, in pages of the given length.
func (s *stage) history(a chain.Address, page int) []chain.Movement {
	var all []chain.Movement
	var after chain.Cursor
	for {
		moves, err := s.chain.History(s.ctx, a, after, page)
		require.NoError(s.t, err)
		require.LessOrEqual(s.t, len(moves), page)
		if len(moves) == 0 {
			return all
		}
		all, after = append(all, moves...), moves[len(moves)-1].Cursor
	}
}

// worth is the sum of the movements of an address: its finalized USDC.
func (s *stage) worth(a chain.Address) int64 {
	var sum int64
	seen := map[chain.Signature]bool{}
	for _, m := range s.history(a, 50) {
		if m.Supported && !seen[m.Signature] {
			sum += m.Delta.Minor()
		}
		seen[m.Signature] = true
	}
	return sum
}

func (s *stage) changeToken(a chain.Address) chain.ChangeToken {
	tokens, err := s.chain.ChangeTokens(s.ctx, []chain.Address{a})
	require.NoError(s.t, err)
	require.Len(s.t, tokens, 1)
	return tokens[0]
}

// inject arms a fault. This is the one place that asks whether a subject is
// Faulty; a test of what a subject cannot do is skipped.
func (s *stage) inject(fault Fault, count int) {
	faulty, ok := s.Subject.(Faulty)
	if !ok {
		s.t.Skip("the subject has no faults")
	}
	err := faulty.Inject(s.ctx, fault, count)
	if errors.Is(err, ErrNoFault) {
		s.t.Skipf("the subject has no fault %q", fault)
	}
	require.NoError(s.t, err)
}
