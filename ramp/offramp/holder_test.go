package offramp_test

import (
	"context"
	"crypto/rand"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// reticent is a bank that tells no name of a holder until it is to.
type reticent struct {
	bank.Bank
	name string
	err  error
}

func (b *reticent) Enquire(context.Context, string, string) (bank.Holder, error) {
	return bank.Holder{Party: bank.Party{AccountName: b.name}}, b.err
}

func TestTheHolderIsAskedForBeforeAnAccountWithoutAKnownOneIsPaid(t *testing.T) {
	for name, c := range map[string]struct {
		account string
		tells   string
		err     error
		stage   ramp.Stage
		status  ramp.Status
		failure string
	}{
		"it is paid":    {paysOut, "Ada Obi", nil, ramp.Done, ramp.Successful, ""},
		"it is refused": {refuses, "Ada Obi", nil, ramp.Refunded, ramp.Failed, "The account cannot be credited"},
		"there is none": {paysOut, "", bank.ErrNoHolder, ramp.Refunded, ramp.Failed, payouts.ErrUnknownAccount.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			b := &reticent{Bank: w.Bank()}
			s := setupWith(t, engine.Config{World: w, Test: engine.Providers{Bank: b}})
			made := s.create(cashout("rent", c.account))
			require.Empty(t, made.To.AccountName)
			b.name, b.err = c.tells, c.err
			s.deposit(made, money.USDC(10_000_000))
			s.pass(time.Minute)
			found := s.is(made, c.stage, c.status)
			require.Equal(t, c.tells, found.To.AccountName)
			require.Equal(t, c.failure, found.Failure)
		})
	}
}

func TestAnOrderThatLapsedSaysWhetherAnythingCame(t *testing.T) {
	s := setup(t)
	nothing, some := s.create(cashout("rent", paysOut)), s.create(cashout("food", paysOut))
	s.deposit(some, money.USDC(9_000_000))
	s.pass(20 * time.Minute)
	require.Equal(t, "The USDC did not arrive in time", s.is(nothing, ramp.Expired, ramp.Failed).Failure)
	require.Equal(t, "Less USDC arrived than was asked for", s.is(some, ramp.Expired, ramp.Failed).Failure)
}

func TestALookAtAnOrderIsNoErrorWhileTheChainDoesNotAnswer(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.Unavailable, 10))
	found, err := s.Offramps.Refresh(t.Context(), s.scope, offramp.Ref{ID: string(made.ID)})
	require.NoError(t, err)
	require.Equal(t, ramp.AwaitingDeposit, found.Stage)
}

func TestAllThatNamesAnOrderMustNameTheSameOne(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.create(cashout("food", paysOut))
	_, err := s.Offramps.Get(t.Context(), s.scope, offramp.Ref{ID: string(made.ID), Reference: "rent", Pays: offramp.ToAccount})
	require.NoError(t, err)
	for _, ref := range []offramp.Ref{
		{ID: string(made.ID), Reference: "food"}, {ID: "nonsense"}, {ID: string(made.ID), Pays: offramp.ToBill}, {Reference: "none"}, {},
	} {
		_, err := s.Offramps.Get(t.Context(), s.scope, ref)
		require.ErrorIs(t, err, ferry.NotFound, ref)
	}
}

func TestABillForANumberThatIsNoLongerListedIsHeldForARetry(t *testing.T) {
	s := setup(t)
	made := s.createBill(power("power", delivers))
	listed := true
	s.allow(outflow.Change{AllowList: &listed})
	s.deposit(made, money.USDC(10_000_000))
	found := s.is(made, ramp.PurchaseRefused, ramp.Processing)
	require.Zero(t, found.Tries)
	require.Equal(t, []string{"held 10 "}, ends(found))
}

// due makes the way back of a deposit due.
func (s *stage) due(d offramp.Deposit) {
	s.Helper()
	s.tamper(func(ctx context.Context, tx store.Tx) error {
		return tx.Leases().Schedule(ctx, offramp.QueueReturns.In(ferry.Test), lease.RecordKey(d.Scope, string(d.ID)), tx.Now())
	})
}

func TestUSDCThatNobodyIsKnownToHaveSentIsKept(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.deposit(made, money.USDC(4_000_000))
	d := s.get(made).Deposits[0]
	d.ID, d.Version, d.State, d.Reason, d.Rate, d.Sender, d.Amount = "odp_again", 0, offramp.Due, offramp.Late, "", "", money.USDC(1)
	plant(s, offramp.DepositKind, d)
	for range 2 { // it stays kept when it is looked at again
		s.due(d)
		done, err := s.Offramps.RunDue(t.Context(), 10)
		require.NoError(t, err)
		require.Equal(t, 1, done)
		kept, err := s.Offramps.Kept(t.Context(), ferry.Test)
		require.NoError(t, err)
		require.Len(t, kept, 1)
		require.Equal(t, d.ID, kept[0].ID)
	}
	left, err := s.DueNext(t.Context())
	require.NoError(t, err)
	for _, due := range left {
		require.NotEqual(t, string(offramp.QueueReturns), due.What)
	}
}

// spent is a source of keys that can fail.
type spent struct{ fails bool }

func (s *spent) Read(b []byte) (int, error) {
	if s.fails {
		return 0, io.ErrUnexpectedEOF
	}
	return rand.Read(b)
}

func TestWithoutANewKeyThereIsNoOrder(t *testing.T) {
	source := &spent{}
	s := setupWith(t, engine.Config{Random: source, IDs: ferry.NewIDs(rand.Reader)})
	source.fails = true
	_, err := s.Offramps.Create(t.Context(), s.scope, cashout("rent", paysOut))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = s.Offramps.CreateBill(t.Context(), s.scope, power("power", delivers))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestAnOrderThatIsRepeatedWithItsQuoteIsADuplicate(t *testing.T) {
	s := setup(t)
	quote, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, money.NGN(15_000_00))
	require.NoError(t, err)
	p := cashout("rent", paysOut)
	p.Quote = string(quote.ID)
	s.create(p)
	_, err = s.Offramps.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ramp.ErrDuplicateReference)
	p.Reference = "food"
	_, err = s.Offramps.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ramp.ErrQuoteUsed)
}

func TestABillThatMovesInAnUnknownWayMovesNoOrder(t *testing.T) {
	s := setup(t)
	made := s.bought(staysOpen)
	bought := s.allBills()[0]
	err := s.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return s.Offramps.BillMovedIn(ctx, tx, bought, "melted")
	})
	require.ErrorContains(t, err, "melted")
	s.is(made, ramp.PaymentSubmitted, ramp.Processing)
}
