package sandbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/provider/biller/billertest"
	"github.com/ferrypay/ferry/sandbox"
)

type billerSubject struct{ *sandbox.World }

var (
	_ billertest.Faulty  = billerSubject{}
	_ billertest.Decider = billerSubject{}
)

func (billerSubject) Known(s biller.Service) string {
	return map[biller.Service]string{biller.CableTV: "7023456780", biller.Utility: "45012345670"}[s] +
		map[biller.Service]string{biller.Airtime: "08031234561", biller.Data: "08031234561"}[s]
}

func (billerSubject) Nobody(biller.Service) string { return "00000000000" }

func (s billerSubject) Decide(ctx context.Context, number string, state biller.State) error {
	_, err := s.SetBillOutcome(ctx, number, map[biller.State]sandbox.BillOutcome{
		biller.StateInProgress: sandbox.StaysOpen, biller.StateDelivered: sandbox.Delivers, biller.StateFailed: sandbox.Refuses,
	}[state])
	return err
}

func (s billerSubject) Inject(ctx context.Context, fault billertest.Fault, count int) error {
	return s.World.Inject(ctx, sandbox.TargetBiller, sandbox.Kind(fault), count)
}

func TestTheBillerKeepsTheContract(t *testing.T) {
	billertest.Run(t, func(t *testing.T) billertest.Subject { return billerSubject{newWorld(t, nil)} })
}

// tokens are bought for a prepaid meter.
func tokens(key, number string) biller.Purchase {
	return biller.Purchase{
		Key: key, Amount: money.NGN(5_000_00), Reference: key,
		Target: biller.Target{Service: biller.Utility, Provider: "ikeja-electric", Product: "ikeja-electric-prepaid", Number: number},
	}
}

func TestTheLastDigitOfANumberDecidesWhatTheBillerDoes(t *testing.T) {
	w := newWorld(t, nil)
	b := w.Biller()
	for ending, want := range map[string]struct {
		answered bool
		state    biller.State
	}{
		"1": {true, biller.StateDelivered}, "9": {true, biller.StateFailed}, "8": {false, biller.StateDelivered},
		"6": {true, biller.StateInProgress}, "5": {true, biller.StateInProgress},
	} {
		_, err := b.Buy(t.Context(), tokens("bill-"+ending, "4501234567"+ending))
		require.Equal(t, want.answered, err == nil, ending)
		o, err := b.Outcome(t.Context(), "bill-"+ending)
		require.NoError(t, err)
		require.Equal(t, want.state, o.State, ending)
	}
	_, err := b.Buy(t.Context(), tokens("bill-7", "45012345677"))
	require.ErrorIs(t, err, biller.ErrUnavailable)
	_, err = b.Outcome(t.Context(), "bill-7")
	require.ErrorIs(t, err, biller.ErrUnknownKey)
}

func TestALateTokenIsKnownHalfAMinuteLater(t *testing.T) {
	w := newWorld(t, nil)
	late, err := w.Biller().Buy(t.Context(), tokens("bill-1", "45012345675"))
	require.NoError(t, err)
	require.Equal(t, biller.StateInProgress, late.State)
	require.Empty(t, late.Token)
	_, err = w.Advance(t.Context(), 30*time.Second)
	require.NoError(t, err)
	late, err = w.Biller().Outcome(t.Context(), "bill-1")
	require.NoError(t, err)
	require.Equal(t, biller.StateDelivered, late.State)
	require.Regexp(t, `^\d{20}$`, late.Token)
	require.Equal(t, "25.0 kWh", late.Units)
}

func TestAnOutcomeThatIsSetForABillStrikesWhatIsInProgress(t *testing.T) {
	w := newWorld(t, nil)
	for key, number := range map[string]string{"open": "45012345676", "done": "45012345671"} {
		_, err := w.Biller().Buy(t.Context(), tokens(key, number))
		require.NoError(t, err)
	}
	applied, err := w.SetBillOutcome(t.Context(), "open", sandbox.Refuses)
	require.NoError(t, err)
	require.Equal(t, 1, applied)
	applied, err = w.SetBillOutcome(t.Context(), "done", sandbox.Refuses)
	require.NoError(t, err)
	require.Zero(t, applied, "what was delivered stays so")
	_, err = w.SetBillOutcome(t.Context(), "open", "lost")
	require.ErrorIs(t, err, sandbox.ErrUnknownOutcome)
}
