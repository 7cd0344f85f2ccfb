package offramp_test

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// delivers and the others are meters with which the sandbox biller deals in that way.
const (
	delivers      = "45012345670"
	isNotServed   = "45012345679"
	answersNot    = "45012345678"
	sellsNothing  = "45012345677"
	staysOpen     = "45012345676"
	deliversLater = "45012345675"
)

// window is how long the USDC of a refused bill is held.
const window = 15 * time.Minute

// power is electricity for 15,000 naira, which is 10 USDC.
func power(reference, meter string) offramp.BillParams {
	return offramp.BillParams{Params: bills.Params{
		Service: biller.Utility, Provider: "ikeja-electric", VendType: biller.Prepaid, Number: meter, Amount: money.NGN(15_000_00), Reference: reference,
	}}
}

func (s *stage) createBill(p offramp.BillParams) offramp.Details {
	s.Helper()
	made, err := s.Offramps.CreateBill(s.Context(), s.scope, p)
	require.NoError(s, err)
	return made
}

// bought makes an order for electricity, and pays it in full.
func (s *stage) bought(meter string) offramp.Details {
	s.Helper()
	made := s.createBill(power("power", meter))
	s.deposit(made, money.USDC(10_000_000))
	return made
}

func (s *stage) retry(of offramp.Details) error {
	_, err := s.Offramps.Retry(s.Context(), s.scope, offramp.Ref{ID: string(of.ID)})
	return err
}

// wills decides what the biller does with a meter from now on.
func (s *stage) wills(meter string, outcome sandbox.BillOutcome) {
	s.Helper()
	_, err := s.World.SetBillOutcome(s.Context(), meter, outcome)
	require.NoError(s, err)
}

// allBills are the attempts to buy, the newest first.
func (s *stage) allBills() []bills.Bill {
	s.Helper()
	found, err := s.Bills.List(s.Context(), s.scope, bills.Filter{}, stagePage)
	require.NoError(s, err)
	return found.Data
}

// allow changes what may leave the business.
func (s *stage) allow(change outflow.Change) {
	s.Helper()
	require.NoError(s, s.Units(s.scope.Env).Write(s.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := s.Outflow.ChangeIn(ctx, tx, s.scope, change)
		return err
	}))
}

// gone requires that an order ended without a bill, and that its USDC went back less the fee of
// the network.
func (s *stage) gone(of offramp.Details) {
	s.Helper()
	found := s.is(of, ramp.Refunded, ramp.Failed)
	require.Equal(s, []string{"returned 10 purchase_failed"}, ends(found))
	require.NotEmpty(s, found.Failure)
	require.Equal(s, int64(10_000_000-fee), s.back().Minor())
	s.untouched()
}

// untouched requires that the business has what it had in the beginning.
func (s *stage) untouched() {
	s.Helper()
	require.Equal(s, s.start, s.naira().Posted)
	require.True(s, s.naira().Reserved.IsZero())
}
