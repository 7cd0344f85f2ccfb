package chaintest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// attempt signs a payment of 4 out of 10 and has fault strike what follows.
func attempt(s *stage, fault Fault) (signed chain.Signed, from, to chain.Address) {
	payer, payee := s.funded(10), s.owner()
	signed = s.sign(payer, payee.Address, 4, "m")
	s.inject(fault, 1)
	return signed, payer.Address, payee.Address
}

// paid and unpaid say what became of an attempt in the end.
func (s *stage) paid(from, to chain.Address) {
	require.Equal(s.t, int64(6), s.worth(from))
	require.Equal(s.t, int64(4), s.worth(to))
}

func (s *stage) unpaid(from, to chain.Address) {
	require.Equal(s.t, int64(10), s.worth(from))
	require.Zero(s.t, s.worth(to))
}

func testNetworkFaults(run runner) {
	run("a call that is not answered had no effect, and the next one is", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, Unavailable)
		require.ErrorIs(t, s.chain.Send(s.ctx, signed.Bytes), chain.ErrUnavailable)
		s.pass(5)
		status, _ := s.look(signed.Signature)
		require.False(t, status.Found)
		s.send(signed)
		s.finalize(signed.Signature)
		s.paid(from, to)
	})
	run("every method says that it was not answered", func(t *testing.T, s *stage) {
		o := s.funded(1)
		signed := s.sign(o, s.owner().Address, 1, "m")
		for name, call := range calls(s, o, signed) {
			s.inject(Unavailable, 1)
			require.ErrorIs(t, call(), chain.ErrUnavailable, name)
			require.NoError(t, call(), name)
		}
	})
	run("a payment lands although the answer was lost", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, AnswerLost)
		require.ErrorIs(t, s.chain.Send(s.ctx, signed.Bytes), chain.ErrUnavailable)
		s.finalize(signed.Signature)
		s.paid(from, to)
	})
	for _, fault := range []Fault{FalseError, AlreadyProcessed} {
		run("an error of Send is no evidence: "+string(fault), func(t *testing.T, s *stage) {
			signed, from, to := attempt(s, fault)
			require.Error(t, s.chain.Send(s.ctx, signed.Bytes))
			s.finalize(signed.Signature)
			s.paid(from, to)
		})
	}
	run("success of Send is no evidence: a lost submission never lands", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, SubmissionLost)
		s.send(signed)
		s.expire(signed)
		s.unpaid(from, to)
	})
	run("a lost submission lands when the same bytes are sent again", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, SubmissionLost)
		s.send(signed)
		s.pass(5)
		s.send(signed)
		s.finalize(signed.Signature)
		s.paid(from, to)
	})
}

// calls is one call of every method that asks a node.
func calls(s *stage, o owner, signed chain.Signed) map[string]func() error {
	transfer := chain.Transfer{Sources: []chain.Source{pays(o.Address, 1)}, Destination: s.owner().Address}
	all := map[string]func() error{
		"Genesis":      func() error { _, err := s.chain.Genesis(s.ctx); return err },
		"Inspect":      func() error { _, err := s.chain.Inspect(s.ctx, o.Address); return err },
		"Sign":         func() error { _, err := s.chain.Sign(s.ctx, transfer, o.Keys); return err },
		"Send":         func() error { return s.chain.Send(s.ctx, signed.Bytes) },
		"Statuses":     func() error { _, err := s.chain.Statuses(s.ctx, nil); return err },
		"ChangeTokens": func() error { _, err := s.chain.ChangeTokens(s.ctx, []chain.Address{o.Address}); return err },
		"Sent":         func() error { _, err := s.chain.Sent(s.ctx, "", 1); return err },
		"Holdings": func() error {
			_, err := s.chain.Holdings(s.ctx, []chain.Address{o.Address})
			return err
		},
		"History": func() error { _, err := s.chain.History(s.ctx, o.Address, "", 1); return err },
	}
	if reporter, ok := s.chain.(chain.ActivityReporter); ok {
		all["Activity"] = func() error { _, err := reporter.Activity(s.ctx, ""); return err }
	}
	return all
}

func testChainFaults(run runner) {
	run("a payment that lands late is never proven dead before", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, LandedLate)
		s.send(signed)
		s.until("found", func() bool {
			status, height := s.look(signed.Signature)
			require.True(t, status.Found || height <= signed.LastValidHeight)
			return status.Found
		})
		s.finalize(signed.Signature)
		s.paid(from, to)
	})
	run("a confirmed payment whose fork is dropped for good is not paid", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, ForkDropped)
		s.send(signed)
		s.confirmThenDrop(signed.Signature)
		_ = s.chain.Send(s.ctx, signed.Bytes)
		s.expire(signed)
		s.unpaid(from, to)
	})
	run("a confirmed payment whose fork is dropped may land again, once", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, ForkLandedAgain)
		s.send(signed)
		s.confirmThenDrop(signed.Signature)
		_ = s.chain.Send(s.ctx, signed.Bytes)
		s.finalize(signed.Signature)
		s.pass(20)
		s.paid(from, to)
		require.Len(t, s.history(to, 10), 1)
	})
	run("a confirmed deposit whose fork is dropped is never told", func(t *testing.T, s *stage) {
		o := s.owner()
		before := s.changeToken(o.Address)
		s.inject(ForkDropped, 1)
		signature, err := s.Deposit(s.ctx, o.Address, money.USDC(5))
		require.NoError(t, err)
		s.confirmThenDrop(signature)
		s.pass(60)
		require.Empty(t, s.history(o.Address, 10))
		require.Equal(t, before, s.changeToken(o.Address))
	})
	run("a payment that a program refuses moves nothing", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, ProgramError)
		s.send(signed)
		require.NotEmpty(t, s.finalize(signed.Signature).Err)
		s.unpaid(from, to)
	})
	run("a blockhash of an abandoned fork is dead, and waits out its height", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		s.inject(DeadBlockhash, 1)
		signed := s.sign(from, to.Address, 4, "m")
		_, height := s.look(signed.Signature)
		require.Greater(t, signed.LastValidHeight, height)
		_ = s.chain.Send(s.ctx, signed.Bytes)
		s.expire(signed)
		s.unpaid(from.Address, to.Address)
	})
	run("a jump of the height ends a payment that has not landed", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, HeightJump)
		s.send(signed)
		s.expire(signed)
		s.unpaid(from, to)
	})
}

// testJumps is a height that jumps while other faults are under way.
func testJumps(run runner) {
	run("a payment that was to land late is dead when the height jumps", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, LandedLate)
		s.send(signed)
		s.inject(HeightJump, 1)
		s.look(signed.Signature)
		s.expire(signed)
		s.pass(2 * int(lifeOf(s, signed)))
		s.unpaid(from, to)
	})
	run("a jump finalizes no fork that is dropped", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, ForkLandedAgain)
		s.send(signed)
		s.until("found", func() bool {
			status, _ := s.look(signed.Signature)
			return status.Found
		})
		s.inject(HeightJump, 1)
		s.expire(signed)
		s.unpaid(from, to)
	})
	run("a lagging node does not see a jump before it happened", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		signed := s.pay(from, to.Address, 4, "m")
		for range 2 {
			s.inject(HeightJump, 1)
			s.look(signed.Signature)
			s.pass(1)
		}
		for range 20 {
			s.pass(1)
			s.inject(Lagging, 1)
			status, height := s.look(signed.Signature)
			require.True(t, status.Found || height <= signed.LastValidHeight)
		}
	})
}

// lifeOf is how many blocks a payment has left, or had.
func lifeOf(s *stage, signed chain.Signed) uint64 {
	_, height := s.look(signed.Signature)
	return max(signed.LastValidHeight, height) - min(signed.LastValidHeight, height)
}

// confirmThenDrop sees a transaction confirmed and then gone.
func (s *stage) confirmThenDrop(signature chain.Signature) {
	for _, want := range []chain.Commitment{chain.Confirmed, ""} {
		s.until(string(want), func() bool {
			status, _ := s.look(signature)
			require.NotEqual(s.t, chain.Finalized, status.Commitment)
			return status.Commitment == want
		})
	}
}

func testNodeFaults(run runner) {
	for range 5 {
		run("a lagging node does not prove a payment dead that has landed", func(t *testing.T, s *stage) {
			signed, from, to := attempt(s, LandedLate)
			s.send(signed)
			s.finalize(signed.Signature)
			for range 20 {
				s.inject(Lagging, 1)
				status, height := s.look(signed.Signature)
				require.True(t, status.Found || height <= signed.LastValidHeight)
				s.pass(2)
			}
			s.paid(from, to)
		})
	}
	run("a lagging node is never surer than the others", func(t *testing.T, s *stage) {
		signed, from, to := attempt(s, Lagging)
		s.look(signed.Signature)
		s.send(signed)
		for range 12 {
			s.inject(Lagging, 1)
			behind, _ := s.look(signed.Signature)
			status, _ := s.look(signed.Signature)
			require.LessOrEqual(t, behind.Commitment.Rank(), status.Commitment.Rank())
			s.pass(1)
		}
		s.finalize(signed.Signature)
		s.paid(from, to)
	})
	run("a lagging node tells no more than it knows", func(t *testing.T, s *stage) {
		o := s.funded(10)
		whole := s.history(o.Address, 10)
		s.inject(Lagging, 1)
		moves, err := s.chain.History(s.ctx, o.Address, "", 10)
		require.NoError(t, err)
		if len(moves) > 0 {
			require.Equal(t, whole, moves)
		}
		require.Equal(t, whole, s.history(o.Address, 10))
	})
	run("a payment signed at a lagging node lands or is proven dead", func(t *testing.T, s *stage) {
		from := s.funded(10)
		s.inject(Lagging, 1)
		signed := s.sign(from, s.owner().Address, 4, "m")
		_ = s.chain.Send(s.ctx, signed.Bytes)
		s.until("landed or dead", func() bool {
			status, height := s.look(signed.Signature)
			return status.Commitment == chain.Finalized || !status.Found && height > signed.LastValidHeight
		})
	})
	run("a movement that is told twice is the same one", func(t *testing.T, s *stage) {
		o := s.funded(10)
		s.inject(Duplicate, 1)
		twice, err := s.chain.History(s.ctx, o.Address, "", 10)
		require.NoError(t, err)
		require.Len(t, twice, 2)
		require.Equal(t, twice[0], twice[1])
		require.Len(t, s.history(o.Address, 10), 1)
	})
}
