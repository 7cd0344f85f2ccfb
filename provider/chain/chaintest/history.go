package chaintest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

func testHistory(run runner) {
	run("an address that nothing happened to has no history", func(t *testing.T, s *stage) {
		require.Empty(t, s.history(s.owner().Address, 10))
	})
	run("a deposit is told with all that is known of it", func(t *testing.T, s *stage) {
		o := s.owner()
		signature := s.deposit(o.Address, 5)
		moves := s.history(o.Address, 10)
		require.Len(t, moves, 1)
		m := moves[0]
		require.Equal(t, signature, m.Signature)
		require.Equal(t, string(s.landmarks().Mint), m.Mint)
		require.True(t, m.Supported)
		require.Equal(t, money.USDC(5), m.Delta)
		status, _ := s.look(signature)
		require.Equal(t, status.Slot, m.Slot)
		require.True(t, status.At.Equal(m.At))
		require.NotEmpty(t, m.Cursor)
		require.NotEmpty(t, m.Counterparty)
	})
	run("a payment is told to both sides", func(t *testing.T, s *stage) {
		from, to := s.funded(10), s.owner()
		s.pay(from, to.Address, 4, "m")
		out, in := s.history(from.Address, 10), s.history(to.Address, 10)
		require.Len(t, out, 2)
		require.Len(t, in, 1)
		require.Equal(t, money.USDC(-4), out[1].Delta)
		require.Equal(t, to.Address, out[1].Counterparty)
		require.Equal(t, money.USDC(4), in[0].Delta)
		require.Equal(t, from.Address, in[0].Counterparty)
	})
	run("pages of any length tell the same, oldest first", func(t *testing.T, s *stage) {
		o := s.owner()
		var signatures []chain.Signature
		for i := range 5 {
			signatures = append(signatures, s.deposit(o.Address, int64(i+1)))
		}
		whole := s.history(o.Address, 50)
		for i, m := range whole {
			require.Equal(t, signatures[i], m.Signature)
		}
		require.Len(t, whole, 5)
		require.Equal(t, whole, s.history(o.Address, 1))
		require.Equal(t, whole, s.history(o.Address, 2))
	})
	run("a cursor goes on where it was saved, whatever came since", func(t *testing.T, s *stage) {
		o := s.owner()
		s.deposit(o.Address, 1)
		saved := s.history(o.Address, 10)[0].Cursor
		empty, err := s.chain.History(s.ctx, o.Address, saved, 10)
		require.NoError(t, err)
		require.Empty(t, empty)
		second := s.deposit(o.Address, 2)
		moves, err := s.chain.History(s.ctx, o.Address, saved, 10)
		require.NoError(t, err)
		require.Len(t, moves, 1)
		require.Equal(t, second, moves[0].Signature)
	})
	run("several deposits at once are all told", func(t *testing.T, s *stage) {
		o := s.owner()
		var last chain.Signature
		for range 4 {
			var err error
			last, err = s.Deposit(s.ctx, o.Address, money.USDC(1))
			require.NoError(t, err)
		}
		s.finalize(last)
		s.pass(40)
		require.Equal(t, int64(4), s.worth(o.Address))
	})
	run("what is not finalized is not told", func(t *testing.T, s *stage) {
		o := s.owner()
		signature, err := s.Deposit(s.ctx, o.Address, money.USDC(5))
		require.NoError(t, err)
		s.until("told", func() bool {
			told := len(s.history(o.Address, 10)) > 0
			status, _ := s.look(signature) // looked at later: it can only be surer
			require.True(t, !told || status.Commitment == chain.Finalized)
			return told
		})
	})
	run("another token is told as unsupported", func(t *testing.T, s *stage) {
		o := s.owner()
		signature, mint, err := s.DepositOther(s.ctx, o.Address, 5)
		require.NoError(t, err)
		s.finalize(signature)
		moves := s.history(o.Address, 10)
		require.Len(t, moves, 1)
		require.Equal(t, string(mint), moves[0].Mint)
		require.False(t, moves[0].Supported)
		require.True(t, moves[0].Delta.IsZero())
	})
	run("a payment that failed is not told", func(t *testing.T, s *stage) {
		from := s.funded(3)
		fail(s, s.sign(from, s.owner().Address, 4, "m"))
		s.pass(5)
		require.Len(t, s.history(from.Address, 10), 1)
	})
}

func testChangeTokens(run runner) {
	run("only the change token of an address that something moved at changes", func(t *testing.T, s *stage) {
		addresses := []chain.Address{s.owner().Address, s.funded(1).Address, s.owner().Address}
		before, err := s.chain.ChangeTokens(s.ctx, addresses)
		require.NoError(t, err)
		s.deposit(addresses[2], 5)
		after, err := s.chain.ChangeTokens(s.ctx, addresses)
		require.NoError(t, err)
		require.Len(t, after, 3)
		require.Equal(t, before[:2], after[:2])
		require.NotEqual(t, before[2], after[2])
	})
	run("a change token changes when money leaves", func(t *testing.T, s *stage) {
		from := s.funded(10)
		before := s.changeToken(from.Address)
		s.pay(from, s.owner().Address, 4, "m")
		require.NotEqual(t, before, s.changeToken(from.Address))
	})
	run("a change token changes when another token arrives", func(t *testing.T, s *stage) {
		o := s.funded(1)
		before := s.changeToken(o.Address)
		signature, _, err := s.DepositOther(s.ctx, o.Address, 5)
		require.NoError(t, err)
		s.finalize(signature)
		require.NotEqual(t, before, s.changeToken(o.Address))
	})
	run("a change token stays while nothing happens", func(t *testing.T, s *stage) {
		o := s.funded(1)
		before := s.changeToken(o.Address)
		s.pass(40)
		require.Equal(t, before, s.changeToken(o.Address))
	})
	run("so many addresses as MaxAddresses are answered", func(t *testing.T, s *stage) {
		addresses := s.unused(chain.MaxAddresses)
		tokens, err := s.chain.ChangeTokens(s.ctx, addresses)
		require.NoError(t, err)
		require.Len(t, tokens, chain.MaxAddresses)
	})
}
