package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

func TestAStopOutlivesARestartAndTransfersWaitForItsEnd(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	require.NoError(t, s.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	sent := s.order(w, to, 4*dollar)
	s.pass(time.Minute)
	require.Empty(t, s.transfer(sent.ID).Signature, "nothing is signed")

	s.stop()
	s.start(s.path, true)
	s.matched()
	s.pass(time.Hour)
	require.True(t, s.held(), "the chain is matched and the hold over, the stop is not")
	require.Equal(t, wallets.Pending, s.transfer(sent.ID).Status)
	require.Zero(t, s.holds(to))

	require.NoError(t, s.Custody.ResumeOutflows(t.Context(), ferry.Test))
	require.False(t, s.held())
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}
