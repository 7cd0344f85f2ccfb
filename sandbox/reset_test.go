package sandbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
)

func TestAWorldThatIsResetIsNewAndOfTheSameSeed(t *testing.T) {
	store, base := sandbox.NewMemory(), newStill()
	w := sandbox.New(sandbox.Config{Store: store, Clock: base, Seed: 7})
	first, err := w.Bank().OpenAccount(t.Context(), "shop", "Shop")
	require.NoError(t, err)
	_, err = w.Credit(t.Context(), sandbox.CreditParams{AccountNumber: first.AccountNumber, Amount: money.NGN(100)})
	require.NoError(t, err)
	require.NoError(t, w.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 5))

	require.NoError(t, w.Reset(t.Context()))
	credits, err := w.Bank().Credits(t.Context(), bank.Cursor(""), 10)
	require.NoError(t, err, "the fault is gone")
	require.Empty(t, credits)
	_, err = w.Credit(t.Context(), sandbox.CreditParams{AccountNumber: first.AccountNumber, Amount: money.NGN(100)})
	require.ErrorIs(t, err, sandbox.ErrNoAccount)
	again, err := w.Bank().OpenAccount(t.Context(), "shop", "Shop")
	require.NoError(t, err)
	require.Equal(t, first, again)
}

func TestAResetTakesTheClockBackForEveryServer(t *testing.T) {
	store, base := sandbox.NewMemory(), newStill()
	one := sandbox.New(sandbox.Config{Store: store, Clock: base})
	two := sandbox.New(sandbox.Config{Store: store, Clock: base})
	for range 2 {
		_, err := one.Advance(t.Context(), time.Hour)
		require.NoError(t, err)
		require.Equal(t, base.now.Add(time.Hour), two.Clock().Now())
		require.NoError(t, one.Reset(t.Context()))
		require.Equal(t, base.now, one.Clock().Now())
		require.Equal(t, base.now, two.Clock().Now())
	}
	aimed, err := one.Aim(t.Context(), time.Minute)
	require.NoError(t, err)
	require.Equal(t, base.now.Add(time.Minute), aimed, "what was aimed at before is forgotten")
}
