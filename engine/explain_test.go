package engine_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// asker asks why something of a business is not done.
type asker struct {
	*testing.T
	*engine.Engine
	scope ferry.Scope
}

func newAsker(t *testing.T) asker {
	e, tenant := enginetest.New(t)
	return asker{t, e, tenant.Business.Scope}
}

func (a asker) why(name string) explain.Explanation {
	a.Helper()
	x, err := a.Explain(a.Context(), a.scope, name)
	require.NoError(a, err)
	return x
}

// order makes an order of 15,000 naira, which USDC may pay.
func (a asker) order(trxID string) checkout.State {
	a.Helper()
	made, err := a.Checkout.Create(a.Context(), a.scope, checkout.CreateParams{TrxID: trxID, Email: "ada@example.com", Amount: money.NGN(15_000_00)})
	require.NoError(a, err)
	state, err := a.Checkout.Crypto(a.Context(), a.scope, made.Session.Ref(), checkout.SolanaUSDC)
	require.NoError(a, err)
	return state
}

// answering sets a webhook URL whose server answers with a status.
func (a asker) answering(status int) {
	a.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	a.Cleanup(server.Close)
	_, err := a.Webhooks.Configure(a.Context(), a.scope, webhook.ConfigureParams{URL: &server.URL})
	require.NoError(a, err)
}

// codes are the codes of points, in order.
func codes(points []explain.Point) (all []string) {
	for _, p := range points {
		all = append(all, p.Code)
	}
	return all
}

func TestAPartlyPaidOrderSaysWhatIsMissingAndUntilWhenThePriceIsGood(t *testing.T) {
	a := newAsker(t)
	a.answering(http.StatusOK)
	order := a.order("order-981")
	whole := order.Current.Amount
	_, err := a.World.Deposit(t.Context(), sandbox.DepositParams{To: order.Current.Deposit, Amount: money.USDC(4_000_000)})
	require.NoError(t, err)
	enginetest.Advance(t, a.Engine, 30*time.Second)

	rest, err := whole.Sub(money.USDC(4_000_000))
	require.NoError(t, err)
	x := a.why("order-981")
	require.Equal(t, "payment", x.Resource)
	require.Equal(t, "pending", x.Status)
	require.False(t, x.Ended)
	require.Contains(t, x.Summary, "The payment of ₦15,000.00 is not paid yet.")
	require.Contains(t, x.Summary, explain.Money(rest)+" are still missing. The price of "+explain.Money(rest)+" is good until "+explain.Clock(order.Current.ExpiresAt, x.At))
	require.Equal(t, []string{"usdc"}, codes(x.Missing))
	require.Equal(t, rest, x.Missing[0].Amount)
	require.Equal(t, []string{"price", "order"}, codes(x.Awaited))
	require.True(t, x.Awaited[0].Until.Equal(order.Current.ExpiresAt))
	require.Equal(t, []string{"usdc"}, codes(x.Next), "nobody is told to transfer the whole in naira again")

	_, err = a.World.Deposit(t.Context(), sandbox.DepositParams{To: order.Current.Deposit, Amount: rest})
	require.NoError(t, err)
	enginetest.Advance(t, a.Engine, 30*time.Second)
	x = a.why("order-981")
	require.True(t, x.Ended)
	require.Empty(t, append(append(x.Missing, x.Awaited...), x.Refused...))
	require.Contains(t, x.Summary, "is paid, since")
}

func TestAnAnswerOf500IsToldWithTheNextAttempt(t *testing.T) {
	a := newAsker(t)
	a.answering(http.StatusInternalServerError)
	order := a.order("order-981")
	_, err := a.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: order.Account.AccountNumber, Amount: money.NGN(15_000_00)})
	require.NoError(t, err)
	enginetest.Advance(t, a.Engine, 10*time.Second)

	x := a.why("order-981")
	require.True(t, x.Ended)
	require.Contains(t, x.Summary, "Your server answered 500 to the last event (payment.success)")
	require.Equal(t, []string{"500"}, codes(x.Refused))
	require.Equal(t, explain.Receiver, x.Refused[0].Who)
	require.Equal(t, []string{"attempt"}, codes(x.Awaited))
	require.True(t, x.Awaited[0].Until.After(x.At))

	enginetest.Advance(t, a.Engine, 10*24*time.Hour)
	x = a.why("order-981")
	require.Contains(t, x.Summary, "Your webhook URL is disabled")
	require.Equal(t, []string{"url"}, codes(x.Next))
}

func TestAnOrderIsFoundByEveryNameOfIt(t *testing.T) {
	a := newAsker(t)
	order := a.order("order-981")
	for _, name := range []string{"order-981", string(order.Payment.ID), ferry.UID(string(order.Payment.ID)), order.Account.AccountNumber} {
		x := a.why(name)
		require.Equal(t, "payment", x.Resource, name)
		require.Equal(t, string(order.Payment.ID), x.ID)
		require.Empty(t, x.Also)
	}
	require.Equal(t, "checkout session", a.why(string(order.Session.ID)).Resource)
	at := a.why(string(order.Current.Deposit))
	require.Equal(t, "crypto instruction", at.Resource)
	require.Equal(t, "AWAITING_DEPOSIT", at.Status)

}

func TestACollectionAccountIsFoundByItsNumberAndByTheBanksSession(t *testing.T) {
	a := newAsker(t)
	made, err := a.Accounts.CreateVirtual(t.Context(), a.scope, accounts.VirtualParams{Currency: "NGN", Reference: "till-1", Amount: money.NGN(5_000_00)})
	require.NoError(t, err)
	credit, err := a.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: made.Bank.AccountNumber, Amount: money.NGN(2_000_00)})
	require.NoError(t, err)
	enginetest.Advance(t, a.Engine, time.Second)
	for _, name := range []string{"till-1", string(made.ID), made.Bank.AccountNumber, credit.SessionID} {
		x := a.why(name)
		require.Equal(t, "virtual account", x.Resource)
		require.Contains(t, x.Summary, "₦3,000.00 of ₦5,000.00 are missing.")
	}
}

func TestTheOtherRecordsOfAReferenceAreNamed(t *testing.T) {
	a := newAsker(t)
	order := a.order("order-981")
	wallet, err := a.Wallets.Create(t.Context(), a.scope, wallets.CreateParams{Reference: "order-981"})
	require.NoError(t, err)
	x := a.why("order-981")
	require.Equal(t, string(order.Payment.ID), x.ID)
	require.Equal(t, []explain.Named{{Resource: "wallet", ID: string(wallet.ID)}}, x.Also)
}

func TestNothingHasAnUnknownOrAnEmptyName(t *testing.T) {
	a := newAsker(t)
	for _, name := range []string{"order-1", "pay_00000000000000000000000000000000", "no such\x00thing", "évt"} {
		_, err := a.Explain(t.Context(), a.scope, name)
		require.ErrorIs(t, err, engine.ErrUnknownName, name)
	}
	_, err := a.Explain(t.Context(), a.scope, "")
	require.ErrorIs(t, err, ferry.ErrValidation)
}

func TestAStopIsToldForMoneyThatLeaves(t *testing.T) {
	p := newPayroll(t)
	a := asker{t, p.Engine, p.scope}
	require.NoError(t, p.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	made := p.paid(300_00, "0123456780")
	x := a.why(made.Reference)
	require.Contains(t, x.Summary, "The operator has stopped all money that leaves")
	require.NotContains(t, x.Summary, "stolen", "the reason is the operator's")
	require.Contains(t, codes(x.Next), "stopped")
	a.order("order-981")
	require.NotContains(t, codes(a.why("order-981").Awaited), "stopped", "money that comes is not stopped")
}

func TestAPayoutSaysWhatTheBankAnswered(t *testing.T) {
	p := newPayroll(t)
	a := asker{t, p.Engine, p.scope}
	made := p.paid(300_00, "0123456780", "0123456789", "0123456786")
	p.pass(10 * time.Minute)
	x := a.why(string(made.ID))
	require.Contains(t, x.Summary, "The payout of ₦900.00: of its items, 1 paid, 1 failed, 1 at the bank.")
	require.Equal(t, []string{"failed"}, codes(x.Refused)[:1])
	item := a.why(p.items(made.ID)[2].Reference)
	require.Equal(t, "payout item", item.Resource)
	require.Contains(t, item.Summary, "has accepted it and has not made it yet")
	require.Equal(t, explain.Bank, item.Awaited[0].Who)
}

func TestAnApprovalIsAwaitedAndThenRefused(t *testing.T) {
	f := newFourEyes(t)
	a := asker{t, f.Engine, f.scope}
	made := f.payoutBy(f.payer)
	x := a.why(made.Reference)
	require.Equal(t, []string{"approval"}, codes(x.Awaited)[:1])
	require.Equal(t, explain.Approver, x.Next[0].Who)
	until := x.Awaited[0].Until
	require.Contains(t, x.Summary, "A second key or person has to approve it until "+explain.Clock(until, x.At))
	item := a.why("ada")
	require.True(t, item.Awaited[0].Until.Equal(until), "its items wait for the same")
	enginetest.Advance(t, f.Engine, until.Sub(x.At)+time.Minute)
	require.Equal(t, "cancelled", a.why("ada").Status)
}

func TestACustomerSaysWhichVerificationIsMissing(t *testing.T) {
	a := newAsker(t)
	ada, err := a.Customers.Create(t.Context(), a.scope, customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	})
	require.NoError(t, err)
	x := a.why("Ada@example.com")
	require.Equal(t, string(ada.ID), x.ID)
	require.Equal(t, []string{"initiate"}, codes(x.Awaited))

	_, err = a.Customers.Initiate(t.Context(), a.scope, customers.InitiateParams{Type: kyc.BVN, Number: "22212345670", CustomerID: ada.ID})
	require.NoError(t, err)
	x = a.why(string(ada.ID))
	require.Equal(t, []string{"otp"}, codes(x.Awaited))
	require.Contains(t, x.Summary, "5 of 5 attempts are left")
	require.NotContains(t, x.Summary, "22212345670")
}

func TestAWalletAndItsAddressSayWhatTheyHave(t *testing.T) {
	e, tenant := enginetest.New(t)
	a := asker{t, e, tenant.Business.Scope}
	wallet := enginetest.Deposit(t, e, tenant, money.USDC(100_000_000))
	require.Contains(t, a.why(string(wallet.PrimaryAddress)).Summary, "100 USDC arrived in all")
	require.Contains(t, a.why(string(wallet.ID)).Summary, "100 USDC of it can be sent, and 0 USDC are set aside.")
}

func TestATransferWaitsForItsBlockAndIsFoundByItsSignature(t *testing.T) {
	e, tenant := enginetest.New(t)
	a := asker{t, e, tenant.Business.Scope}
	wallet := enginetest.Deposit(t, e, tenant, money.USDC(100_000_000))
	made, err := e.Outgoing.Transfer(t.Context(), a.scope, outgoing.TransferParams{
		From: string(wallet.PrimaryAddress), To: "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T", Amount: money.USDC(25_000_000), Reference: "payout-981",
	})
	require.NoError(t, err)
	require.Equal(t, []string{"final"}, codes(a.why("payout-981").Awaited)[:1])
	require.Equal(t, "live", a.why(string(made.Signature)).Status)
	enginetest.Advance(t, e, time.Minute)
	require.Equal(t, "success", a.why(string(made.ID)).Status)
	require.Equal(t, "landed", a.why(string(made.Signature)).Status)
}

func TestADepositIsFoundByItsSignatureAndByItsID(t *testing.T) {
	e, tenant := enginetest.New(t)
	a := asker{t, e, tenant.Business.Scope}
	wallet, err := e.Wallets.Create(t.Context(), a.scope, wallets.CreateParams{})
	require.NoError(t, err)
	signature, err := e.World.Deposit(t.Context(), sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: money.USDC(5_000_000)})
	require.NoError(t, err)
	enginetest.Advance(t, e, 10*time.Second)

	x := a.why(string(signature))
	require.Equal(t, "deposit", x.Resource)
	require.Equal(t, string(signature), x.Reference)
	require.True(t, x.Ended)
	require.Contains(t, x.Summary, "5 USDC arrived at "+string(wallet.PrimaryAddress)+" and belong to the wallet "+string(wallet.ID))
	for _, name := range []string{x.ID, ferry.UID(x.ID)} {
		again := a.why(name)
		again.At = x.At // when it was asked
		require.Equal(t, x, again)
	}

	other, err := e.CreateTenant(t.Context(), ferry.Test, "Other shop")
	require.NoError(t, err)
	for _, name := range []string{string(signature), x.ID} {
		_, err = e.Explain(t.Context(), other.Business.Scope, name)
		require.ErrorIs(t, err, engine.ErrUnknownName, "it belongs to another business")
	}
}

func TestADepositOnAnInactiveAddressSaysWhyThereIsNoEvent(t *testing.T) {
	e, tenant := enginetest.New(t)
	a := asker{t, e, tenant.Business.Scope}
	wallet, err := e.Wallets.Create(t.Context(), a.scope, wallets.CreateParams{})
	require.NoError(t, err)
	inactive := wallets.AddressInactive
	_, err = e.Wallets.UpdateAddress(t.Context(), a.scope, wallets.AddressRef{ID: string(wallet.Primary)}, wallets.UpdateAddressParams{Status: &inactive})
	require.NoError(t, err)
	signature, err := e.World.Deposit(t.Context(), sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: money.USDC(5_000_000)})
	require.NoError(t, err)
	enginetest.Advance(t, e, 10*time.Second)
	x := a.why(string(signature))
	require.Contains(t, x.Summary, "The address is inactive: no deposit on it is an event.")
	require.Equal(t, []string{"activate"}, codes(x.Next))
}

func TestAnotherTokenIsFoundByItsSignatureAndNotCredited(t *testing.T) {
	e, tenant := enginetest.New(t)
	a := asker{t, e, tenant.Business.Scope}
	wallet, err := e.Wallets.Create(t.Context(), a.scope, wallets.CreateParams{})
	require.NoError(t, err)
	const mint = "So11111111111111111111111111111111111111112"
	signature, err := e.World.Deposit(t.Context(), sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: money.USDC(5_000_000), Mint: mint})
	require.NoError(t, err)
	enginetest.Advance(t, e, 10*time.Second)
	x := a.why(string(signature))
	require.Equal(t, "unsupported", x.Status)
	require.Equal(t, []string{"unsupported"}, codes(x.Refused))
	require.Contains(t, x.Summary, "is not credited. Its mint is "+mint)
}

func TestWhatPaidAnOrderLeadsToIt(t *testing.T) {
	a := newAsker(t)
	order, late := a.order("order-981"), a.order("order-982")
	signature, err := a.World.Deposit(t.Context(), sandbox.DepositParams{To: order.Current.Deposit, Amount: order.Current.Amount})
	require.NoError(t, err)
	credit, err := a.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: late.Account.AccountNumber, Amount: money.NGN(15_000_00)})
	require.NoError(t, err)
	enginetest.Advance(t, a.Engine, 30*time.Second)
	for name, paid := range map[string]checkout.State{string(signature): order, credit.SessionID: late} {
		x := a.why(name)
		require.Equal(t, "payment", x.Resource)
		require.Equal(t, string(paid.Payment.ID), x.ID)
		require.Contains(t, x.Summary, "is paid")
	}
	require.Equal(t, "deposit", a.why(string(signature)).Also[0].Resource)
}

func TestASessionThatPaidTooMuchLeadsToTheReturnAndToTheOrder(t *testing.T) {
	a := newAsker(t)
	order := a.order("order-981")
	credit, err := a.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: order.Account.AccountNumber, Amount: money.NGN(20_000_00)})
	require.NoError(t, err)
	enginetest.Advance(t, a.Engine, 30*time.Second)
	x := a.why(credit.SessionID)
	require.Equal(t, payments.ReturnResource, x.Resource)
	require.Contains(t, x.Also, explain.Named{Resource: "payment", ID: string(order.Payment.ID)})
}

func TestASignatureThatPaidTwoOrdersLeadsToBothAndToItsDeposits(t *testing.T) {
	a := newAsker(t)
	first, second := a.order("order-981"), a.order("order-982")
	signature, err := a.World.Deposit(t.Context(), sandbox.DepositParams{To: first.Current.Deposit, Amount: first.Current.Amount})
	require.NoError(t, err)
	enginetest.Advance(t, a.Engine, 30*time.Second)
	require.NoError(t, a.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return payments.ReceiptKind.Insert(ctx, tx, payments.Receipt{
			ID: "rcp_2", Scope: a.scope, Payment: second.Payment.ID, Method: payments.USDC, Amount: second.Current.Amount,
			Source: string(signature), State: payments.Settled, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		})
	}))
	x := a.why(string(signature))
	named := []string{x.ID}
	kinds := []string{x.Resource}
	for _, also := range x.Also {
		named, kinds = append(named, also.ID), append(kinds, also.Resource)
	}
	require.Subset(t, named, []string{string(first.Payment.ID), string(second.Payment.ID)})
	require.Contains(t, kinds, "deposit")
}
