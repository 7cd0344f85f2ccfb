package remarks

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhyATransferWaitsIsLoggedMoreAndMoreSeldomButAtLeastEvery2048Tries(t *testing.T) {
	var r Remarks
	var said []int
	for range 3*seldom + 1 {
		if tries, say := r.Note("trx_1", "no node", "chain"); say {
			said = append(said, tries)
		}
	}
	require.Equal(t, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 6144}, said)
}

func TestAnotherReasonIsLoggedAtOnce(t *testing.T) {
	var r Remarks
	first := func(why, reason string) {
		t.Helper()
		for range 3 {
			r.Note("trx_2", why, reason)
		}
		tries, say := r.Note("trx_1", why, reason)
		require.True(t, say)
		require.Equal(t, 1, tries)
		r.Note("trx_1", why, reason)
	}
	first("not signed", "chain")
	first("not signed", "fee_payer")
	first("not seen", "fee_payer")
	r.Forget("trx_1")
	first("not seen", "fee_payer")
}

func TestWhatIsRememberedOfTransfersThatWaitHasABound(t *testing.T) {
	var r Remarks
	for n := range most {
		r.Note("trx_"+strconv.Itoa(n), "no node", "chain")
	}
	require.Len(t, r.all, most)
	r.Note("trx_more", "no node", "chain")
	require.Len(t, r.all, 1)
}
