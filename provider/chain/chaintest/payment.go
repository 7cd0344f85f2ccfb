package chaintest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
)

func testPayments(run runner) {
	run("a payment moves its amount from source to destination", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		signed := s.sign(from, to.Address, 4, "m")
		s.send(signed)
		require.Empty(t, s.finalize(signed.Signature).Err)
		require.Equal(t, int64(6), s.worth(from.Address))
		require.Equal(t, int64(4), s.worth(to.Address))
	})
	run("a payment to a token account reaches its owner", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.funded(1)
		signed := s.sign(from, s.tokenAccount(to.Address, s.landmarks().Mint), 4, "m")
		s.send(signed)
		require.Empty(t, s.finalize(signed.Signature).Err)
		require.Equal(t, int64(5), s.worth(to.Address))
	})
	run("the same bytes land once, however often they are sent", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		signed := s.sign(from, to.Address, 4, "m")
		for range 3 {
			s.send(signed)
		}
		s.until("found", func() bool {
			status, _ := s.look(signed.Signature)
			return status.Found
		})
		for range 12 {
			// A node may answer that it knows them.
			_ = s.chain.Send(s.ctx, signed.Bytes)
			s.pass(3)
		}
		s.finalize(signed.Signature)
		require.Equal(t, int64(6), s.worth(from.Address))
		require.Equal(t, int64(4), s.worth(to.Address))
		require.Len(t, s.history(to.Address, 50), 1)
	})
	run("the same bytes sent by many at once land once", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		signed := s.sign(from, to.Address, 4, "m")
		var senders sync.WaitGroup
		for range 8 {
			senders.Go(func() { _ = s.chain.Send(s.ctx, signed.Bytes) })
		}
		senders.Wait()
		s.finalize(signed.Signature)
		require.Equal(t, int64(6), s.worth(from.Address))
	})
	run("many sources each pay their part", func(t *testing.T, s *stage) {
		signed, a, b, to := together(s, 10, 10)
		s.send(signed)
		require.Empty(t, s.finalize(signed.Signature).Err)
		require.Equal(t, int64(7), s.worth(a))
		require.Equal(t, int64(5), s.worth(b))
		require.Equal(t, int64(8), s.worth(to))
		require.Len(t, s.history(to, 50), 1, "one net change")
	})
	run("when one source cannot pay, none does", func(t *testing.T, s *stage) {
		signed, a, b, to := together(s, 10, 1)
		fail(s, signed)
		require.Equal(t, int64(10), s.worth(a))
		require.Equal(t, int64(1), s.worth(b))
		require.Zero(t, s.worth(to))
	})
	run("a source that has too little pays nothing", func(t *testing.T, s *stage) {
		from, to := s.funded(3), s.owner()
		fail(s, s.sign(from, to.Address, 4, "m"))
		require.Equal(t, int64(3), s.worth(from.Address))
		require.Zero(t, s.worth(to.Address))
	})
	run("two payments of one source do not both spend what suffices for one", func(t *testing.T, s *stage) {
		from, to := s.funded(5), s.owner()
		one, two := s.sign(from, to.Address, 4, "one"), s.sign(from, to.Address, 4, "two")
		_ = s.chain.Send(s.ctx, one.Bytes)
		_ = s.chain.Send(s.ctx, two.Bytes)
		s.pass(60)
		require.Equal(t, int64(1), s.worth(from.Address))
		require.Equal(t, int64(4), s.worth(to.Address))
	})
	run("a payment sent after its last valid height never lands", func(t *testing.T, s *stage) {
		from := s.funded(10)
		signed := s.sign(from, s.owner().Address, 4, "m")
		s.until("past", func() bool {
			_, height := s.look(signed.Signature)
			return height > signed.LastValidHeight
		})
		_ = s.chain.Send(s.ctx, signed.Bytes)
		s.expire(signed)
		require.Equal(t, int64(10), s.worth(from.Address))
	})
	run("bytes that were tampered with never land", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		signed := s.sign(from, to.Address, 4, "m")
		for _, at := range []int{0, 70, len(signed.Bytes) / 2, len(signed.Bytes) - 1} {
			forged := append([]byte(nil), signed.Bytes...)
			forged[at] ^= 1
			_ = s.chain.Send(s.ctx, forged)
		}
		_ = s.chain.Send(s.ctx, signed.Bytes[:len(signed.Bytes)-1])
		_ = s.chain.Send(s.ctx, nil)
		s.expire(signed)
		require.Equal(t, int64(10), s.worth(from.Address))
	})
}

// together signs a payment of 3 from one owner and 5 from another.
func together(s *stage, first, second int64) (signed chain.Signed, a, b, to chain.Address) {
	seedA, seedB := s.newSeed(), s.newSeed()
	a, b, to = seedA.Address(), seedB.Address(), s.owner().Address
	s.deposit(a, first)
	s.deposit(b, second)
	signed, err := s.chain.Sign(s.ctx, chain.Transfer{
		Sources: []chain.Source{pays(a, 3), pays(b, 5)}, Destination: to, Memo: "m",
	}, chain.NewKeyring(seedA, seedB))
	require.NoError(s.t, err)
	return signed, a, b, to
}

// fail sends a payment that cannot succeed: it lands with an error, or a node
// refuses it and it never lands.
func fail(s *stage, signed chain.Signed) {
	_ = s.chain.Send(s.ctx, signed.Bytes)
	s.until("failed or expired", func() bool {
		status, height := s.look(signed.Signature)
		if status.Found {
			require.NotEmpty(s.t, status.Err)
		}
		return status.Commitment == chain.Finalized || !status.Found && height > signed.LastValidHeight
	})
}

func testStatuses(run runner) {
	run("statuses stand in the order of the signatures", func(t *testing.T, s *stage) {
		a, b := s.deposit(s.owner().Address, 1), s.deposit(s.owner().Address, 2)
		unknown := s.sign(s.owner(), s.owner().Address, 1, "m").Signature
		seen, err := s.chain.Statuses(s.ctx, []chain.Signature{a, unknown, b, a})
		require.NoError(t, err)
		require.Len(t, seen.Statuses, 4)
		require.Equal(t, chain.Status{}, seen.Statuses[1])
		require.Equal(t, seen.Statuses[0], seen.Statuses[3])
		require.Greater(t, seen.Statuses[2].Slot, seen.Statuses[0].Slot)
		require.False(t, seen.Statuses[0].At.After(seen.Statuses[2].At))
	})
	run("a payment that lands climbs to finalized and stays there", func(t *testing.T, s *stage) {
		from := s.funded(10)
		signed := s.sign(from, s.owner().Address, 4, "m")
		s.send(signed)
		rank := 0
		s.until("finalized", func() bool {
			status, _ := s.look(signed.Signature)
			require.GreaterOrEqual(t, status.Commitment.Rank(), rank)
			rank = status.Commitment.Rank()
			return rank == chain.Finalized.Rank()
		})
		s.pass(350)
		status, _ := s.look(signed.Signature)
		require.Equal(t, chain.Finalized, status.Commitment, "history included")
	})
	run("the finalized height grows with the chain", func(t *testing.T, s *stage) {
		seen, err := s.chain.Statuses(s.ctx, nil)
		require.NoError(t, err)
		require.Empty(t, seen.Statuses)
		s.pass(40)
		later, err := s.chain.Statuses(s.ctx, nil)
		require.NoError(t, err)
		require.Greater(t, later.FinalizedHeight, seen.FinalizedHeight)
	})
	run("so many signatures as MaxStatuses are answered", func(t *testing.T, s *stage) {
		known := s.deposit(s.owner().Address, 1)
		signatures := make([]chain.Signature, chain.MaxStatuses)
		for i := range signatures {
			signatures[i] = known
		}
		seen, err := s.chain.Statuses(s.ctx, signatures)
		require.NoError(t, err)
		require.Len(t, seen.Statuses, chain.MaxStatuses)
	})
	run("a failed payment is found with its error", func(t *testing.T, s *stage) {
		s.inject(ProgramError, 1)
		from := s.funded(10)
		signed := s.sign(from, s.owner().Address, 4, "m")
		s.send(signed)
		require.NotEmpty(t, s.finalize(signed.Signature).Err)
		require.Equal(t, int64(10), s.worth(from.Address))
	})
}
