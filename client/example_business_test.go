package client_test

import (
	"fmt"

	"github.com/ferrypay/ferry/client"
)

// What the business has, by currency.
func ExampleBusinessService() {
	c, _, end := sandbox()
	defer end()
	must(c.Business.Update(ctx, client.UpdateBusinessParams{Name: new("Ada and daughters")}))
	for _, has := range must(c.Business.Balance(ctx)) {
		fmt.Println(must(c.Business.Get(ctx)).Name, has.Currency, has.Available)
		break
	}
	// Output: Ada and daughters NGN 1000000
}

// A key that may only read. The key itself is shown once.
func ExampleKeysService() {
	c, _, end := sandbox()
	defer end()
	made := must(c.Keys.Create(ctx, client.CreateKeyParams{Type: client.APIKeyTypeSecret, Label: "reports", Scopes: []string{"read"}}))
	fmt.Println(made.Key != "", made.Label)
	must(c.Keys.Revoke(ctx, made.ID))
	// Output: true reports
}

// A customer keeps what the business says of her.
func ExampleCustomersService() {
	c, _, end := sandbox()
	defer end()
	ada := must(c.Customers.Create(ctx, client.CreateCustomerParams{
		Type: client.CustomerTypeIndividual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
		Metadata: client.Metadata{"tier": "gold"},
	}))
	must(c.Customers.Update(ctx, client.UpdateCustomerParams{ID: ada.ID, City: new("Lagos")}))
	read := must(c.Customers.Get(ctx, ada.ID))
	fmt.Println(read.City, read.Metadata["tier"], read.Status)
	// Output: Lagos gold pending_verification
}

// A customer says the one-time password that the owner of the number got.
func ExampleIdentityService() {
	c, _, end := sandbox()
	defer end()
	ada := must(c.Customers.Create(ctx, client.CreateCustomerParams{
		Type: client.CustomerTypeIndividual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	}))
	must(c.Identity.Initiate(ctx, client.InitiateIdentityParams{Type: "bvn", Number: "22212345670", CustomerID: ada.ID}))
	must(c.Identity.Validate(ctx, client.ValidateIdentityParams{Type: "bvn", Number: "22212345670", OTP: "123456"}))
	fmt.Println(must(c.Customers.Get(ctx, ada.ID)).Status)
	// Output: verified
}

// All events in their order, from any place on: what a webhook told, or would have told.
func ExampleEventsService() {
	c, fake, end := sandbox()
	defer end()
	till := must(c.VirtualAccounts.Create(ctx, client.CreateVirtualAccountParams{Reference: "till", Currency: client.CurrencyNGN}))
	fake.Credit(till.AccountNumber, "100")
	for event, err := range c.Events.All(ctx, "") {
		if err != nil {
			panic(err)
		}
		fmt.Println(event.Type)
	}
	// Output: transfer.received
}

// Events go to the address of the business, signed with its secret.
func ExampleWebhooksService() {
	c, _, end := sandbox()
	defer end()
	must(c.Webhooks.SetConfig(ctx, client.SetWebhookConfigParams{URL: new("http://127.0.0.1:9/hooks")}))
	tested := must(c.Webhooks.Test(ctx))
	fmt.Println(must(c.Webhooks.Config(ctx)).URL, tested.EventID != "")
	// Output: http://127.0.0.1:9/hooks true
}

// The sandbox's clock goes where a test needs it, and its bank fails when it should.
func ExampleTestHelpersService() {
	c, _, end := sandbox()
	defer end()
	before := must(c.TestHelpers.Clock(ctx)).Now
	after := must(c.TestHelpers.AdvanceClock(ctx, 3600)).Now
	must(c.TestHelpers.InjectFault(ctx, client.InjectFaultParams{Target: client.FaultTargetBank, Kind: "unavailable", Count: new(int64(2))}))
	fmt.Println(after.Sub(before).Hours() >= 1, must(c.TestHelpers.Audit(ctx)).Clean)
	// Output: true true
}
