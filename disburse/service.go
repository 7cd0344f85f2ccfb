package disburse

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/records"
)

// Config is what a Service needs besides its stores. Zero fields take the defaults they
// name.
type Config struct {
	// Banks make the payments. In an environment without one, payments wait.
	Banks map[ferry.Env]bank.Bank
	// Billers make the purchases of kinds of Buying, in place of Banks.
	Billers map[ferry.Env]biller.Biller
	// Held reports whether money is kept from leaving an environment; payments wait
	// meanwhile. It is read in the unit that begins each call of a bank. Default: it never is.
	Held func(context.Context, records.Tx, ferry.Env) (bool, error)
	// Retry is how long to wait before a bank is asked for a payment the second time; then
	// the wait doubles, up to 5 minutes while the answer is unknown and to 6 hours while
	// the bank refuses. Default: 30 s.
	Retry time.Duration
	// Logger takes each answer that differs from the one before. Default: none.
	Logger *slog.Logger
	// AtOnce is for how many payments the banks are asked at once. Default: 16. With 1, a pass
	// begins no goroutine.
	AtOnce int
	// Timeout is how long a bank may take to answer. What became of the payment is then
	// unknown. Default: 20 s.
	Timeout time.Duration
	// Lease is how long a worker may be busy with the payments of one pass.
	// Default: 1 min.
	Lease time.Duration
}

func (c Config) withDefaults() Config {
	if c.Held == nil {
		c.Held = func(context.Context, records.Tx, ferry.Env) (bool, error) { return false, nil }
	}
	c.Retry = cmp.Or(c.Retry, 30*time.Second)
	c.AtOnce = cmp.Or(c.AtOnce, 16)
	c.Timeout = cmp.Or(c.Timeout, 20*time.Second)
	c.Lease = cmp.Or(c.Lease, time.Minute)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return c
}

// HeldPause is how long a payment waits while money is held, before it is read again whether it
// may go.
const HeldPause = 30 * time.Second

// How long a bank is left alone at most before it is asked for a payment again.
const (
	longestUnknown = 5 * time.Minute
	longestRefused = 6 * time.Hour
)

// pause is how long to wait before a bank is asked again.
func (c Config) pause(p Progress) time.Duration {
	longest := longestUnknown
	if p.Answer.Refused() {
		longest = longestRefused
	}
	pause := c.Retry
	for range p.Attempts - 1 {
		pause = min(2*pause, longest)
	}
	return min(pause, longest)
}

// Service sends the payments of one kind. It is safe for concurrent use.
type Service[T Tx, K ~string, P any] struct {
	units  ferry.EnvUnits[T]
	kind   *Kind[T, K, P]
	config Config
	// recording is held while what a bank said is recorded. Payments of one order change one
	// row, so that their units would only be in each other's way.
	recording sync.Mutex
}

// New returns a Service over units.
func New[T Tx, K ~string, P any](units ferry.EnvUnits[T], kind *Kind[T, K, P], config Config) *Service[T, K, P] {
	return &Service[T, K, P]{units: units, kind: kind, config: config.withDefaults()}
}
