package client_test

import (
	"fmt"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/money"
)

// A shop's page says what an order costs, and a payer sends naira to the account of the session.
func ExampleCheckoutService() {
	c, fake, end := sandbox()
	defer end()
	quote := must(c.Checkout.Quote(ctx, client.CheckoutQuoteParams{Amount: ngn(15_000)}))
	session := must(c.Checkout.CreateSession(ctx, client.CreateCheckoutSessionParams{
		PublicKey: fake.PublicKey, TrxID: "order-981", Email: "ada@example.com",
		Amount: client.PriceOf(money.NGN(15_000_00)), Currency: client.CurrencyNGN,
	}))
	fake.Credit(session.Account.AccountNumber, "15000")
	fmt.Println(quote.CryptoAmount, must(c.Checkout.Status(ctx, "order-981")).Status)
	// Output: 10 completed
}

// A link takes payments until its three places are taken.
func ExamplePaymentLinksService() {
	c, fake, end := sandbox()
	defer end()
	link := must(c.PaymentLinks.Create(ctx, client.CreatePaymentLinkParams{
		Title: "Jollof for six", Amount: client.PriceOf(money.NGN(5_000_00)), Currency: client.CurrencyNGN, Slug: "jollof", QuantityLimit: new(int64(3)),
	}))
	must(c.PaymentLinks.SetStatus(ctx, client.SetPaymentLinkStatusParams{UID: link.UID, Status: client.PaymentLinkStatusActive}))
	order := must(c.PaymentLinks.Pay(ctx, client.PayPaymentLinkParams{PublicKey: fake.PublicKey, Slug: "jollof", Email: "bola@example.com"}))
	must(c.TestHelpers.DrivePayment(ctx, client.DrivePaymentParams{TrxID: order.ID, Outcome: client.PaymentOutcomeSuccess}))
	read := must(c.PaymentLinks.Get(ctx, link.ID))
	fmt.Println(read.PaymentsCount, "payment,", read.TotalPaid, "kobo")
	// Output: 1 payment, 500000 kobo
}

// Less USDC than was asked for came in. The business takes it.
func ExamplePaymentsService() {
	c, fake, end := sandbox()
	defer end()
	must(c.Checkout.Create(ctx, client.CreateCheckoutParams{
		PublicKey: fake.PublicKey, TrxID: "order-981", Email: "ada@example.com", Amount: usdc(10_000_000), AmountType: client.AmountTypeCrypto,
	}))
	must(c.Checkout.RefreshCrypto(ctx, client.RefreshCheckoutCryptoParams{TrxID: "order-981"}))
	pay := must(c.Checkout.Account(ctx, client.CheckoutAccountParams{TrxID: "order-981"})).Crypto
	fake.Deposit(pay.Address, "4")
	must(c.TestHelpers.AdvanceClock(ctx, 25*60*60)) // the session ends
	fmt.Println(must(c.Payments.Get(ctx, "order-981")).Status)
	taken := must(c.Payments.Resolve(ctx, client.ResolvePaymentParams{ID: "order-981", Action: client.ResolutionAccept}))
	fmt.Println(taken.AmountReceived, taken.Currency)
	// Output:
	// expired
	// 4 USDC
}

// An account for one payment of any sum, which has to come within 15 minutes.
func ExampleVirtualAccountsService() {
	c, fake, end := sandbox()
	defer end()
	till := must(c.VirtualAccounts.Create(ctx, client.CreateVirtualAccountParams{
		Reference: "till", Currency: client.CurrencyNGN, ValidFor: new(int64(900)),
	}))
	fake.Credit(till.AccountNumber, "100")
	read := must(c.VirtualAccounts.Get(ctx, till.ID, client.GetVirtualAccountParams{Transaction: new(true)}))
	fmt.Println(read.Status, read.Transactions[0].Amount)
	// Output: completed 100
}

// A customer whose identity was verified has an account that stays.
func ExampleReservedAccountsService() {
	c, fake, end := sandbox()
	defer end()
	ada := must(c.Customers.Create(ctx, client.CreateCustomerParams{
		Type: client.CustomerTypeIndividual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	}))
	must(c.Identity.Initiate(ctx, client.InitiateIdentityParams{Type: "bvn", Number: "22212345670", CustomerID: ada.ID}))
	must(c.Identity.Validate(ctx, client.ValidateIdentityParams{Type: "bvn", Number: "22212345670", OTP: "123456"}))
	who := must(c.Identity.Get(ctx, client.GetIdentityParams{Type: "bvn", Number: "22212345670"}))
	account := must(c.ReservedAccounts.Create(ctx, client.CreateReservedAccountParams{
		IdentityID: who.IdentityID, Currency: client.CurrencyNGN, Email: "ada@example.com", PhoneNumber: "+2348012345678",
	}))
	fake.Credit(account.AccountNumber, "2500")
	fmt.Println(must(c.ReservedAccounts.Get(ctx, account.ID, client.GetReservedAccountParams{})).TotalReceived)
	// Output: 2500
}

// All money that moved is in one list, newest first.
func ExampleTransactionsService() {
	c, fake, end := sandbox()
	defer end()
	till := must(c.VirtualAccounts.Create(ctx, client.CreateVirtualAccountParams{Reference: "till", Currency: client.CurrencyNGN}))
	fake.Credit(till.AccountNumber, "100")
	fake.Credit(till.AccountNumber, "200")
	for line, err := range c.Transactions.All(ctx, client.ListTransactionsParams{Type: client.DirectionIn}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(line.Type, line.Amount, line.Currency)
	}
	// Output:
	// IN 200 NGN
	// IN 100 NGN
}
