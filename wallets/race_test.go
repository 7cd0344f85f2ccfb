package wallets_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// race calls do n times at once and returns how many succeeded; all others must
// fail for want of money.
func race(t *testing.T, n int, do func(i int) error) int {
	t.Helper()
	errs := make([]error, n)
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-begin
			errs[i] = do(i)
		})
	}
	close(begin)
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	}
	return won
}

func TestSixtyFourAtOnceSpendWhatIsThereAndNoMore(t *testing.T) {
	for _, kind := range []outgoing.Kind{outgoing.Internal, outgoing.External} {
		t.Run(string(kind), func(t *testing.T) {
			b := setupOn(t, memstore.New())
			w, other := b.funded("w", "10.1"), b.wallet("other")
			to := func() chain.Address { return other.PrimaryAddress }
			if kind == outgoing.External {
				strangers := make(chan chain.Address, 64)
				for range 64 {
					strangers <- b.stranger()
				}
				to = func() chain.Address { return <-strangers }
			}
			won := race(t, 64, func(i int) error {
				p := order(w, to(), "1")
				p.Reference = fmt.Sprintf("r-%d", i)
				_, err := b.Transfer(t.Context(), home, p)
				return err
			})
			require.Equal(t, 10, won)
			b.settle()
			require.Len(t, b.lines(home, wallets.TransactionQuery{Direction: wallets.Out}), 10)
			b.clean()
		})
	}
}

func TestOfManyWithOneReferenceOneIsMade(t *testing.T) {
	b := setupOn(t, memstore.New())
	w, other := b.funded("w", "100"), b.wallet("other")
	p := order(w, other.PrimaryAddress, "1")
	p.Reference = "r-1"
	errs := make([]error, 16)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = b.Transfer(t.Context(), home, p) })
	}
	wg.Wait()
	refused := 0
	for _, err := range errs {
		if errors.Is(err, wallets.ErrDuplicateReference) {
			refused++
		}
	}
	require.Equal(t, 15, refused)
	require.Equal(t, usdc("99"), b.balance(w))
}

func TestManySweepsAndWorkersAtOnceDoEverythingOnce(t *testing.T) {
	b := setupOn(t, memstore.New())
	w := b.funded("w", "100")
	to := b.stranger()
	for range 10 {
		b.send(w, to, "1")
	}
	second := b.another()
	for range 40 {
		b.finalize()
		var wg sync.WaitGroup
		for _, s := range []*services{b.services, second} {
			wg.Go(func() { _, _ = s.RunDue(t.Context(), 3) })
			wg.Go(func() { _, _ = s.Sweep(t.Context(), 3) })
			wg.Go(func() {
				for _, pending := range b.pending() {
					_ = s.Advance(t.Context(), home, pending.ID)
				}
			})
		}
		wg.Wait()
	}
	b.settle()
	require.Equal(t, usdc("10"), b.holds(to))
	require.Len(t, b.events(home, wallets.EventSent), 10)
	require.Len(t, b.events(home, wallets.EventReceived), 1)
	b.clean()
}
