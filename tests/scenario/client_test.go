package scenario_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/tests/apitest"
)

// walker goes through the API by package client, and notes which routes answered with
// success.
type walker struct {
	shop
	*client.Client

	router routers.Router
	mu     sync.Mutex
	walked map[string]bool
}

func (s shop) walker() *walker {
	s.t.Helper()
	w := &walker{shop: s, walked: map[string]bool{}}
	var err error
	w.router, err = legacy.NewRouter(apitest.Document(s.t))
	require.NoError(s.t, err)
	w.Client = w.as(s.Tenant.SecretKey)
	return w
}

// as returns a client with another key, or with the token of a visitor.
func (w *walker) as(key string) *client.Client {
	w.t.Helper()
	c, err := client.New(client.Config{BaseURL: w.URL, Key: key, HTTPClient: &http.Client{Transport: w}})
	require.NoError(w.t, err)
	return c
}

func (w *walker) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		return answer, err
	}
	plain := r.Clone(r.Context())
	plain.URL.Scheme, plain.URL.Host, plain.Host = "", "", ""
	route, _, err := w.router.FindRoute(plain)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.walked[route.Operation.OperationID] = true
	return answer, nil
}

// elsewhere are routes that do what another one does, which the client calls.
var elsewhere = []string{
	"updateCustomer", "getBulkPayouts", "createAddressOfWallet", "createIdentity", "listLogs", "listPayoutLogs", "listRefundLogs",
}

// requireAll requires that every route of the groups that were entered was walked.
func (w *walker) requireAll() {
	w.t.Helper()
	entered, missing := map[string]bool{}, []string{}
	each := func(visit func(*openapi3.Operation)) {
		for _, item := range apitest.Document(w.t).Paths.Map() {
			for _, o := range item.Operations() {
				visit(o)
			}
		}
	}
	each(func(o *openapi3.Operation) { entered[o.Tags[0]] = entered[o.Tags[0]] || w.walked[o.OperationID] })
	require.GreaterOrEqual(w.t, len(entered), 18)
	for tag, walked := range entered {
		require.True(w.t, walked, "no route of %s was walked", tag)
	}
	each(func(o *openapi3.Operation) {
		_, alias := o.Extensions["x-alias-of"]
		skipped := alias || strings.Contains(strings.Join(elsewhere, " "), o.OperationID)
		if entered[o.Tags[0]] && !skipped && !w.walked[o.OperationID] {
			missing = append(missing, o.OperationID)
		}
	})
	require.Empty(w.t, missing)
}

// done returns the result of a call that must succeed.
func done[T any](w *walker) func(T, error) T {
	return func(result T, err error) T {
		w.t.Helper()
		require.NoError(w.t, err)
		return result
	}
}

// call is done for a call whose result is of no interest.
func (w *walker) call(_ any, err error) {
	w.t.Helper()
	require.NoError(w.t, err)
}

func kobo(n int64) client.Price { return client.PriceOf(money.NGN(n)) }

func naira(n int64) client.Amount { return client.AmountOf(money.NGN(n * 100)) }

func micro(n int64) client.Amount { return client.AmountOf(money.USDC(n)) }

func TestAGoProgramWalksThroughTheWholeAPI(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		w := open(t).walker()
		w.customer()
		w.wallets()
		w.orders()
		w.links()
		w.payouts()
		w.accounts()
		w.approvals()
		w.bills()
		w.cryptoBills()
		w.ramp()
		w.visit()
		w.hooks()
		w.keys()
		w.helpers()
		w.clean()
		w.call(w.TestHelpers.Reset(t.Context()))
		w.requireAll()
	})
}

func (w *walker) customer() {
	ctx := w.t.Context()
	made := done[*client.Customer](w)(w.Customers.Create(ctx, client.CreateCustomerParams{
		Type: client.CustomerTypeIndividual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
		Metadata: client.Metadata{"tier": "gold"},
	}))
	w.call(w.Identity.Initiate(ctx, client.InitiateIdentityParams{Type: "bvn", Number: "22212345670", CustomerID: made.ID}))
	otp := done[*client.OTP](w)(w.TestHelpers.OTP(ctx, "22212345670"))
	who := done[*client.Identity](w)(w.Identity.Validate(ctx, client.ValidateIdentityParams{Type: "bvn", Number: "22212345670", OTP: otp.OTP}))
	require.NotEmpty(w.t, who.FirstName)
	w.call(w.Identity.Get(ctx, client.GetIdentityParams{Type: "bvn", Number: "22212345670"}))
	w.call(w.Customers.Update(ctx, client.UpdateCustomerParams{ID: made.ID, City: new("Lagos"), Metadata: client.Metadata{"tier": nil, "vip": true}}))
	read := done[*client.CustomerDetails](w)(w.Customers.Get(ctx, made.ID))
	require.Equal(w.t, client.CustomerStatusVerified, read.Status)
	require.Equal(w.t, client.Metadata{"vip": true}, read.Metadata)
	require.Equal(w.t, "Lagos", read.City)
	for row, err := range w.Customers.All(ctx, client.ListCustomersParams{Status: client.CustomerStatusVerified}) {
		require.NoError(w.t, err)
		require.Equal(w.t, made.ID, row.ID)
	}
}

func (w *walker) newWallet(reference string) *client.Wallet {
	return done[*client.Wallet](w)(w.Wallets.Create(w.t.Context(), client.CreateWalletParams{
		Type: "stablecoin", Network: "solana", Asset: "USDC", Reference: reference,
	}))
}

func (w *walker) wallets() {
	ctx := w.t.Context()
	main, savings := w.newWallet("main"), w.newWallet("savings")
	till := done[*client.Address](w)(w.Addresses.Create(ctx, client.CreateAddressParams{WalletID: main.ID, Network: "solana", Label: "Till 1"}))
	w.call(w.TestHelpers.Deposit(ctx, client.SimulateDepositParams{Address: till.Address, Amount: micro(25_500_000)}))
	sent := done[*client.WalletTransfer](w)(w.WalletTransfers.Create(ctx, client.CreateWalletTransferParams{
		FromAddress: till.Address, ToAddress: savings.PrimaryAddress, Amount: micro(5_000_000), Network: "solana", Asset: "USDC", Reference: "to-savings",
	}))
	require.Equal(w.t, client.WalletTransferTypeInternal, sent.TransferType)
	w.call(w.WalletTransfers.Get(ctx, sent.ID))
	w.call(w.WalletTransfers.GetByReference(ctx, "to-savings"))
	require.Len(w.t, done[*client.Page[client.WalletTransaction]](w)(w.WalletTransfers.List(ctx, client.ListWalletTransfersParams{Type: client.DirectionIn})).Data, 2)

	balance := done[*client.WalletBalanceResult](w)(w.Wallets.Balance(ctx, client.WalletBalanceParams{Reference: "main"}))
	require.Equal(w.t, micro(20_500_000), balance.Counter.TotalBalance)
	w.call(w.Wallets.Get(ctx, main.ID))
	w.call(w.Wallets.SetStatus(ctx, client.SetWalletStatusParams{Reference: "savings", Status: client.WalletStatusSuspended}))
	w.call(w.Wallets.Rate(ctx, client.WalletRateParams{}))
	require.Equal(w.t, micro(20_500_000), done[*client.AddressBalance](w)(w.Addresses.Balance(ctx, client.AddressBalanceParams{ID: till.ID})).Balance)
	w.call(w.Addresses.Update(ctx, till.ID, client.UpdateAddressParams{Label: new("Till one")}))
	page := done[*client.AddressPage](w)(w.Addresses.List(ctx, client.ListAddressesParams{HasBalance: new(true)}))
	require.EqualValues(w.t, 2, page.Summary.TotalAddresses)
	require.Equal(w.t, "Till one", done[*client.Address](w)(w.Addresses.GetByAddress(ctx, till.Address)).Label)
}

func (w *walker) orders() {
	ctx := w.t.Context()
	public := done[*client.APIKeyConfig](w)(w.Keys.Config(ctx)).PublicKey
	w.call(w.Checkout.Assets(ctx))
	quote := done[*client.CheckoutQuote](w)(w.Checkout.Quote(ctx, client.CheckoutQuoteParams{Amount: naira(15_000)}))
	require.Equal(w.t, micro(10_000_000), quote.CryptoAmount)

	session := done[*client.CheckoutSession](w)(w.Checkout.CreateSession(ctx, client.CreateCheckoutSessionParams{
		PublicKey: public, TrxID: "order-981", Email: "ada@example.com", Amount: kobo(15_000_00), Currency: client.CurrencyNGN,
	}))
	w.call(w.TestHelpers.BankCredit(ctx, client.SimulateBankCreditParams{AccountNumber: session.Account.AccountNumber, Amount: naira(15_000)}))
	paid := done[*client.Payment](w)(w.Payments.Get(ctx, "order-981"))
	require.Equal(w.t, client.PaymentStatusSuccess, paid.Status)
	require.Equal(w.t, kobo(15_000_00), paid.Amount)
	require.Equal(w.t, kobo(0), paid.Fees.Platform)

	order := done[*client.Checkout](w)(w.Checkout.Create(ctx, client.CreateCheckoutParams{
		PublicKey: public, TrxID: "in-usdc", Email: "bola@example.com", Amount: micro(10_000_000), AmountType: client.AmountTypeCrypto,
	}))
	require.Equal(w.t, micro(10_000_000).String(), order.Amount.String())
	require.Equal(w.t, client.CurrencyUSDC, order.Currency)
	w.call(w.Checkout.RenewFiat(ctx, "in-usdc"))
	w.call(w.Checkout.RefreshCrypto(ctx, client.RefreshCheckoutCryptoParams{TrxID: "in-usdc"}))
	account := done[*client.CheckoutPayable](w)(w.Checkout.Account(ctx, client.CheckoutAccountParams{TrxID: "in-usdc"}))
	require.Equal(w.t, naira(15_000), account.Fiat.Amount)
	require.Equal(w.t, client.CheckoutStatusPending, done[*client.CheckoutState](w)(w.Checkout.Status(ctx, "in-usdc")).Status)
	require.NotEmpty(w.t, done[*client.Explanation](w)(w.TestHelpers.Explain(ctx, "in-usdc")).Missing)
	w.call(w.TestHelpers.Deposit(ctx, client.SimulateDepositParams{Address: account.Crypto.Address, Amount: micro(4_000_000)}))
	w.advance(25 * 60 * 60) // it ends with less than was asked for
	held := done[*client.Payment](w)(w.Payments.Resolve(ctx, client.ResolvePaymentParams{ID: "in-usdc", Action: client.ResolutionAccept}))
	require.Equal(w.t, micro(4_000_000).String(), held.AmountReceived.String())
	w.call(w.Checkout.Get(ctx, "in-usdc"))

	w.call(w.Refunds.Create(ctx, client.CreateRefundParams{TrxID: "order-981", Reference: "too-spicy", Amount: kobo(5_000_00)}))
	w.call(w.Refunds.Process(ctx, client.ProcessRefundParams{Reference: "too-spicy"}))
	w.call(w.Refunds.Finalize(ctx, client.FinalizeRefundParams{Reference: "too-spicy", Status: client.StatusSuccessful}))
	refund := done[*client.Refund](w)(w.Refunds.GetByReference(ctx, "too-spicy"))
	require.Equal(w.t, kobo(5_000_00), refund.Amount)
	line := done[*client.Transaction](w)(w.Transactions.GetByTrxID(ctx, "order-981"))
	require.Equal(w.t, naira(15_000), line.Amount)
	require.Equal(w.t, naira(5_000), line.RefundedAmount)
}

func (w *walker) links() {
	ctx := w.t.Context()
	link := done[*client.PaymentLink](w)(w.PaymentLinks.Create(ctx, client.CreatePaymentLinkParams{
		Title: "Jollof for six", Amount: kobo(5_000_00), Currency: client.CurrencyNGN, Slug: "jollof", QuantityLimit: new(int64(3)),
	}))
	w.call(w.PaymentLinks.SetStatus(ctx, client.SetPaymentLinkStatusParams{UID: link.UID, Status: client.PaymentLinkStatusActive}))
	order := done[*client.Checkout](w)(w.PaymentLinks.Pay(ctx, client.PayPaymentLinkParams{PublicKey: w.Tenant.PublicKey, Slug: "jollof", Email: "bola@example.com"}))
	w.call(w.TestHelpers.DrivePayment(ctx, client.DrivePaymentParams{TrxID: order.ID, Outcome: client.PaymentOutcomeSuccess}))
	read := done[*client.PaymentLink](w)(w.PaymentLinks.Get(ctx, link.ID))
	require.EqualValues(w.t, 1, read.PaymentsCount)
	require.Equal(w.t, kobo(5_000_00), read.TotalPaid)
	attempts := done[*client.Page[client.PaymentLinkTransaction]](w)(w.PaymentLinks.Transactions(ctx, client.ListPaymentLinkTransactionsParams{UID: link.UID}))
	require.Len(w.t, attempts.Data, 1)
	w.call(w.PaymentLinks.Transaction(ctx, attempts.Data[0].TrxID))
}

func (w *walker) payouts() {
	ctx := w.t.Context()
	business := done[*client.Business](w)(w.Business.Get(ctx))
	source := business.SourceAccounts[0]
	ada := client.BeneficiaryParam{BankCode: "058", AccountNumber: "0123456780"}
	w.call(w.Payouts.NameEnquiry(ctx, client.EnquirePayoutAccountParams(ada)))
	w.call(w.FiatTransfers.NameEnquiry(ctx, client.EnquireFiatAccountParams(ada)))
	require.NotEmpty(w.t, done[[]client.Bank](w)(w.FiatTransfers.Banks(ctx)))

	single := done[*client.Payout](w)(w.Payouts.Create(ctx, client.CreatePayoutParams{
		Reference: "rent", SourceAccountNumber: source.AccountNumber, Amount: naira(25_000), Beneficiary: ada,
	}))
	w.call(w.Payouts.Process(ctx, single.ID))
	bulk := done[*client.Payout](w)(w.Payouts.CreateBulk(ctx, client.CreateBulkPayoutParams{
		Reference: "salaries", SourceAccountNumber: source.AccountNumber, Items: []client.PayoutItemParam{
			{Reference: "ada-march", BankCode: "058", AccountNumber: "0123456780", Amount: naira(25_000)},
			{Reference: "bola-march", BankCode: "058", AccountNumber: "0123456789", Amount: naira(18_000)},
		},
	}))
	called := done[*client.Payout](w)(w.Payouts.Create(ctx, client.CreatePayoutParams{
		Reference: "called-off", SourceAccountNumber: source.AccountNumber, Amount: naira(1_000), Beneficiary: ada,
	}))
	w.call(w.Payouts.Cancel(ctx, called.ID))
	w.advance(60)
	read := done[*client.Payout](w)(w.Payouts.GetByReference(ctx, "salaries"))
	require.Equal(w.t, client.PayoutStatusPartiallySuccessful, read.Status)
	sum := done[*client.ReconcilePayoutResult](w)(w.Payouts.Reconcile(ctx, client.ReconcilePayoutParams{ID: bulk.ID}))
	require.EqualValues(w.t, 1, sum.Summary.FailedCount)

	sent := done[*client.FiatTransfer](w)(w.FiatTransfers.Create(ctx, client.CreateFiatTransferParams{
		SourceBankAccountID: source.ID, Reference: "supplier", Amount: naira(2_000), Currency: client.CurrencyNGN, Beneficiary: ada,
	}))
	w.call(w.FiatTransfers.CreateFromBalance(ctx, client.CreateNairaTransferParams{
		Amount: naira(3_000), Currency: client.CurrencyNGN, BankCode: "058", AccountNumber: "0123456780",
	}))
	w.call(w.FiatTransfers.Status(ctx, client.FiatTransferStatusParams{UID: sent.UID}))
	w.call(w.FiatTransfers.GetByReference(ctx, "supplier"))
	require.NotEmpty(w.t, done[[]client.CurrencyBalance](w)(w.Business.Balance(ctx)))
	w.call(w.Business.Update(ctx, client.UpdateBusinessParams{Name: new("Ada and daughters")}))
}

func (w *walker) accounts() {
	ctx := w.t.Context()
	virtual := done[*client.CollectionAccount](w)(w.VirtualAccounts.Create(ctx, client.CreateVirtualAccountParams{
		Reference: "till", Currency: client.CurrencyNGN, ValidFor: new(int64(900)),
	}))
	require.True(w.t, virtual.Amount.Empty(), "any sum")
	w.call(w.TestHelpers.BankCredit(ctx, client.SimulateBankCreditParams{AccountNumber: virtual.AccountNumber, Amount: naira(100)}))
	read := done[*client.CollectionAccount](w)(w.VirtualAccounts.Get(ctx, virtual.ID, client.GetVirtualAccountParams{Transaction: new(true)}))
	require.Equal(w.t, naira(100), read.Transactions[0].Amount)

	identity := done[*client.IdentityRecord](w)(w.Identity.Get(ctx, client.GetIdentityParams{Type: "bvn", Number: "22212345670"}))
	reserved := done[*client.CollectionAccount](w)(w.ReservedAccounts.Create(ctx, client.CreateReservedAccountParams{
		IdentityID: identity.IdentityID, Currency: client.CurrencyNGN, Email: "ada@example.com", PhoneNumber: "+2348012345678",
	}))
	w.call(w.ReservedAccounts.Get(ctx, reserved.ID, client.GetReservedAccountParams{}))
	w.call(w.ReservedAccounts.Close(ctx, reserved.ID))
	w.call(w.VirtualAccounts.Create(ctx, client.CreateVirtualAccountParams{Reference: "closed", Currency: client.CurrencyNGN}))
	for account, err := range w.VirtualAccounts.All(ctx, client.ListVirtualAccountsParams{Reference: "closed"}) {
		require.NoError(w.t, err)
		w.call(w.VirtualAccounts.Close(ctx, account.ID))
	}
}

func (w *walker) approvals() {
	ctx := w.t.Context()
	limit := func(naira client.Amount) {
		w.call(w.Outflow.UpdateRules(ctx, client.UpdateOutflowRulesParams{
			Limits: &client.OutflowLimitsParam{NGN: &client.OutflowLimitParam{Approval: naira}},
		}))
	}
	limit(naira(100))
	require.Equal(w.t, naira(100), done[*client.OutflowRules](w)(w.Outflow.Rules(ctx)).Limits.NGN.Approval)
	w.call(w.Payouts.Create(ctx, client.CreatePayoutParams{
		Reference: "to-approve", SourceAccountNumber: w.Tenant.Business.SourceAccounts[0].AccountNumber, Amount: naira(1_000),
		Beneficiary: client.BeneficiaryParam{BankCode: "058", AccountNumber: "0123456780"},
	}))
	waiting := done[*client.Page[client.Approval]](w)(w.Approvals.List(ctx, client.ListApprovalsParams{Status: client.ApprovalStatusPending}))
	require.Len(w.t, waiting.Data, 1)
	w.call(w.Approvals.Get(ctx, waiting.Data[0].ID))
	w.call(w.Approvals.Decide(ctx, waiting.Data[0].ID, client.DecideApprovalParams{Decision: client.DecisionReject}))
	limit(naira(0))
}

func (w *walker) hooks() {
	ctx := w.t.Context()
	w.call(w.Webhooks.SetConfig(ctx, client.SetWebhookConfigParams{URL: new("http://127.0.0.1:1/")}))
	require.Equal(w.t, "http://127.0.0.1:1/", done[*client.WebhookEndpoint](w)(w.Webhooks.Config(ctx)).URL)
	tested := done[*client.EventID](w)(w.Webhooks.Test(ctx))
	w.call(w.Webhooks.Resend(ctx, client.ResendEventParams{Identifier: tested.EventID}))
	w.call(w.Webhooks.ResendPayout(ctx, client.ResendPayoutEventParams{Reference: "salaries"}))
	w.call(w.Webhooks.ResendRefund(ctx, client.ResendRefundEventParams{Reference: "too-spicy"}))
	w.call(w.Webhooks.Replay(ctx, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)))
	w.call(w.Webhooks.Attempts(ctx, client.ListWebhookAttemptsParams{}))
	w.call(w.Webhooks.PayoutAttempts(ctx, client.ListPayoutAttemptsParams{}))
	w.call(w.Webhooks.RefundAttempts(ctx, client.ListRefundAttemptsParams{}))
	require.NotEmpty(w.t, done[*client.WebhookSecret](w)(w.Webhooks.RotateSecret(ctx, client.RotateWebhookSecretParams{})).WebhookSecret)
	require.Equal(w.t, "", done[*client.WebhookEndpoint](w)(w.Webhooks.SetConfig(ctx, client.SetWebhookConfigParams{URL: new("")})).URL)
	seen := map[string]bool{}
	for event, err := range w.Events.All(ctx, "") {
		require.NoError(w.t, err)
		require.False(w.t, seen[event.ID])
		seen[event.ID] = true
	}
	require.Greater(w.t, len(seen), 10)
}

func (w *walker) bills() {
	ctx := w.t.Context()
	require.Len(w.t, done[[]client.BillerService](w)(w.Bills.Services(ctx)), 4)
	require.NotEmpty(w.t, done[[]client.BillerCategory](w)(w.Bills.Categories(ctx, client.BillKindData)))
	require.NotEmpty(w.t, done[[]client.BillerProduct](w)(w.Bills.Products(ctx, client.ListBillProductsParams{Service: client.BillKindData})))
	airtime := done[[]client.BillerProvider](w)(w.Bills.AirtimeProviders(ctx))[0].Code
	data := done[[]client.BillerProvider](w)(w.Bills.DataProviders(ctx))[0].Code
	cable := done[[]client.BillerProvider](w)(w.Bills.CableProviders(ctx))[0].Code
	power := done[[]client.BillerProvider](w)(w.Bills.ElectricityProviders(ctx))[0].Code
	w.call(w.Bills.AirtimeProducts(ctx, client.ListAirtimeProductsParams{Provider: airtime}))
	w.call(w.Bills.ElectricityProducts(ctx, client.ListElectricityProductsParams{Provider: power}))
	gigabyte := done[[]client.BillerProduct](w)(w.Bills.DataProducts(ctx, client.ListDataProductsParams{Provider: data}))[0].Code
	month := done[[]client.BillerProduct](w)(w.Bills.CableProducts(ctx, client.ListCableProductsParams{Provider: cable}))[0].Code
	meter := client.VerifyBillNumberParams{Service: client.BillKindUtility, Provider: power, Number: "45012345670", VendType: client.VendTypePrepaid}
	require.NotEmpty(w.t, done[*client.BillerCustomer](w)(w.Bills.Verify(ctx, meter)).Name)

	bought := done[*client.Bill](w)(w.Bills.BuyAirtime(ctx, client.BuyAirtimeParams{Provider: airtime, Number: "08031234560", Amount: naira(500), Reference: "airtime"}))
	w.call(w.Bills.BuyData(ctx, client.BuyDataParams{Provider: data, Number: "08031234560", Product: gigabyte, Reference: "data"}))
	w.call(w.Bills.BuyCable(ctx, client.BuyCableParams{Provider: cable, Number: "1234567890", Product: month, Reference: "cable"}))
	w.call(w.Bills.BuyElectricity(ctx, client.BuyElectricityParams{
		Provider: power, Number: meter.Number, Amount: naira(5_000), VendType: client.VendTypePrepaid, Reference: "power",
	}))
	w.call(w.TestHelpers.AdvanceClock(ctx, 60))
	require.Equal(w.t, client.StatusSuccessful, done[*client.Bill](w)(w.Bills.Get(ctx, bought.UID)).Status)
	require.NotEmpty(w.t, done[*client.Bill](w)(w.Bills.GetByReference(ctx, "power")).Token)
	require.GreaterOrEqual(w.t, len(done[*client.Page[client.Bill]](w)(w.Bills.List(ctx, client.ListBillsParams{})).Data), 4)
}

// ramp buys and sells USDC.
func (w *walker) ramp() {
	ctx := w.t.Context()
	require.EqualValues(w.t, "1500", done[*client.RampRate](w)(w.Onramp.Rate(ctx, client.OnrampRateParams{Asset: "USDC", Currency: client.CurrencyNGN})).Rate)
	w.call(w.Offramp.Rate(ctx, client.OfframpRateParams{Asset: "USDC", Currency: client.CurrencyNGN}))
	buy := done[*client.Onramp](w)(w.Onramp.Create(ctx, client.CreateOnrampParams{
		Reference: "buy", Amount: naira(15_000), FiatCurrency: client.CurrencyNGN, Asset: "solana:usdc", Address: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
	}))
	w.call(w.TestHelpers.BankCredit(ctx, client.SimulateBankCreditParams{AccountNumber: buy.PaymentAccount.AccountNumber, Amount: naira(15_000)}))
	quote := done[*client.RampQuote](w)(w.Offramp.Quote(ctx, client.QuoteOfframpParams{Amount: naira(15_000), Asset: "USDC", Chain: "SOLANA", FiatCurrency: client.CurrencyNGN}))
	sell := done[*client.Offramp](w)(w.Offramp.Create(ctx, client.CreateOfframpParams{
		Reference: "sell", Amount: naira(15_000), FiatCurrency: client.CurrencyNGN, Asset: "USDC", Chain: "SOLANA", QuoteID: quote.ID,
		BankCode: "058", AccountNumber: "0123456780",
	}))
	w.call(w.TestHelpers.Deposit(ctx, client.SimulateDepositParams{Address: sell.DepositAddress, Amount: sell.AmountStablecoin}))
	w.call(w.TestHelpers.AdvanceClock(ctx, 60))
	require.Equal(w.t, client.StatusSuccessful, done[*client.Offramp](w)(w.Offramp.Status(ctx, client.OfframpStatusParams{Reference: "sell", Refresh: new(true)})).Status)
	require.Equal(w.t, sell.ID, done[*client.Offramp](w)(w.Offramp.GetByReference(ctx, "sell")).ID)
	w.call(w.Onramp.Status(ctx, client.OnrampStatusParams{Reference: "buy"}))
	require.Equal(w.t, buy.ID, done[*client.Onramp](w)(w.Onramp.Get(ctx, buy.ID)).ID)
	w.call(w.Onramp.List(ctx, client.ListOnrampsParams{}))
	w.call(w.Offramp.List(ctx, client.ListOfframpsParams{}))
}

// visit is a visitor of a widget who sells USDC from a page that the widget allows.
func (w *walker) visit() {
	ctx := w.t.Context()
	page := client.WithOrigin("https://shop.example.com")
	widget := done[*client.Widget](w)(w.RampWidgets.Create(ctx, client.CreateWidgetParams{Name: "Shop"}))
	w.call(w.RampWidgets.SetDomains(ctx, client.SetWidgetDomainsParams{WidgetID: widget.ID, Domains: []string{"https://shop.example.com"}}))
	w.call(w.RampWidgets.Update(ctx, client.UpdateWidgetParams{WidgetID: widget.ID, Name: new("Ada's shop")}))
	w.call(w.RampWidgets.SetStatus(ctx, client.SetWidgetStatusParams{WidgetID: widget.ID, Status: client.WidgetStatusActive}))
	require.Equal(w.t, "Ada's shop", done[*client.Widget](w)(w.RampWidgets.Get(ctx, widget.ID)).Name)

	require.Equal(w.t, widget.ID, done[*client.Bootstrap](w)(w.RampSessions.Bootstrap(ctx, widget.PublicKey, page)).Widget.ID)
	session := done[*client.RampSession](w)(w.RampSessions.Open(ctx, client.OpenRampSessionParams{PublicKey: widget.PublicKey}, page))
	visitor := w.as(session.SessionToken).RampSessions
	require.NotEmpty(w.t, done[*client.RampOptions](w)(visitor.Options(ctx, page)).Banks)
	quote := done[*client.RampQuote](w)(visitor.Quote(ctx, client.QuoteRampSessionParams{Type: client.RampSideOfframp, Amount: naira(15_000)}, page))
	account := client.VerifyRampSessionParams{BankCode: "058", AccountNumber: "0123456780"}
	w.call(visitor.Verify(ctx, account, page))
	order := done[*client.VisitorOrder](w)(visitor.Initiate(ctx, client.InitiateRampSessionParams{
		Type: client.RampSideOfframp, Amount: naira(15_000), QuoteID: quote.ID, BankCode: account.BankCode, AccountNumber: account.AccountNumber,
	}, page))
	w.call(w.TestHelpers.Deposit(ctx, client.SimulateDepositParams{Address: order.DepositAddress, Amount: order.AmountDue}))
	w.call(w.TestHelpers.AdvanceClock(ctx, 60))
	require.Equal(w.t, client.StatusSuccessful, done[*client.VisitorOrder](w)(visitor.Status(ctx, order.ID, page)).Status)
	w.call(w.RampWidgets.Analytics(ctx, widget.ID))
	w.call(w.RampWidgets.Transactions(ctx, client.ListRampTransactionsParams{WidgetID: widget.ID}))
	listed := done[*client.RampTransaction](w)(w.RampWidgets.Transaction(ctx, order.ID))
	w.call(w.RampWidgets.TransactionByReference(ctx, listed.Reference))
}

// cryptoBills pays a bill that the biller refuses the first time.
func (w *walker) cryptoBills() {
	ctx := w.t.Context()
	made := done[*client.CryptoBill](w)(w.CryptoBills.Create(ctx, client.CreateCryptoBillParams{
		Service: client.BillKindUtility, Provider: "ikeja-electric", VendType: client.VendTypePrepaid, Number: "45012345679", Amount: naira(15_000), Reference: "crypto-power",
	}))
	require.Equal(w.t, micro(10_000_000), made.AmountStablecoin)
	w.call(w.TestHelpers.Deposit(ctx, client.SimulateDepositParams{Address: made.DepositAddress, Amount: made.AmountStablecoin}))
	w.call(w.TestHelpers.AdvanceClock(ctx, 5))
	refused := done[*client.CryptoBill](w)(w.CryptoBills.Reconcile(ctx, client.ReconcileCryptoBillParams{ID: made.ID, Refresh: new(true)}))
	require.Equal(w.t, client.CryptoBillStagePurchaseRefused, refused.Stage)
	w.call(w.TestHelpers.SetBillOutcome(ctx, client.SetBillOutcomeParams{Number: made.Number, Outcome: client.BillAnswerDelivered}))
	w.call(w.CryptoBills.Retry(ctx, client.RetryCryptoBillParams{Reference: "crypto-power"}))
	w.call(w.TestHelpers.AdvanceClock(ctx, 5))
	require.NotEmpty(w.t, done[*client.CryptoBill](w)(w.CryptoBills.GetByReference(ctx, "crypto-power")).Token)
	require.Len(w.t, done[*client.Page[client.CryptoBillRow]](w)(w.CryptoBills.List(ctx, client.ListCryptoBillsParams{})).Data, 1)
}

func (w *walker) keys() {
	ctx := w.t.Context()
	made := done[*client.NewAPIKey](w)(w.Keys.Create(ctx, client.CreateKeyParams{Type: client.APIKeyTypeSecret, Scopes: []string{"read"}}))
	require.NotEmpty(w.t, made.Key)
	rotated := done[*client.RotatedAPIKey](w)(w.Keys.Rotate(ctx, client.RotateKeyParams{ID: made.ID, OverlapSeconds: new(int64(0))}))
	w.call(w.Keys.Revoke(ctx, rotated.ID))
	require.NotEmpty(w.t, done[*client.Page[client.APIKey]](w)(w.Keys.List(ctx, client.ListKeysParams{})).Data)
}

func (w *walker) helpers() {
	ctx := w.t.Context()
	before := done[*client.Clock](w)(w.TestHelpers.Clock(ctx)).Now
	require.GreaterOrEqual(w.t, done[*client.ClockProgress](w)(w.TestHelpers.AdvanceClock(ctx, 60)).Now.Sub(before), time.Minute)
	w.call(w.TestHelpers.Drain(ctx))
	known := done[[]client.KnownFault](w)(w.TestHelpers.Faults(ctx))[0]
	w.call(w.TestHelpers.InjectFault(ctx, client.InjectFaultParams{Target: client.FaultTarget(known.Target), Kind: known.Kind, Count: new(int64(0))}))
	w.call(w.TestHelpers.SetBankOutcome(ctx, client.SetBankOutcomeParams{AccountNumber: "0123456785", Outcome: client.BankAnswerFailed}))
	w.call(w.TestHelpers.SetBillOutcome(ctx, client.SetBillOutcomeParams{Number: "08031234566", Outcome: client.BillAnswerFailed}))
	w.call(w.TestHelpers.SetRates(ctx, client.SetRatesParams{Prices: []string{"1500"}}))
	w.call(w.TestHelpers.Fund(ctx, client.FundParams{Amount: naira(100), Currency: client.CurrencyNGN}))
	w.call(w.TestHelpers.CreateBusiness(ctx, "Bola's shop"))
	w.call(w.TestHelpers.Audit(ctx))
}
