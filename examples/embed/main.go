// Command embed is ferry inside a program: a business holds USDC, receives a
// deposit, and sends money on, all in memory. It needs nothing:
//
//	go run ./examples/embed
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// outside is somebody else's address.
const outside = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

func run(ctx context.Context, out io.Writer) error {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	if err != nil {
		return err
	}
	shop, err := e.Bootstrap(ctx)
	if err != nil {
		return err
	}
	scope := shop.Business.Scope
	wallet, err := e.Wallets.Create(ctx, scope, wallets.CreateParams{Reference: "main", Label: "Main"})
	if err != nil {
		return err
	}

	// Somebody sends 25.5 USDC; time passes until the chain is sure.
	if _, err := e.World.Deposit(ctx, sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: money.USDC(25_500_000)}); err != nil {
		return err
	}
	if _, err := e.Advance(ctx, 10*time.Second); err != nil {
		return err
	}

	// 10 USDC go to an address outside; the fee comes on top.
	transfer, err := e.Outgoing.Transfer(ctx, scope, outgoing.TransferParams{
		From:   string(wallet.PrimaryAddress),
		To:     outside,
		Amount: money.USDC(10_000_000),
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "transfer is", transfer.Status)
	if _, err := e.Advance(ctx, time.Minute); err != nil {
		return err
	}
	return report(ctx, out, e, wallet, transfer)
}

// report prints what became of it, as anybody can read it later.
func report(ctx context.Context, out io.Writer, e *engine.Engine, wallet wallets.Wallet, transfer outgoing.Transfer) error {
	transfer, err := e.Outgoing.FindTransfer(ctx, wallet.Scope, string(transfer.ID))
	if err != nil {
		return err
	}
	funded, err := e.Wallets.Get(ctx, wallet.Scope, wallets.WalletRef{ID: string(wallet.ID)})
	if err != nil {
		return err
	}
	findings, err := e.Audit(ctx, wallet.Scope.Env)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "transfer is", transfer.Status)
	fmt.Fprintln(out, "balance is", funded.Balance)
	fmt.Fprintln(out, "findings:", len(findings))
	return nil
}
