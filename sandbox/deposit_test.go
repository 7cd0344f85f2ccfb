package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
)

func TestNoFaultStrikesADepositThatIsSpared(t *testing.T) {
	w := newWorld(t, nil)
	require.NoError(t, w.Inject(t.Context(), sandbox.TargetChain, sandbox.ForkDropped, 1))
	for range 2 {
		_, err := w.Deposit(t.Context(), sandbox.DepositParams{To: ownerOf(t, 1), Amount: money.USDC(5), Once: "stock", Spared: true})
		require.NoError(t, err)
		pass(t, w, 100)
	}
	has, err := w.Balance(t.Context(), ownerOf(t, 1))
	require.NoError(t, err)
	require.Equal(t, money.USDC(5), has)
	armed, err := w.Armed(t.Context())
	require.NoError(t, err)
	require.Equal(t, []sandbox.Armed{{Target: sandbox.TargetChain, Kind: sandbox.ForkDropped, Left: 1}}, armed, "it waits for a deposit of a test")
}
