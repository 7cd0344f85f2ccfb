package client_test

import (
	"fmt"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/money"
)

// Two salaries are one payout, and one of the two accounts refuses its money.
func ExamplePayoutsService() {
	c, fake, end := sandbox()
	defer end()
	must(c.Payouts.CreateBulk(ctx, client.CreateBulkPayoutParams{
		Reference: "salaries", SourceAccountNumber: fake.Business.SourceAccounts[0].AccountNumber, Items: []client.PayoutItemParam{
			{Reference: "ada-march", BankCode: "058", AccountNumber: "0123456780", Amount: ngn(25_000)},
			{Reference: "bola-march", BankCode: "058", AccountNumber: "0123456789", Amount: ngn(18_000)},
		},
	}))
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	run := must(c.Payouts.GetByReference(ctx, "salaries"))
	fmt.Println(run.Status, run.SuccessCount, run.FailedCount, "of", run.TotalAmount)
	// Output: partially_successful 1 1 of 43000
}

// The bank tells the name of the holder before naira go to the account.
func ExampleFiatTransfersService() {
	c, _, end := sandbox()
	defer end()
	holder := must(c.FiatTransfers.NameEnquiry(ctx, client.EnquireFiatAccountParams{BankCode: "058", AccountNumber: "0123456780"}))
	sent := must(c.FiatTransfers.CreateFromBalance(ctx, client.CreateNairaTransferParams{
		Amount: ngn(3_000), Currency: client.CurrencyNGN, BankCode: "058", AccountNumber: "0123456780", Reference: "supplier",
	}))
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	fmt.Println(holder.AccountName != "", sent.Amount, must(c.FiatTransfers.GetByReference(ctx, "supplier")).Status)
	// Output: true 3000 success
}

// A part of an order goes back to the account that paid it.
func ExampleRefundsService() {
	c, fake, end := sandbox()
	defer end()
	session := must(c.Checkout.CreateSession(ctx, client.CreateCheckoutSessionParams{
		PublicKey: fake.PublicKey, TrxID: "order-981", Email: "ada@example.com",
		Amount: client.PriceOf(money.NGN(15_000_00)), Currency: client.CurrencyNGN,
	}))
	fake.Credit(session.Account.AccountNumber, "15000")
	must(c.Refunds.Create(ctx, client.CreateRefundParams{
		TrxID: "order-981", Reference: "too-spicy", Amount: client.PriceOf(money.NGN(5_000_00)), ExecutionMode: client.RefundExecutionModeAutoSender,
	}))
	must(c.TestHelpers.AdvanceClock(ctx, 11*60)) // it begins ten minutes later
	fmt.Println(must(c.Refunds.GetByReference(ctx, "too-spicy")).Status, must(c.Payments.Get(ctx, "order-981")).RefundableAmount)
	// Output: successful 1000000
}

// Electricity is bought, and its token is what the meter takes.
func ExampleBillsService() {
	c, _, end := sandbox()
	defer end()
	bill := must(c.Bills.BuyElectricity(ctx, client.BuyElectricityParams{
		Provider: "ikeja-electric", VendType: client.VendTypePrepaid, Number: "45012345670", Amount: ngn(5_000), Reference: "power-march",
	}))
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	for row, err := range c.Bills.All(ctx, client.ListBillsParams{}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(bill.Amount, row.Reference, row.Status, row.Token != "")
	}
	// Output: 5000 power-march successful true
}

// The same is paid with USDC, which a customer sends to an address of the bill.
func ExampleCryptoBillsService() {
	c, fake, end := sandbox()
	defer end()
	bill := must(c.CryptoBills.Create(ctx, client.CreateCryptoBillParams{
		Service: client.BillKindUtility, Provider: "ikeja-electric", VendType: client.VendTypePrepaid,
		Number: "45012345670", Amount: ngn(15_000), Reference: "power-april",
	}))
	fmt.Println(bill.AmountStablecoin, bill.Status)
	fake.Deposit(bill.DepositAddress, bill.AmountStablecoin.String())
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	fmt.Println(must(c.CryptoBills.GetByReference(ctx, "power-april")).Status)
	// Output:
	// 10 pending
	// successful
}

// From 1,000 naira on, a second key has to approve what leaves.
func ExampleOutflowService() {
	c, _, end := sandbox()
	defer end()
	must(c.Outflow.UpdateRules(ctx, client.UpdateOutflowRulesParams{
		Limits: &client.OutflowLimitsParam{NGN: &client.OutflowLimitParam{Approval: ngn(1_000), BusinessDay: ngn(100_000)}},
	}))
	rules := must(c.Outflow.Rules(ctx))
	fmt.Println(rules.Limits.NGN.Approval, rules.Limits.NGN.BusinessDay)
	// Output: 1000 100000
}

// The second key is older than the payout, and not the one that made it.
func ExampleApprovalsService() {
	c, fake, end := sandbox()
	defer end()
	second := must(c.Keys.Create(ctx, client.CreateKeyParams{Type: client.APIKeyTypeSecret, Scopes: []string{"read", "pay_out"}}))
	must(c.Outflow.UpdateRules(ctx, client.UpdateOutflowRulesParams{
		Limits: &client.OutflowLimitsParam{NGN: &client.OutflowLimitParam{Approval: ngn(1_000)}},
	}))
	must(c.Payouts.Create(ctx, client.CreatePayoutParams{
		Reference: "rent", SourceAccountNumber: fake.Business.SourceAccounts[0].AccountNumber, Amount: ngn(25_000),
		Beneficiary: client.BeneficiaryParam{BankCode: "058", AccountNumber: "0123456780"},
	}))
	waiting := must(c.Approvals.List(ctx, client.ListApprovalsParams{Status: client.ApprovalStatusPending})).Data[0]

	boss := must(client.New(client.Config{BaseURL: fake.URL, Key: second.Key}))
	decided := must(boss.Approvals.Decide(ctx, waiting.ID, client.DecideApprovalParams{Decision: client.DecisionApprove}))
	must(c.TestHelpers.AdvanceClock(ctx, 60))
	fmt.Println(waiting.Reference, decided.Status, must(c.Payouts.GetByReference(ctx, "rent")).Status)
	// Output: rent approved successful
}
