package outgoing

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/wallets"
)

func TestWhyATransferWaitsIsLoggedMoreAndMoreSeldomButAtLeastEvery2048Tries(t *testing.T) {
	var r remarks
	var said []int
	for range 3*seldom + 1 {
		if tries, say := r.note("trx_1", "no node", wallets.ForChain); say {
			said = append(said, tries)
		}
	}
	require.Equal(t, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 6144}, said)
}

func TestAnotherReasonIsLoggedAtOnce(t *testing.T) {
	var r remarks
	first := func(why string, reason wallets.Waiting) {
		t.Helper()
		for range 3 {
			r.note("trx_2", why, reason)
		}
		tries, say := r.note("trx_1", why, reason)
		require.True(t, say)
		require.Equal(t, 1, tries)
		r.note("trx_1", why, reason)
	}
	first("not signed", wallets.ForChain)
	first("not signed", wallets.ForFeePayer)
	first("not seen", wallets.ForFeePayer)
	r.forget("trx_1")
	first("not seen", wallets.ForFeePayer)
}

func TestWhatIsRememberedOfTransfersThatWaitHasABound(t *testing.T) {
	var r remarks
	for n := range maxRemarks {
		r.note(wallets.TransferID("trx_"+strconv.Itoa(n)), "no node", wallets.ForChain)
	}
	require.Len(t, r.all, maxRemarks)
	r.note("trx_more", "no node", wallets.ForChain)
	require.Len(t, r.all, 1)
}
