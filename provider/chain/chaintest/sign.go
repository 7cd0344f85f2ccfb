package chaintest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

func testSign(run runner) {
	run("a signed payment can land for a while", func(t *testing.T, s *stage) {
		signed := s.sign(s.owner(), s.owner().Address, 1, "m")
		_, height := s.look(signed.Signature)
		require.Greater(t, signed.LastValidHeight, height)
		require.NotEmpty(t, signed.Blockhash)
		require.NotEmpty(t, s.chain.ExplorerURL(signed.Signature))
	})
	run("another memo makes another payment", func(t *testing.T, s *stage) {
		from, to := s.owner(), s.owner()
		one, two := s.sign(from, to.Address, 1, "one"), s.sign(from, to.Address, 1, "two")
		require.NotEqual(t, one.Signature, two.Signature)
	})
	run("a memo of MaxMemo bytes fits the packet, whatever the sources", func(t *testing.T, s *stage) {
		sources := 1
		for ; s.chain.MaxMemo(sources) >= 0; sources++ {
			most := s.chain.MaxMemo(sources)
			transfer, keys := crowd(s, sources)
			transfer.Memo = strings.Repeat("m", most)
			signed, err := s.chain.Sign(s.ctx, transfer, keys)
			require.NoError(t, err, "%d sources", sources)
			require.LessOrEqual(t, len(signed.Bytes), PacketSize)
			transfer.Memo += "m"
			_, err = s.chain.Sign(s.ctx, transfer, keys)
			require.ErrorIs(t, err, chain.ErrInvalidTransfer, "%d sources", sources)
		}
		require.Greater(t, sources, 1)
		transfer, keys := crowd(s, sources)
		_, err := s.chain.Sign(s.ctx, transfer, keys)
		require.ErrorIs(t, err, chain.ErrInvalidTransfer, "more sources than fit")
	})
	run("what is no transfer is not signed", func(t *testing.T, s *stage) {
		o, to := s.owner(), s.owner().Address
		one := pays(o.Address, 1)
		for name, transfer := range map[string]chain.Transfer{
			"no source":            {Destination: to},
			"a source twice":       {Sources: []chain.Source{one, one}, Destination: to},
			"nothing":              {Sources: []chain.Source{pays(o.Address, 0)}, Destination: to},
			"less than nothing":    {Sources: []chain.Source{pays(o.Address, -1)}, Destination: to},
			"naira":                {Sources: []chain.Source{{Address: o.Address, Amount: money.NGN(1)}}, Destination: to},
			"no destination":       {Sources: []chain.Source{one}},
			"no address":           {Sources: []chain.Source{one}, Destination: "0OIl"},
			"source of no address": {Sources: []chain.Source{pays("0OIl", 1)}, Destination: to},
			"memo not in UTF-8":    {Sources: []chain.Source{one}, Destination: to, Memo: "\xff"},
		} {
			_, err := s.chain.Sign(s.ctx, transfer, o.Keys)
			require.ErrorIs(t, err, chain.ErrInvalidTransfer, name)
		}
	})
	run("nothing is signed without the key of every source", func(t *testing.T, s *stage) {
		mine, other := s.owner(), s.owner()
		_, err := s.chain.Sign(s.ctx, chain.Transfer{
			Sources: []chain.Source{pays(mine.Address, 1), pays(other.Address, 1)}, Destination: s.owner().Address,
		}, mine.Keys)
		require.Error(t, err)
	})
	run("a payment that is signed and not sent never lands", func(t *testing.T, s *stage) {
		from := s.funded(10)
		s.expire(s.sign(from, s.owner().Address, 4, "m"))
		require.Equal(t, int64(10), s.worth(from.Address))
	})
}

// crowd is a transfer from so many sources with nothing, and their keys.
func crowd(s *stage, sources int) (chain.Transfer, chain.Keyring) {
	transfer := chain.Transfer{Destination: s.owner().Address}
	var seeds []chain.Seed
	for range sources {
		seed := s.newSeed()
		seeds = append(seeds, seed)
		transfer.Sources = append(transfer.Sources, pays(seed.Address(), 1))
	}
	return transfer, chain.NewKeyring(seeds...)
}
