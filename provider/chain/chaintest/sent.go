package chaintest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// sent reads all payments after a place, in pages of the given length.
func (s *stage) sent(after chain.Cursor, page int) []chain.Payment {
	var all []chain.Payment
	for {
		some, err := s.chain.Sent(s.ctx, after, page)
		require.NoError(s.t, err)
		require.LessOrEqual(s.t, len(some), page)
		if len(some) == 0 {
			return all
		}
		all, after = append(all, some...), some[len(some)-1].Cursor
	}
}

// sentSince is the end of the list of payments, which subjects may share.
func (s *stage) sentSince() chain.Cursor {
	all := s.sent("", 50)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].Cursor
}

// own returns the payments that bear a memo.
func own(all []chain.Payment, memo string) []chain.Payment {
	var some []chain.Payment
	for _, p := range all {
		if p.Memo == memo {
			some = append(some, p)
		}
	}
	return some
}

func testSent(run runner) {
	run("a payment is told with all that is known of it, whoever signed it", func(t *testing.T, s *stage) {
		since := s.sentSince()
		from, to := s.funded(10), s.owner()
		signed := s.sign(from, to.Address, 4, "all of it "+string(from.Address))
		s.send(signed)
		status := s.finalize(signed.Signature)
		told := own(s.sent(since, 50), "all of it "+string(from.Address))
		require.Len(t, told, 1)
		p := told[0]
		require.Equal(t, signed.Signature, p.Signature)
		require.Equal(t, []chain.Source{pays(from.Address, 4)}, p.Sources)
		require.Equal(t, to.Address, p.Destination)
		require.Empty(t, p.Err)
		require.Equal(t, status.Slot, p.Slot)
		require.True(t, status.At.Equal(p.At))
		require.NotEmpty(t, p.Cursor)
	})
	run("a deposit is no payment", func(t *testing.T, s *stage) {
		since := s.sentSince()
		signature := s.deposit(s.owner().Address, 5)
		for _, p := range s.sent(since, 50) {
			require.NotEqual(t, signature, p.Signature)
		}
	})
	run("a payment that failed is told with its error", func(t *testing.T, s *stage) {
		since := s.sentSince()
		from := s.funded(3)
		memo := "fails " + string(from.Address)
		fail(s, s.sign(from, s.owner().Address, 4, memo))
		s.pass(5)
		told := own(s.sent(since, 50), memo)
		require.Len(t, told, 1)
		require.NotEmpty(t, told[0].Err)
		require.Empty(t, told[0].Sources)
	})
	run("what is not finalized is not told, and then it is", func(t *testing.T, s *stage) {
		since := s.sentSince()
		from := s.funded(10)
		memo := "soon " + string(from.Address)
		signed := s.sign(from, s.owner().Address, 4, memo)
		s.send(signed)
		s.until("told", func() bool {
			told := len(own(s.sent(since, 50), memo)) > 0
			status, _ := s.look(signed.Signature)
			require.True(t, !told || status.Commitment == chain.Finalized)
			return told
		})
	})
	run("pages of any length tell the same, oldest first, and a cursor goes on", func(t *testing.T, s *stage) {
		since := s.sentSince()
		from, to := s.funded(10), s.owner()
		var want []chain.Signature
		for range 3 {
			signed := s.pay(from, to.Address, 1, "page "+string(from.Address))
			s.pass(1)
			want = append(want, signed.Signature)
		}
		whole := s.sent(since, 50)
		require.Equal(t, whole, s.sent(since, 1))
		var got []chain.Signature
		for _, p := range own(whole, "page "+string(from.Address)) {
			got = append(got, p.Signature)
		}
		require.Equal(t, want, got)
		require.Empty(t, own(s.sent(whole[len(whole)-1].Cursor, 50), "page "+string(from.Address)))
	})
	run("a movement tells its memo, and whether the engine sent it", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		s.pay(from, to.Address, 4, "rent")
		out, in := s.history(from.Address, 10), s.history(to.Address, 10)
		require.False(t, out[0].Own, "the deposit")
		for _, m := range []chain.Movement{out[1], in[0]} {
			require.True(t, m.Own)
			require.Equal(t, "rent", m.Memo)
		}
	})
}

func testHoldings(run runner) {
	run("addresses hold what their histories sum to", func(t *testing.T, s *stage) {
		from, to, nobody := s.funded(10), s.owner(), s.owner()
		signed := s.pay(from, to.Address, 4, "m")
		held, err := s.chain.Holdings(s.ctx, []chain.Address{from.Address, nobody.Address, to.Address})
		require.NoError(t, err)
		require.Equal(t, []money.Amount{money.USDC(6), money.USDC(0), money.USDC(4)}, held.Amounts)
		status, _ := s.look(signed.Signature)
		require.GreaterOrEqual(t, held.Slot, status.Slot)
	})
	run("what is not finalized is not held, or not yet gone", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		signed := s.sign(from, to.Address, 4, "m")
		s.send(signed)
		s.until("held", func() bool {
			held, err := s.chain.Holdings(s.ctx, []chain.Address{from.Address, to.Address})
			require.NoError(t, err)
			status, _ := s.look(signed.Signature)
			moved := held.Amounts[1].Sign() > 0
			require.Equal(t, !moved, held.Amounts[0] == money.USDC(10), "one block is told")
			require.True(t, !moved || status.Commitment == chain.Finalized && held.Slot >= status.Slot)
			return moved
		})
	})
	run("another token is not counted", func(t *testing.T, s *stage) {
		o := s.funded(1)
		signature, _, err := s.DepositOther(s.ctx, o.Address, 5)
		require.NoError(t, err)
		s.finalize(signature)
		held, err := s.chain.Holdings(s.ctx, []chain.Address{o.Address})
		require.NoError(t, err)
		require.Equal(t, []money.Amount{money.USDC(1)}, held.Amounts)
	})
	run("so many addresses as MaxAddresses are answered, and none tell the slot", func(t *testing.T, s *stage) {
		addresses := s.unused(chain.MaxAddresses)
		held, err := s.chain.Holdings(s.ctx, addresses)
		require.NoError(t, err)
		require.Len(t, held.Amounts, chain.MaxAddresses)
		held, err = s.chain.Holdings(s.ctx, nil)
		require.NoError(t, err)
		require.NotZero(t, held.Slot)
	})
}
