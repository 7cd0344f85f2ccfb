package offramp_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestABusinessNeedsNoNairaOfItsOwnForAnOrder(t *testing.T) {
	s := setup(t)
	p := cashout("rent", paysOut)
	p.Amount = money.NGN(s.start.Minor() + 500_000_00)
	made := s.create(p)
	s.deposit(made, made.Crypto)
	s.is(made, ramp.Done, ramp.Successful)
	s.untouched()
}

func TestTheStatementNamesWhoSentUSDCFirst(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.deposit(made, money.USDC(4_000_000))
	_, err := s.World.Deposit(t.Context(), sandbox.DepositParams{To: made.Deposit, Amount: money.USDC(6_000_000), Sender: sandbox.USDCMint})
	require.NoError(t, err)
	s.pass(10 * time.Second)
	s.is(made, ramp.Done, ramp.Successful)
	lines, err := s.Statement.List(t.Context(), s.scope, statement.Filter{Channel: "offramp", Direction: statement.In}, stagePage)
	require.NoError(t, err)
	require.Len(t, lines.Data, 1)
	require.Equal(t, string(payer), lines.Data[0].Sender.Address)
}

func TestATransferThatIsToldOfAgainChangesNoDeposit(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.deposit(made, money.USDC(12_500_000))
	s.pass(time.Minute)
	back := s.is(made, ramp.Done, ramp.Successful).Deposits[1]
	require.Equal(t, offramp.Returned, back.State)
	s.tamper(func(ctx context.Context, tx store.Tx) error {
		sent, err := outgoing.TransferKind.Anyones(ctx, tx, outgoing.Transfer{ID: back.Transfer})
		require.NoError(t, err)
		require.NoError(t, offramp.SentBackIn(ctx, tx, sent))
		return offramp.NotSentBackIn(ctx, tx, sent)
	})
	require.Equal(t, back, s.is(made, ramp.Done, ramp.Successful).Deposits[1])
}

func TestTheBankHasNothingToDoWithABill(t *testing.T) {
	s := setup(t)
	s.createBill(power("waits", delivers))
	s.is(s.bought(staysOpen), ramp.PaymentSubmitted, ramp.Processing)
	found, err := s.Offramps.Reconcile(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, found.Findings)
	require.Empty(t, found.InFlight)
	require.Empty(t, found.Unanswered)
}

// told is the data of the newest event of a type.
func (s *stage) told(event string) (data map[string]any) {
	s.Helper()
	feed, err := s.Webhooks.Events(s.Context(), s.scope, "", 100)
	require.NoError(s, err)
	for _, body := range feed.Bodies {
		var e struct {
			Type string
			Data map[string]any
		}
		require.NoError(s, json.Unmarshal(body, &e))
		if e.Type == event {
			data = e.Data
		}
	}
	require.NotEmpty(s, data)
	return data
}

func TestAnEventTellsOfTheAccountOrOfTheBill(t *testing.T) {
	s := setup(t)
	rent, bill := s.create(cashout("rent", paysOut)), s.bought(delivers)
	s.deposit(rent, money.USDC(10_000_000))
	data := s.told(offramp.EventSuccess)
	require.Equal(t, paysOut, data["beneficiary"].(map[string]any)["account_number"])
	require.NotContains(t, data, "bill_uid")
	data = s.told(offramp.EventBillSuccessful)
	found := s.get(bill)
	require.Equal(t, string(found.Bill), data["bill_uid"])
	require.Equal(t, found.Token, data["token"])
	require.InDelta(t, 1, data["attempts"], 0)
	require.NotContains(t, data, "beneficiary")
}

func TestAListLeavesAnAddressOutThatIsNotThatOfItsKey(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	forged := made.Order
	forged.ID, forged.Reference, forged.Version = "ofr_0123456789abcdef0123456789abcdef", "forged", 0
	forged.Address, forged.Deposit = "addr_of_nobody", payer
	s.tamper(func(ctx context.Context, tx store.Tx) error { return offramp.Kind.Insert(ctx, tx, forged) })
	_, err := s.Offramps.Get(t.Context(), s.scope, offramp.Ref{ID: string(forged.ID)})
	require.ErrorIs(t, err, wallets.ErrAddressCompromised)
	listed, err := s.Offramps.List(t.Context(), s.scope, offramp.Filter{}, stagePage)
	require.NoError(t, err)
	shown := map[offramp.ID]chain.Address{}
	for _, o := range listed.Data {
		shown[o.ID] = o.Deposit
	}
	require.Equal(t, map[offramp.ID]chain.Address{made.ID: made.Deposit, forged.ID: ""}, shown)
}

func TestAReferenceThatIsTakenIsToldOfBeforeALimit(t *testing.T) {
	s := setup(t)
	s.createBill(power("power", delivers))
	limit := money.NGN(14_999_99)
	s.allow(outflow.Change{NGN: outflow.LimitChange{Operation: &limit}})
	_, err := s.Offramps.CreateBill(t.Context(), s.scope, power("power", delivers))
	require.ErrorIs(t, err, ramp.ErrDuplicateReference)
}

func TestABillThatIsPaidInAnotherCurrencyIsRefusedBeforeTheBillerIsAsked(t *testing.T) {
	s := setup(t)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetBiller, sandbox.Unavailable, 10))
	_, err := s.Offramps.CreateBill(t.Context(), s.scope, power("power", delivers))
	require.ErrorIs(t, err, ferry.Unavailable)
	p := power("power", delivers)
	p.Currency = "USD"
	_, err = s.Offramps.CreateBill(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ramp.ErrInvalidCurrency)
}

// Nobody is told to come back later for what is not there.
func TestWithoutAChainNoOrderAsksForUSDC(t *testing.T) {
	w := newWorld()
	s := setupWith(t, engine.Config{
		World: w, Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
		Live: engine.Providers{Bank: w.Bank(), Rates: w.Rates(), Biller: w.Biller()},
	})
	tenant, err := s.CreateTenant(t.Context(), ferry.Live, "Live shop")
	require.NoError(t, err)
	require.NoError(t, w.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 10))
	_, err = s.Offramps.Create(t.Context(), tenant.Business.Scope, cashout("rent", paysOut))
	require.ErrorIs(t, err, wallets.ErrNoChain)
	_, err = s.Offramps.CreateBill(t.Context(), tenant.Business.Scope, power("power", delivers))
	require.ErrorIs(t, err, wallets.ErrNoChain)
}

// A pass that dies, or fails, keeps what it was working on from the others for a while.
func TestWhatOnePassWorksOnIsKeptFromTheNext(t *testing.T) {
	s := setup(t)
	service := offramp.New(ferry.Narrow(
		ferry.UnitsOf(s.Units(ferry.Live), s.Units(ferry.Test)), func(tx store.Tx) offramp.Tx { return tx },
	), offramp.Config{})
	s.tamper(func(ctx context.Context, tx store.Tx) error {
		return tx.Leases().Schedule(ctx, offramp.QueueOrders.In(ferry.Test), lease.RecordKey(s.scope, "ofr_gone"), tx.Now())
	})
	for at, want := range []int{1, 0} {
		done, err := service.RunDue(t.Context(), 10)
		require.Equal(t, want, done)
		require.Equal(t, at == 0, err != nil, "the order is not there")
	}
}
