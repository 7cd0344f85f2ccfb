// Command devnet-deposits watches addresses on the real devnet: it makes some wallets, prints
// their addresses, and says what is credited to which, until it is stopped.
//
//	go run ./provider/chain/solana/examples/devnet-deposits
//	go run ./provider/chain/solana/examples/devnet-deposits -rpc http://127.0.0.1:8899 -wallets 10
//
// It needs no SOL: it pays nothing. Everything is in memory: the keys end with the program, and
// what came to its addresses is lost. Use play money.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/wallets"
)

const devnet = "https://api.devnet.solana.com"

func main() {
	rpc := flag.String("rpc", devnet, "the URL of a node of a test chain")
	count := flag.Int("wallets", 3, "how many wallets to make")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *rpc, *count); err != nil {
		log.Fatal(err)
	}
}

// run watches until ctx ends.
func run(ctx context.Context, out io.Writer, rpc string, count int) error {
	c, err := open(ctx, rpc)
	if err != nil {
		return err
	}
	e, err := engine.New(engine.Config{Store: memstore.New(), Test: engine.Providers{Chain: c}})
	if err != nil {
		return err
	}
	shop, err := e.Bootstrap(ctx)
	if err != nil {
		return err
	}
	scope := shop.Business.Scope
	for i := range count {
		w, err := e.Wallets.Create(ctx, scope, wallets.CreateParams{Reference: fmt.Sprintf("wallet-%d", i+1)})
		if err != nil {
			return err
		}
		fmt.Fprintln(out, w.Reference, "is at", w.PrimaryAddress)
	}
	fmt.Fprintln(out, "send USDC, of the mint", c.Mint())
	watching, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Run(watching)
	}()
	err = report(ctx, out, e, scope)
	stop()
	<-done
	return err
}

// open returns the chain of a node, which may be any but mainnet. Its fee payer never pays.
func open(ctx context.Context, rpc string) (*solana.Chain, error) {
	nobody, err := chain.NewSeed(rand.Reader)
	if err != nil {
		return nil, err
	}
	return solana.Open(ctx, solana.Config{
		Cluster: solana.Cluster{Mint: solana.Devnet.Mint}, Endpoints: []string{rpc}, FeePayer: nobody,
	})
}

// deposit is what the program reads of an event.
type deposit struct {
	Wallet    string      `json:"wallet_reference"`
	Amount    json.Number `json:"amount"`
	Sender    string      `json:"sender"`
	Signature string      `json:"transaction_hash"`
}

// report prints each deposit that is credited. A program with a store would keep event.Cursor,
// and go on after it when it starts again.
func report(ctx context.Context, out io.Writer, e *engine.Engine, scope ferry.Scope) error {
	for event, err := range e.Subscribe(ctx, scope, 0) {
		if err != nil {
			return err
		}
		if event.Type != wallets.EventReceived {
			continue
		}
		var d deposit
		if err := json.Unmarshal([]byte(event.Data), &d); err != nil {
			return err
		}
		fmt.Fprintln(out, d.Wallet, "got", d.Amount, "USDC by", d.Signature, "from", cmp.Or(d.Sender, "an unknown sender"))
	}
	return nil
}
