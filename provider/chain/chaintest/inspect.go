package chaintest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
)

func testInspect(run runner) {
	run("the genesis of a chain never changes", func(t *testing.T, s *stage) {
		before, err := s.chain.Genesis(s.ctx)
		require.NoError(t, err)
		require.NotEmpty(t, before)
		s.pass(3)
		after, err := s.chain.Genesis(s.ctx)
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
	run("an unused address is an owner that is not opened", func(t *testing.T, s *stage) {
		o := s.owner()
		d := inspect(s, o.Address)
		require.Equal(t, chain.Destination{Kind: chain.Owner, Owner: o.Address}, d)
	})
	run("an address that received USDC is opened", func(t *testing.T, s *stage) {
		o := s.funded(1)
		d := inspect(s, o.Address)
		require.Equal(t, chain.Destination{Kind: chain.Owner, Opened: true, Owner: o.Address}, d)
	})
	run("a token account for USDC tells its owner", func(t *testing.T, s *stage) {
		o, landmarks := s.funded(1), s.landmarks()
		d := inspect(s, s.tokenAccount(o.Address, landmarks.Mint))
		require.Equal(t, chain.Destination{Kind: chain.TokenAccount, Opened: true, Owner: o.Address}, d)
	})
	run("nobody may send to a mint, a program or the fee payer", func(t *testing.T, s *stage) {
		landmarks := s.landmarks()
		for _, a := range []chain.Address{landmarks.Mint, landmarks.Program, landmarks.FeePayer} {
			require.Equal(t, chain.Destination{Kind: chain.Unusable}, inspect(s, a), "%s", a)
		}
	})
	run("nobody may send to another mint or its token accounts", func(t *testing.T, s *stage) {
		o := s.owner()
		signature, mint, err := s.DepositOther(s.ctx, o.Address, 5)
		require.NoError(t, err)
		s.finalize(signature)
		for _, a := range []chain.Address{mint, s.tokenAccount(o.Address, mint)} {
			require.Equal(t, chain.Destination{Kind: chain.Unusable}, inspect(s, a), "%s", a)
		}
		require.False(t, inspect(s, o.Address).Opened, "another token opens no account for USDC")
	})
	run("nobody may send to an address that is off the curve", func(t *testing.T, s *stage) {
		a := s.tokenAccount(s.owner().Address, s.landmarks().Mint) // not opened
		require.False(t, a.OnCurve())
		require.Equal(t, chain.Destination{Kind: chain.Unusable}, inspect(s, a))
	})
	run("a text that is no address is refused", func(t *testing.T, s *stage) {
		for _, a := range []chain.Address{"", "0OIl", "abc"} {
			_, err := s.chain.Inspect(s.ctx, a)
			require.ErrorIs(t, err, chain.ErrInvalidAddress)
		}
	})
}

func inspect(s *stage, a chain.Address) chain.Destination {
	d, err := s.chain.Inspect(s.ctx, a)
	require.NoError(s.t, err)
	return d
}

func (s *stage) landmarks() Landmarks {
	l, err := s.Landmarks(s.ctx)
	require.NoError(s.t, err)
	return l
}

func (s *stage) tokenAccount(owner, mint chain.Address) chain.Address {
	a, err := s.TokenAccount(s.ctx, owner, mint)
	require.NoError(s.t, err)
	return a
}
