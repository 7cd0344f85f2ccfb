package client_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/money"
)

func ngn(naira int64) client.Amount { return client.AmountOf(money.NGN(naira * 100)) }

func usdc(micro int64) client.Amount { return client.AmountOf(money.USDC(micro)) }

// A customer is verified, USDC comes and goes, an order and a link are paid, and money leaves:
// the tour of the README by Go.
func Example_tour() {
	t := &exampleT{}
	defer func() { t.cleanup() }()
	fake := ferrytest.Start(t)
	ctx := context.Background()
	c := must(client.New(client.Config{BaseURL: fake.URL, Key: fake.SecretKey}))

	// A customer. The sandbox sends the same one-time password to everybody.
	ada := must(c.Customers.Create(ctx, client.CreateCustomerParams{
		Type: client.CustomerTypeIndividual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	}))
	must(c.Identity.Initiate(ctx, client.InitiateIdentityParams{Type: "bvn", Number: "22212345670", CustomerID: ada.ID}))
	must(c.Identity.Validate(ctx, client.ValidateIdentityParams{Type: "bvn", Number: "22212345670", OTP: "123456"}))
	fmt.Println(must(c.Customers.Get(ctx, ada.ID)).Status)

	// A wallet, one more address, and 25.5 USDC from outside.
	wallet := must(c.Wallets.Create(ctx, client.CreateWalletParams{
		Type: "stablecoin", Network: "solana", Asset: "USDC", Reference: "main", CustomerID: ada.ID,
	}))
	till := must(c.Addresses.Create(ctx, client.CreateAddressParams{WalletID: wallet.ID, Network: "solana", Label: "Till 1"}))
	fake.Deposit(till.Address, "25.5")

	// To an address outside: 10 USDC, and a fee of 0.005 on top.
	must(c.WalletTransfers.Create(ctx, client.CreateWalletTransferParams{
		FromAddress: till.Address, ToAddress: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
		Amount: usdc(10_000_000), Network: "solana", Asset: "USDC", Reference: "first-payment",
	}))
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	sent := must(c.WalletTransfers.GetByReference(ctx, "first-payment"))
	fmt.Println(sent.Status, sent.BalanceBefore, "-", sent.Amount, "-", sent.NetworkFee, "=", sent.BalanceAfter)

	// 15,000 naira for an order: the price is in kobo.
	session := must(c.Checkout.CreateSession(ctx, client.CreateCheckoutSessionParams{
		PublicKey: fake.PublicKey, TrxID: "order-981", Email: "ada@example.com",
		Amount: client.PriceOf(money.NGN(15_000_00)), Currency: client.CurrencyNGN,
	}))
	fake.Credit(session.Account.AccountNumber, "15000")
	fmt.Println(must(c.Payments.Get(ctx, "order-981")).Status)

	// A link takes payments from anybody.
	link := must(c.PaymentLinks.Create(ctx, client.CreatePaymentLinkParams{
		Title: "Jollof for six", Amount: client.PriceOf(money.NGN(5_000_00)), Currency: client.CurrencyNGN, Slug: "jollof",
	}))
	must(c.PaymentLinks.SetStatus(ctx, client.SetPaymentLinkStatusParams{UID: link.UID, Status: client.PaymentLinkStatusActive}))
	order := must(c.PaymentLinks.Pay(ctx, client.PayPaymentLinkParams{PublicKey: fake.PublicKey, Slug: "jollof", Email: "bola@example.com"}))
	must(c.TestHelpers.DrivePayment(ctx, client.DrivePaymentParams{TrxID: order.ID, Outcome: client.PaymentOutcomeSuccess}))
	fmt.Println(must(c.PaymentLinks.Get(ctx, link.ID)).TotalPaid, "kobo by the link")

	// Salaries for two. The bank of the sandbox refuses account numbers that end with 9.
	must(c.Payouts.CreateBulk(ctx, client.CreateBulkPayoutParams{
		Reference: "salaries-march", SourceAccountNumber: fake.Business.SourceAccounts[0].AccountNumber,
		Items: []client.PayoutItemParam{
			{Reference: "ada-march", BankCode: "058", AccountNumber: "0123456780", Amount: ngn(25_000)},
			{Reference: "bola-march", BankCode: "058", AccountNumber: "0123456789", Amount: ngn(18_000)},
		},
	}, client.WithIdempotencyKey("salaries-march")))
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	for _, item := range must(c.Payouts.GetByReference(ctx, "salaries-march")).Items {
		fmt.Println(item.Reference, item.Status)
	}

	// A part of the order goes back to the account that paid it.
	must(c.Refunds.Create(ctx, client.CreateRefundParams{
		TrxID: "order-981", Amount: client.PriceOf(money.NGN(5_000_00)), Reference: "too-spicy",
		ExecutionMode: client.RefundExecutionModeAutoSender,
	}))
	must(c.TestHelpers.AdvanceClock(ctx, 660))
	fmt.Println(must(c.Refunds.GetByReference(ctx, "too-spicy")).Status)

	fmt.Println(must(c.Business.Balance(ctx))[0].Available, "naira are left; clean:", must(c.TestHelpers.Audit(ctx)).Clean)
	// Output:
	// verified
	// success 25.5 - 10 - 0.005 = 15.495
	// success
	// 500000 kobo by the link
	// ada-march successful
	// bola-march failed
	// successful
	// 990000 naira are left; clean: true
}
