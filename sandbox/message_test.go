package sandbox

import (
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

func signedMessage(t testing.TB, memo string) []byte {
	var seeds []chain.Seed
	transfer := chain.Transfer{Memo: memo}
	for n := range byte(3) {
		seed, err := chain.OpenSeed(append([]byte{n}, make([]byte, ed25519.SeedSize-1)...))
		require.NoError(t, err)
		seeds = append(seeds, seed)
		transfer.Destination = seed.Address()
		transfer.Sources = append(transfer.Sources, chain.Source{Address: seed.Address(), Amount: money.USDC(int64(n) + 1)})
	}
	m, err := newMessage(transfer, [blockhashSize]byte{1, 2, 3})
	require.NoError(t, err)
	signed, err := m.sign(chain.NewKeyring(seeds...))
	require.NoError(t, err)
	return signed
}

func TestSignedBytesTellTheirMessage(t *testing.T) {
	for _, memo := range []string{"", "m", messageMagic, "naïve ₦"} {
		m, err := verify(signedMessage(t, memo))
		require.NoError(t, err)
		require.Equal(t, memo, m.Memo)
		require.Equal(t, [blockhashSize]byte{1, 2, 3}, m.Blockhash)
		require.Len(t, m.Sources, 3)
		require.Equal(t, int64(2), m.Sources[1].Amount)
		require.Equal(t, m.Sources[2].Owner, m.Destination)
	}
}

func TestEveryBitOfSignedBytesMatters(t *testing.T) {
	signed := signedMessage(t, "m")
	for i := range signed {
		forged := append([]byte(nil), signed...)
		forged[i] ^= 0x40
		_, err := verify(forged)
		require.ErrorIs(t, err, errMalformed, "byte %d", i)
	}
	for length := range signed {
		_, err := verify(signed[:length])
		require.ErrorIs(t, err, errMalformed, "%d bytes", length)
	}
}

func TestMemosFollowTheArithmeticOfARealPacket(t *testing.T) {
	require.Equal(t, 663, maxMemo(1))
	require.Equal(t, 518, maxMemo(2))
	require.Equal(t, 83, maxMemo(5))
	require.Negative(t, maxMemo(6))
	require.Negative(t, maxMemo(0))
}

func FuzzVerify(f *testing.F) {
	f.Add(signedMessage(f, "m"))
	f.Add([]byte(messageMagic))
	f.Add(append(make([]byte, ed25519.SignatureSize), messageMagic...))
	f.Fuzz(func(t *testing.T, signed []byte) {
		m, err := verify(signed)
		if err != nil {
			require.ErrorIs(t, err, errMalformed)
			return
		}
		require.Equal(t, signed[len(m.Sources)*ed25519.SignatureSize:], m.encode())
	})
}
