// Command devnet-transfer is ferry on the real devnet: it makes two wallets, waits until
// somebody sends USDC to the first, moves a part to the second, sends another part to an address
// outside, and shows that the books and the chain agree.
//
//	go run ./provider/chain/solana/examples/devnet-transfer
//	go run ./provider/chain/solana/examples/devnet-transfer -rpc http://127.0.0.1:8899
//
// Everything is in memory: the keys end with the program, and what is left at its addresses is
// lost. Use play money.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"os/signal"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

const devnet = "https://api.devnet.solana.com"

func main() {
	rpc := flag.String("rpc", devnet, "the URL of a node of a test chain")
	to := flag.String("to", "", "the address outside that gets 0.5 USDC; by default a new one, whose key nobody has")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *rpc, chain.Address(*to)); err != nil {
		log.Fatal(err)
	}
}

const (
	needed = 1_000_000 // in millionths of a USDC: what has to come
	moved  = 250_000
	sent   = 500_000
)

func run(ctx context.Context, out io.Writer, rpc string, to chain.Address) error {
	seed, err := chain.NewSeed(rand.Reader)
	if err != nil {
		return err
	}
	c, err := open(ctx, rpc, seed)
	if err != nil {
		return err
	}
	e, err := engine.New(engine.Config{Store: memstore.New(), Test: engine.Providers{Chain: c}})
	if err != nil {
		return err
	}
	stop := work(ctx, e)
	defer stop()
	s := show{e, c, rpc, out}
	if err := s.fundFeePayer(ctx); err != nil {
		return err
	}
	if to == "" {
		outside, err := chain.NewSeed(rand.Reader)
		if err != nil {
			return err
		}
		to = outside.Address()
	}
	return s.play(ctx, to)
}

// open returns the chain of a node, which may be any but mainnet.
func open(ctx context.Context, rpc string, feePayer chain.Seed) (*solana.Chain, error) {
	cluster := solana.Cluster{Mint: solana.Devnet.Mint, Explorer: "cluster=custom&customUrl=" + url.QueryEscape(rpc)}
	if rpc == devnet {
		cluster = solana.Devnet
	}
	return solana.Open(ctx, solana.Config{Cluster: cluster, Endpoints: []string{rpc}, FeePayer: feePayer})
}

// work runs the workers. The function that it returns ends them.
func work(ctx context.Context, e *engine.Engine) (stop func()) {
	working, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Run(working)
	}()
	return func() {
		cancel()
		<-done
	}
}

// show is what the program works with.
type show struct {
	e   *engine.Engine
	c   *solana.Chain
	rpc string
	out io.Writer
}

// fundFeePayer waits for the SOL that pays the fees.
func (s show) fundFeePayer(ctx context.Context) error {
	fmt.Fprintln(s.out, "send SOL to the fee payer, as with solana airdrop 1 ADDRESS --url "+cluster(s.rpc)+":", s.c.FeePayer())
	return until(ctx, func() (bool, error) {
		lamports, err := s.c.FeePayerBalance(ctx)
		return lamports > 0, ignoreUnavailable(err)
	})
}

// cluster is what the tool of Solana calls the chain of a node.
func cluster(rpc string) string {
	if rpc == devnet {
		return "devnet"
	}
	return rpc
}

func (s show) play(ctx context.Context, to chain.Address) error {
	shop, err := s.e.Bootstrap(ctx)
	if err != nil {
		return err
	}
	scope := shop.Business.Scope
	first, err := s.e.Wallets.Create(ctx, scope, wallets.CreateParams{Reference: "main"})
	if err != nil {
		return err
	}
	second, err := s.e.Wallets.Create(ctx, scope, wallets.CreateParams{Reference: "savings"})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "send at least 1 USDC of", s.c.Mint(), "to:", first.PrimaryAddress)
	if err := until(ctx, func() (bool, error) {
		w, err := s.e.Wallets.Get(ctx, scope, wallets.WalletRef{ID: string(first.ID)})
		return err == nil && w.Balance.Minor() >= needed, err
	}); err != nil {
		return err
	}
	// Between wallets of ferry nothing goes over the chain.
	inside, err := s.transfer(ctx, scope, first.PrimaryAddress, second.PrimaryAddress, moved)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "to the second wallet:", inside.Status)
	outside, err := s.transfer(ctx, scope, first.PrimaryAddress, to, sent)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "to the outside:", outside.Status, s.c.ExplorerURL(outside.Signature))
	return s.compare(ctx, scope.Env)
}

// transfer sends USDC and waits until the transfer has ended.
func (s show) transfer(ctx context.Context, scope ferry.Scope, from, to chain.Address, amount int64) (outgoing.Transfer, error) {
	t, err := s.e.Outgoing.Transfer(ctx, scope, outgoing.TransferParams{From: string(from), To: string(to), Amount: money.USDC(amount)})
	if err != nil {
		return t, err
	}
	err = until(ctx, func() (bool, error) {
		t, err = s.e.Outgoing.FindTransfer(ctx, scope, string(t.ID))
		return t.Status != wallets.Pending, err
	})
	return t, err
}

// compare shows that the addresses hold what the books say. The chain shows a payment as final
// a moment before ferry has read it from the history of its address.
func (s show) compare(ctx context.Context, env ferry.Env) error {
	var r engine.Reconciliation
	err := until(ctx, func() (bool, error) {
		found, err := s.e.Reconcile(ctx, env)
		r = found
		return err == nil && len(r.Findings) == 0 && r.Chain.OnChain == r.Chain.Custody, ignoreUnavailable(err)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "on the chain: %s, in the books: %s\n", r.Chain.OnChain, r.Chain.Custody)
	return nil
}

// until asks once a second until the answer is yes.
func until(ctx context.Context, yes func() (bool, error)) error {
	for {
		if done, err := yes(); err != nil || done {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// ignoreUnavailable drops the error of a node that does not answer now: it is asked again.
func ignoreUnavailable(err error) error {
	if errors.Is(err, chain.ErrUnavailable) || errors.Is(err, ferry.Unavailable) {
		return nil
	}
	return err
}
