package solana

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana/internal/payment"
)

var (
	// ErrFeePayer says that the fee payer has too little SOL for a payment. It is a chain.ErrFeePayer.
	ErrFeePayer = fmt.Errorf("solana: too little SOL: %w", chain.ErrFeePayer)
	// ErrBudget says that the fee payer has signed away all that it may in a day. It is a
	// chain.ErrFeeBudget.
	ErrBudget = fmt.Errorf("solana: Fees.Day is reached: %w", chain.ErrFeeBudget)
)

// perSignature is the fee of each signature, in lamports.
const perSignature = 5000

// costOf is what a payment costs the fee payer at most, in lamports.
func (c *Chain) costOf(ctx context.Context, o payment.Order, opened bool) (uint64, error) {
	sources := len(o.Transfer.Sources)
	cost := perSignature*uint64(1+sources) + (o.Price*uint64(payment.Units(sources))+999_999)/1_000_000
	if opened {
		return cost, nil
	}
	rent, err := c.rent(ctx)
	return cost + rent, err
}

// rents is what a token account costs, in lamports, or 0 until a node was asked.
type rents struct {
	mu      sync.Mutex
	account uint64
}

// rent is what a token account costs, in lamports. A node is asked once.
func (c *Chain) rent(ctx context.Context) (_ uint64, err error) {
	c.rents.mu.Lock()
	defer c.rents.mu.Unlock()
	if c.rents.account == 0 {
		c.rents.account, err = ask(ctx, c, func(ctx context.Context, r *rpc.Client) (uint64, error) {
			return answered(r.GetMinimumBalanceForRentExemption(ctx, tokenAccountSize, rpc.CommitmentConfirmed))
		})
	}
	return c.rents.account, err
}

// spent is what this process has signed away on a day.
type spent struct {
	mu     sync.Mutex
	day    string
	sum    uint64
	warned time.Time
}

// afford refuses a payment that the fee payer cannot pay for, and warns when its balance is low.
// One that has less than a payment costs must also stay exempt from rent; nodes check that.
func (c *Chain) afford(ctx context.Context, balance, cost uint64) error {
	if balance < cost {
		return fmt.Errorf("%w: %s has %d lamports, a payment takes %d", ErrFeePayer, c.feePayer, balance, cost)
	}
	now := c.config.Clock.Now()
	c.spent.mu.Lock()
	defer c.spent.mu.Unlock()
	if day := now.UTC().Format(time.DateOnly); day != c.spent.day {
		c.spent.day, c.spent.sum = day, 0
	}
	if c.spent.sum+cost > c.config.Fees.Day {
		return fmt.Errorf("%w: %d lamports of %d", ErrBudget, c.spent.sum, c.config.Fees.Day)
	}
	if balance < c.config.Fees.Low && now.Sub(c.spent.warned) >= time.Minute {
		c.spent.warned = now
		c.config.Logger.WarnContext(ctx, "the fee payer runs low on SOL", "address", c.feePayer.String(), "lamports", balance, "below", c.config.Fees.Low)
	}
	return nil
}

// spend counts what was signed away.
func (c *Chain) spend(cost uint64) {
	c.spent.mu.Lock()
	defer c.spent.mu.Unlock()
	c.spent.sum += cost
}

// prices is the priority fee that was found last.
type prices struct {
	mu    sync.Mutex
	price uint64
	at    time.Time
}

// priceLife is how long a priority fee is used before nodes are asked again.
const priceLife = 20 * time.Second

// price is what three of four transactions offered lately, up to the configured limit, in
// millionths of a lamport a compute unit.
func (c *Chain) price(ctx context.Context) (uint64, error) {
	c.prices.mu.Lock()
	defer c.prices.mu.Unlock()
	now := c.config.Clock.Now()
	if !c.prices.at.IsZero() && now.Sub(c.prices.at) < priceLife {
		return c.prices.price, nil
	}
	lately, err := ask(ctx, c, func(ctx context.Context, r *rpc.Client) ([]rpc.PriorizationFeeResult, error) {
		return r.GetRecentPrioritizationFees(ctx, nil)
	})
	if err != nil {
		return 0, err
	}
	var fees []uint64
	for _, f := range lately {
		fees = append(fees, f.PrioritizationFee)
	}
	slices.Sort(fees)
	c.prices.price, c.prices.at = 0, now
	if len(fees) > 0 {
		c.prices.price = min(fees[len(fees)*3/4], c.config.Fees.Price)
	}
	return c.prices.price, nil
}
