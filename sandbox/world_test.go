package sandbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// stillClock is a base clock that only a test moves.
type stillClock struct{ now time.Time }

func (c *stillClock) Now() time.Time { return c.now }

func newStill() *stillClock {
	return &stillClock{time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
}

// newWorld returns a world whose clock only Advance moves.
func newWorld(t *testing.T, store sandbox.Store) *sandbox.World {
	t.Helper()
	return sandbox.New(sandbox.Config{
		Store: store, Clock: newStill(), Seed: 7,
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
}

// pass lets so many slots of the chain pass.
func pass(t *testing.T, w *sandbox.World, slots int) {
	t.Helper()
	_, err := w.Advance(t.Context(), time.Duration(slots)*sandbox.SlotTime)
	require.NoError(t, err)
}

// address returns a managed address and its keyring, which follow from n.
func address(t testing.TB, n byte) (chain.Address, chain.Keyring) {
	t.Helper()
	var plain [32]byte
	plain[0] = n
	seed, err := chain.OpenSeed(plain[:])
	require.NoError(t, err)
	return seed.Address(), chain.NewKeyring(seed)
}

func TestAWorldGoesOnAfterARestart(t *testing.T) {
	store := sandbox.NewMemory()
	before := newWorld(t, store)
	to, _ := address(t, 1)
	signature, err := before.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(5)})
	require.NoError(t, err)
	account, err := before.Bank().OpenAccount(t.Context(), "one", "Ada")
	require.NoError(t, err)
	_, err = before.Credit(t.Context(), sandbox.CreditParams{AccountNumber: account.AccountNumber, Amount: money.NGN(100)})
	require.NoError(t, err)
	pass(t, before, 20)

	after := sandbox.New(sandbox.Config{Store: store, Clock: newStill(), Seed: 8})
	require.Equal(t, before.Clock().Now(), after.Clock().Now())
	for _, w := range []*sandbox.World{before, after} {
		seen, err := w.Chain().Statuses(t.Context(), []chain.Signature{signature})
		require.NoError(t, err)
		require.Equal(t, chain.Finalized, seen.Statuses[0].Commitment)
		moves, err := w.Chain().History(t.Context(), to, "", 10)
		require.NoError(t, err)
		require.Len(t, moves, 1)
		credits, err := w.Bank().Credits(t.Context(), "", 10)
		require.NoError(t, err)
		require.Len(t, credits, 1)
		again, err := w.Bank().OpenAccount(t.Context(), "one", "Ada")
		require.NoError(t, err)
		require.Equal(t, account, again)
	}
	genesis, err := before.Chain().Genesis(t.Context())
	require.NoError(t, err)
	same, err := after.Chain().Genesis(t.Context())
	require.NoError(t, err)
	require.Equal(t, genesis, same)
}

func TestADepositOfOneNameIsMadeOnce(t *testing.T) {
	w := newWorld(t, sandbox.NewMemory())
	to, _ := address(t, 1)
	pay := func(name string) chain.Signature {
		signature, err := w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(5), Once: name})
		require.NoError(t, err)
		return signature
	}
	require.Equal(t, pay("one"), pay("one"))
	require.NotEqual(t, pay("one"), pay("another"))
	require.NotEqual(t, pay(""), pay(""))
	pass(t, w, 20)
	balance, err := w.Balance(t.Context(), to)
	require.NoError(t, err)
	require.Equal(t, money.USDC(4*5), balance)
}

func TestTheSameSeedMakesTheSameWorld(t *testing.T) {
	type made struct {
		Genesis string
		Deposit chain.Signature
		Account bank.Account
		Signed  chain.Signed
	}
	build := func(seed uint64) made {
		w := sandbox.New(sandbox.Config{Clock: newStill(), Seed: seed})
		a, keys := address(t, 1)
		b, _ := address(t, 2)
		var m made
		var err error
		m.Genesis, err = w.Chain().Genesis(t.Context())
		require.NoError(t, err)
		m.Deposit, err = w.Deposit(t.Context(), sandbox.DepositParams{To: a, Amount: money.USDC(5)})
		require.NoError(t, err)
		m.Account, err = w.Bank().OpenAccount(t.Context(), "one", "Ada")
		require.NoError(t, err)
		m.Signed, err = w.Chain().Sign(t.Context(), chain.Transfer{
			Sources: []chain.Source{{Address: a, Amount: money.USDC(1)}}, Destination: b, Memo: "m",
		}, keys)
		require.NoError(t, err)
		return m
	}
	require.Equal(t, build(1), build(1))
	one, two := build(1), build(2)
	require.NotEqual(t, one.Genesis, two.Genesis)
	require.NotEqual(t, one.Deposit, two.Deposit)
	require.NotEqual(t, one.Account, two.Account)
	require.NotEqual(t, one.Signed.Signature, two.Signed.Signature)
}
