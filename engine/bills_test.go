package engine_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/sandbox"
)

// forgetful is a biller that loses answers: it sells, and says nothing, so many times. It counts
// what it was asked to sell.
type forgetful struct {
	biller.Biller
	mu     sync.Mutex
	silent int
	asked  map[string]int
}

func (f *forgetful) lost(key string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if key != "" {
		f.asked[key]++
	}
	f.silent--
	return f.silent >= 0
}

func (f *forgetful) Buy(ctx context.Context, p biller.Purchase) (biller.Outcome, error) {
	o, err := f.Biller.Buy(ctx, p)
	if f.lost(p.Key) {
		return biller.Outcome{}, context.DeadlineExceeded
	}
	return o, err
}

func (f *forgetful) Outcome(ctx context.Context, key string) (biller.Outcome, error) {
	o, err := f.Biller.Outcome(ctx, key)
	if f.lost("") {
		return biller.Outcome{}, context.DeadlineExceeded
	}
	return o, err
}

func billing(t *testing.T, config engine.Config, silent int) (*engine.Engine, ferry.Scope, *forgetful) {
	t.Helper()
	config.Store, config.World = memstore.New(), sandbox.New(sandbox.Config{})
	f := &forgetful{Biller: config.World.Biller(), silent: silent, asked: map[string]int{}}
	config.Test = engine.Providers{Biller: f}
	e, err := engine.New(config)
	require.NoError(t, err)
	shop, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return e, shop.Business.Scope, f
}

// power is electricity for a meter.
func power(number string) bills.Params {
	return bills.Params{
		Service: biller.Utility, Provider: "ikeja-electric", VendType: biller.Prepaid, Number: number, Amount: money.NGN(5_000_00), Reference: "power",
	}
}

func passed(t *testing.T, e *engine.Engine, by time.Duration) {
	t.Helper()
	_, err := e.Advance(t.Context(), by)
	require.NoError(t, err)
	found, err := e.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, found)
}

func billOf(t *testing.T, e *engine.Engine, shop ferry.Scope) bills.Bill {
	t.Helper()
	b, err := e.Bills.Get(t.Context(), shop, bills.Ref{Reference: "power"})
	require.NoError(t, err)
	return b
}

// balanceOf is what a business has in naira, with what is set aside.
func balanceOf(t *testing.T, e *engine.Engine, shop ferry.Scope) ledger.Total {
	t.Helper()
	all, err := e.Balances(t.Context(), shop)
	require.NoError(t, err)
	for _, a := range all {
		if a.Asset == money.AssetNGN {
			return a
		}
	}
	t.Fatal("no naira")
	return ledger.Total{}
}

func TestABillWhoseAnswersAreLostIsBoughtOnce(t *testing.T) {
	e, shop, f := billing(t, engine.Config{}, 20)
	made, err := e.Bills.Create(t.Context(), shop, power("45012345670"))
	require.NoError(t, err)
	passed(t, e, 30*time.Minute)
	require.Equal(t, bills.Processing, billOf(t, e, shop).Status, "no time ends a bill")
	require.Equal(t, money.NGN(5_000_00), balanceOf(t, e, shop).Reserved)
	passed(t, e, 24*time.Hour)
	b := billOf(t, e, shop)
	require.Equal(t, bills.Successful, b.Status)
	require.NotEmpty(t, b.Token)
	require.Equal(t, map[string]int{string(made.ID): 1}, f.asked, "from then on the biller is asked what became of it")
	require.Equal(t, money.NGN(0), balanceOf(t, e, shop).Reserved)
	require.Equal(t, money.NGN(995_000_00), balanceOf(t, e, shop).Posted)
}

func TestABillThatTheBillerNeverGotIsAskedForTwiceAndFails(t *testing.T) {
	e, shop, f := billing(t, engine.Config{}, 0)
	made, err := e.Bills.Create(t.Context(), shop, power("45012345677"))
	require.NoError(t, err)
	passed(t, e, time.Hour)
	require.Equal(t, bills.Failed, billOf(t, e, shop).Status)
	require.Equal(t, map[string]int{string(made.ID): 2}, f.asked)
	require.Equal(t, money.NGN(1_000_000_00), balanceOf(t, e, shop).Posted)
	require.Equal(t, money.NGN(0), balanceOf(t, e, shop).Reserved)
}

func TestAFeeOfABillIsPaidOnTopAndGivenBackWithARefusal(t *testing.T) {
	tariffs := fees.Tariffs{fees.Bill: {Platform: fees.Rule{Flat: money.NGN(100_00)}}}
	for number, left := range map[string]money.Amount{"45012345670": money.NGN(994_900_00), "45012345679": money.NGN(1_000_000_00)} {
		e, shop, _ := billing(t, engine.Config{Tariffs: tariffs}, 0)
		_, err := e.Bills.Create(t.Context(), shop, power(number))
		require.NoError(t, err)
		require.Equal(t, money.NGN(5_100_00), balanceOf(t, e, shop).Reserved)
		passed(t, e, time.Minute)
		require.Equal(t, left, balanceOf(t, e, shop).Posted)
		require.Equal(t, money.NGN(0), balanceOf(t, e, shop).Reserved)
		r, err := e.Reconcile(t.Context(), ferry.Test)
		require.NoError(t, err)
		require.Empty(t, r.Findings)
	}
}

func TestABillWaitsWhileWhatLeavesIsStopped(t *testing.T) {
	e, shop, f := billing(t, engine.Config{}, 0)
	require.NoError(t, e.Custody.StopOutflows(t.Context(), ferry.Test, "drill"))
	_, err := e.Bills.Create(t.Context(), shop, power("45012345670"))
	require.NoError(t, err)
	passed(t, e, time.Hour)
	require.Equal(t, bills.Pending, billOf(t, e, shop).Status)
	require.Empty(t, f.asked)
}

func TestABillAboveTheLimitIsRefusedAndOneFromTheApprovalSumWaits(t *testing.T) {
	e, shop, _ := billing(t, engine.Config{Outflow: outflow.Ceilings{ferry.Test: {NGN: outflow.Limit{Operation: money.NGN(4_000_00)}}}}, 0)
	_, err := e.Bills.Create(t.Context(), shop, power("45012345670"))
	require.ErrorIs(t, err, outflow.ErrLimit)
	require.Equal(t, money.NGN(0), balanceOf(t, e, shop).Reserved)

	e, shop, f := billing(t, engine.Config{Outflow: outflow.Ceilings{ferry.Test: {NGN: outflow.Limit{Approval: money.NGN(4_000_00)}}}}, 0)
	made, err := e.Bills.Create(outflow.By(t.Context(), "ada"), shop, power("45012345670"))
	require.NoError(t, err)
	require.Equal(t, outflow.PendingApproval, made.Stage)
	passed(t, e, time.Hour)
	require.Empty(t, f.asked)
	waiting, err := e.Outflow.Approvals(t.Context(), shop, outflow.Pending, ferry.Page{})
	require.NoError(t, err)
	_, err = e.Decide(t.Context(), shop, outflow.Decision{ID: waiting.Data[0].ID, By: "bola", Verdict: outflow.Approve})
	require.NoError(t, err)
	passed(t, e, time.Minute)
	require.Equal(t, bills.Successful, billOf(t, e, shop).Status)
}

// lying is a biller that has another word for what it sold.
type lying struct {
	biller.Biller
	mu    sync.Mutex
	state biller.State
}

func (l *lying) Outcome(ctx context.Context, key string) (biller.Outcome, error) {
	o, err := l.Biller.Outcome(ctx, key)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != "" {
		o.State = l.state
	}
	return o, err
}

func TestReconcileFindsABillOfWhichTheBillerSaysOtherwise(t *testing.T) {
	world := sandbox.New(sandbox.Config{})
	l := &lying{Biller: world.Biller()}
	e, err := engine.New(engine.Config{Store: memstore.New(), World: world, Test: engine.Providers{Biller: l}})
	require.NoError(t, err)
	shop, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	for i, number := range []string{"45012345670", "45012345679"} {
		p := power(number)
		p.Reference += string(rune('0' + i))
		_, err = e.Bills.Create(t.Context(), shop.Business.Scope, p)
		require.NoError(t, err)
	}
	_, err = e.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	for state, want := range map[biller.State]string{biller.StateFailed: "tells no such bill", biller.StateDelivered: "booked as failed, but the biller sent it"} {
		l.state = state
		r, err := e.Reconcile(t.Context(), ferry.Test)
		require.NoError(t, err)
		require.Len(t, r.Findings, 1)
		require.Equal(t, "bill", r.Findings[0].Check)
		require.Contains(t, r.Findings[0].Text, want)
	}
}
