package client_test

import (
	"fmt"

	"github.com/ferrypay/ferry/client"
)

// outside is an address of somebody else.
const outside = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

// fundedWallet is a wallet with an amount of USDC from outside.
func fundedWallet(c *client.Client, fund func(address, amount string), amount string) *client.Wallet {
	wallet := must(c.Wallets.Create(ctx, client.CreateWalletParams{Type: "stablecoin", Network: "solana", Asset: "USDC", Reference: "main"}))
	fund(wallet.PrimaryAddress, amount)
	return wallet
}

// A wallet is found by the business's own name for it.
func ExampleWalletsService() {
	c, fake, end := sandbox()
	defer end()
	wallet := must(c.Wallets.Create(ctx, client.CreateWalletParams{Type: "stablecoin", Network: "solana", Asset: "USDC", Reference: "main"}))
	fake.Deposit(wallet.PrimaryAddress, "25.5")
	fmt.Println(must(c.Wallets.Balance(ctx, client.WalletBalanceParams{Reference: "main"})).Counter.TotalBalance)
	// Output: 25.5
}

// Each till of a shop has an address of its own.
func ExampleAddressesService() {
	c, fake, end := sandbox()
	defer end()
	wallet := must(c.Wallets.Create(ctx, client.CreateWalletParams{Type: "stablecoin", Network: "solana", Asset: "USDC", Reference: "main"}))
	till := must(c.Addresses.Create(ctx, client.CreateAddressParams{WalletID: wallet.ID, Network: "solana", Label: "Till 1"}))
	fake.Deposit(till.Address, "4")
	for address, err := range c.Addresses.All(ctx, client.ListAddressesParams{HasBalance: new(true)}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(address.Label, address.Balance)
	}
	// Output: Till 1 4
}

// USDC go to an address outside, and the network takes its fee on top.
func ExampleWalletTransfersService() {
	c, fake, end := sandbox()
	defer end()
	wallet := fundedWallet(c, func(address, amount string) { fake.Deposit(address, amount) }, "25.5")
	must(c.WalletTransfers.Create(ctx, client.CreateWalletTransferParams{
		FromAddress: wallet.PrimaryAddress, ToAddress: outside, Amount: usdc(10_000_000), Network: "solana", Asset: "USDC", Reference: "first-payment",
	}))
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	sent := must(c.WalletTransfers.GetByReference(ctx, "first-payment"))
	fmt.Println(sent.Status, sent.Amount, sent.NetworkFee, sent.BalanceAfter)
	// Output: success 10 0.005 15.495
}

// Naira come in by bank transfer, and USDC go to an address.
func ExampleOnrampService() {
	c, fake, end := sandbox()
	defer end()
	must(c.TestHelpers.SetRates(ctx, client.SetRatesParams{Prices: []string{"1600"}}))
	order := must(c.Onramp.Create(ctx, client.CreateOnrampParams{
		Reference: "buy-1", Amount: ngn(16_000), FiatCurrency: client.CurrencyNGN, Asset: "USDC", Chain: "SOLANA", Address: outside,
	}))
	fmt.Println(order.AmountStablecoin, order.Status)
	fake.Credit(order.PaymentAccount.AccountNumber, "16000")
	fmt.Println(must(c.Onramp.GetByReference(ctx, "buy-1")).Stage)
	// Output:
	// 10 pending
	// funds_received
}

// USDC come in at an address, and naira go to a bank account.
func ExampleOfframpService() {
	c, fake, end := sandbox()
	defer end()
	quote := must(c.Offramp.Quote(ctx, client.QuoteOfframpParams{Amount: ngn(15_000), Asset: "USDC", Chain: "SOLANA", FiatCurrency: client.CurrencyNGN}))
	order := must(c.Offramp.Create(ctx, client.CreateOfframpParams{
		Reference: "sell-1", Amount: ngn(15_000), FiatCurrency: client.CurrencyNGN, Asset: "USDC", Chain: "SOLANA",
		BankCode: "058", AccountNumber: "0123456780", QuoteID: quote.ID,
	}))
	fake.Deposit(order.DepositAddress, order.AmountStablecoin.String())
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	fmt.Println(order.AmountStablecoin, must(c.Offramp.GetByReference(ctx, "sell-1")).Status)
	// Output: 10 successful
}

// A widget stands on the pages of the domains that it names.
func ExampleRampWidgetsService() {
	c, _, end := sandbox()
	defer end()
	widget := must(c.RampWidgets.Create(ctx, client.CreateWidgetParams{Name: "Shop", Domains: []string{"https://shop.example.com"}}))
	must(c.RampWidgets.SetDomains(ctx, client.SetWidgetDomainsParams{WidgetID: widget.ID, Domains: []string{"https://shop.example.com", "https://www.example.com"}}))
	fmt.Println(must(c.RampWidgets.Get(ctx, widget.ID)).Domains)
	// Output: [https://shop.example.com https://www.example.com]
}

// A visitor of the widget calls with the token of the session, from the page that the widget allows.
func ExampleRampSessionsService() {
	c, fake, end := sandbox()
	defer end()
	page := client.WithOrigin("https://shop.example.com")
	widget := must(c.RampWidgets.Create(ctx, client.CreateWidgetParams{Name: "Shop", Domains: []string{"https://shop.example.com"}}))
	session := must(c.RampSessions.Open(ctx, client.OpenRampSessionParams{PublicKey: widget.PublicKey}, page))

	visitor := must(client.New(client.Config{BaseURL: fake.URL, Key: session.SessionToken}))
	quote := must(visitor.RampSessions.Quote(ctx, client.QuoteRampSessionParams{Type: client.RampSideOnramp, Amount: ngn(15_000)}, page))
	order := must(visitor.RampSessions.Initiate(ctx, client.InitiateRampSessionParams{
		Type: client.RampSideOnramp, Amount: ngn(15_000), QuoteID: quote.ID, Address: outside,
	}, page))
	fmt.Println(quote.AmountStablecoin, order.Status)
	// Output: 10 pending
}
