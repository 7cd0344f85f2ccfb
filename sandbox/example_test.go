package sandbox_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// A deposit is told to its receiver once it is finalized. The clock can be
// stepped there.
func ExampleWorld_Deposit() {
	ctx := context.Background()
	world := sandbox.New(sandbox.Config{})
	to := chain.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

	if _, err := world.Deposit(ctx, sandbox.DepositParams{To: to, Amount: money.USDC(25_500_000)}); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := world.Advance(ctx, 10*sandbox.SlotTime); err != nil {
		fmt.Println(err)
		return
	}
	moves, err := world.Chain().History(ctx, to, "", 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range moves {
		fmt.Println(m.Delta)
	}
	// Output: 25.5 USDC
}

// The next answer of the bank is lost, though what was asked took effect.
func ExampleWorld_Inject() {
	ctx := context.Background()
	world := sandbox.New(sandbox.Config{})
	if err := world.Inject(ctx, sandbox.TargetBank, sandbox.AnswerLost, 1); err != nil {
		fmt.Println(err)
		return
	}
	_, err := world.Bank().OpenAccount(ctx, "wallet-1", "Ada Foods")
	fmt.Println(err)
	account, err := world.Bank().OpenAccount(ctx, "wallet-1", "Ada Foods")
	fmt.Println(account.AccountName, err)
	// Output:
	// bank: unavailable
	// Ada Foods <nil>
}
