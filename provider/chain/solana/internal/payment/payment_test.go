package payment_test

import (
	"crypto/rand"
	"os/exec"
	"slices"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana/internal/payment"
)

func newSeed(t require.TestingT) chain.Seed {
	s, err := chain.NewSeed(rand.Reader)
	require.NoError(t, err)
	return s
}

// crowd is an order from so many sources to somebody, with all keys.
func crowd(t require.TestingT, sources int) (o payment.Order, feePayer, ring chain.Keyring) {
	payer := newSeed(t)
	o = payment.Order{Mint: sol.PublicKey{1}, FeePayer: sol.MustPublicKeyFromBase58(string(payer.Address())), Blockhash: sol.Hash{7}}
	var seeds []chain.Seed
	for range sources {
		seeds = append(seeds, newSeed(t))
		o.Transfer.Sources = append(o.Transfer.Sources, chain.Source{Address: seeds[len(seeds)-1].Address(), Amount: money.USDC(1)})
	}
	o.Transfer.Destination = newSeed(t).Address()
	return o, chain.NewKeyring(payer), chain.NewKeyring(seeds...)
}

func TestEveryPaymentThatIsAcceptedFitsAPacketAndIsSignedByAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources := rapid.IntRange(1, 8).Draw(t, "sources")
		o, payer, ring := crowd(t, sources)
		o.Direct = rapid.Bool().Draw(t, "direct")
		o.Price = rapid.Uint64().Draw(t, "price")
		for i := range o.Transfer.Sources {
			o.Transfer.Sources[i].Amount = money.USDC(rapid.Int64Range(1, 1<<62).Draw(t, "amount"))
		}
		o.Transfer.Memo = rapid.StringN(0, 400, 1400).Draw(t, "memo")
		signature, signed, err := payment.Sign(o, payer, ring)
		if len(o.Transfer.Memo) <= payment.MaxMemo(sources) {
			require.NoError(t, err)
		}
		if err != nil {
			require.ErrorIs(t, err, chain.ErrInvalidTransfer)
			return
		}
		require.LessOrEqual(t, len(signed), payment.PacketSize)
		tx, err := sol.TransactionFromBytes(signed)
		require.NoError(t, err)
		require.NoError(t, tx.VerifySignatures())
		require.Equal(t, signature, tx.Signatures[0])
		require.Equal(t, 1+sources, tx.NumSigners())
		paid := map[sol.PublicKey]uint64{}
		for _, in := range tx.Message.Instructions {
			if tx.Message.AccountKeys[in.ProgramIDIndex] != sol.TokenProgramID {
				continue
			}
			metas, err := in.ResolveInstructionAccounts(&tx.Message)
			require.NoError(t, err)
			decoded, err := token.DecodeInstruction(metas, in.Data)
			require.NoError(t, err)
			moved := decoded.Impl.(*token.TransferChecked)
			require.Equal(t, uint8(6), *moved.Decimals)
			paid[moved.GetOwnerAccount().PublicKey] = *moved.Amount
		}
		require.Len(t, paid, sources)
		for _, s := range o.Transfer.Sources {
			require.Equal(t, uint64(s.Amount.Minor()), paid[sol.MustPublicKeyFromBase58(string(s.Address))])
		}
	})
}

func TestTheRoomForAMemoIsExact(t *testing.T) {
	for sources := 1; payment.MaxMemo(sources) >= 0; sources++ {
		o, payer, ring := crowd(t, sources)
		for _, c := range []string{"m", "₦", "💸"} {
			o.Transfer.Memo = strings.Repeat(c, payment.MaxMemo(sources)/len(c))
			_, _, err := payment.Sign(o, payer, ring)
			require.NoError(t, err, "%d sources", sources)
		}
		o.Transfer.Memo = strings.Repeat("m", payment.MaxMemo(sources)+1)
		_, _, err := payment.Sign(o, payer, ring)
		require.ErrorIs(t, err, chain.ErrInvalidTransfer, "%d sources", sources)
	}
}

func TestNothingIsSignedWithoutAllKeys(t *testing.T) {
	o, payer, ring := crowd(t, 2)
	_, _, err := payment.Sign(o, payer, chain.NewKeyring())
	require.Error(t, err)
	_, _, err = payment.Sign(o, chain.NewKeyring(), ring)
	require.Error(t, err)
}

// What a key passes through is named, so that nothing comes to it unseen.
func TestWhatSignsImportsNoMoreThanItNeeds(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, ".").Output()
	require.NoError(t, err)
	got := strings.Fields(string(out))
	slices.Sort(got)
	require.Equal(t, []string{
		"errors", "fmt",
		"github.com/ferrypay/ferry/money", "github.com/ferrypay/ferry/provider/chain",
		"github.com/gagliardetto/solana-go",
		"github.com/gagliardetto/solana-go/programs/associated-token-account",
		"github.com/gagliardetto/solana-go/programs/compute-budget",
		"github.com/gagliardetto/solana-go/programs/memo",
		"github.com/gagliardetto/solana-go/programs/token",
		"unicode/utf8",
	}, got)
}
