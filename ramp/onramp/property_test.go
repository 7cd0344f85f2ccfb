package onramp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/sandbox"
)

// Whatever happens in whatever order, each kobo that came is the platform's for USDC that it
// sent, or went back.
func TestMoneyIsConservedInAnyOrderOfEvents(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := open(t)
		o := s.create(order("order-1"))
		var came []string
		var sum int64
		for range rapid.IntRange(1, 8).Draw(r, "events") {
			switch rapid.SampledFrom([]string{"pay", "pay", "pay", "time", "fault", "bank"}).Draw(r, "event") {
			case "pay":
				kobo := rapid.SampledFrom([]int64{1, 5_000_00, 7_500_00, 14_999_99, 15_000_00, 20_000_00}).Draw(r, "kobo")
				came, sum = append(came, s.pay(o, kobo)), sum+kobo
			case "time":
				s.advance(time.Duration(rapid.IntRange(1, 16*60).Draw(r, "seconds")) * time.Second)
			case "fault":
				kind := rapid.SampledFrom([]sandbox.Kind{sandbox.ProgramError, sandbox.Unavailable, sandbox.AnswerLost, sandbox.SubmissionLost}).Draw(r, "kind")
				require.NoError(r, s.World.Inject(t.Context(), sandbox.TargetChain, kind, rapid.IntRange(1, 3).Draw(r, "count")))
			case "bank":
				kind := rapid.SampledFrom([]sandbox.Kind{sandbox.Unavailable, sandbox.Withheld, sandbox.Duplicate}).Draw(r, "kind")
				require.NoError(r, s.World.Inject(t.Context(), sandbox.TargetBank, kind, rapid.IntRange(1, 3).Draw(r, "count")))
			}
			s.clean()
		}
		require.NoError(r, s.World.Calm(t.Context()))
		s.advance(30 * time.Minute)
		s.clean()
		now, err := s.Onramps.Get(t.Context(), s.scope, onramp.Ref{ID: string(o.ID)})
		require.NoError(r, err)
		require.True(r, onramp.Lifecycle.Final(now.Stage), now.Stage)
		kept, sent := int64(0), int64(0)
		if now.Stage == ramp.Done {
			kept, sent = now.Amount.Minor(), now.Crypto.Minor()
		}
		require.Equal(r, sum, s.back(came...)+kept)
		s.holds(stranger, sent)
		found, err := s.Reconcile(t.Context(), ferry.Test)
		require.NoError(r, err)
		require.Empty(r, found.Findings)
	})
}
