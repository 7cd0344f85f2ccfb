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

// Service sends the payments of one kind, whose rows are P. It is safe for concurrent use.
//
// It is an interface to keep builds short. A package that can reach a generic struct compiles all its
// methods anew, and every program can reach this one through the engine.
type Service[P any] interface {
	// RunDue asks the banks for at most limit payments that are due, several at once, and returns
	// how many there were. A bank that has not paid is asked again under the same key.
	RunDue(ctx context.Context, limit int) (int, error)
	// Follow records an outcome that a bank reports on the row of its key, if it is a row of the
	// kind. An open row gets the outcome as if the bank had been asked for it. A payment that came
	// back is booked once, as it was ordered. When the bank says that another amount came back, or from
	// another account, nothing is booked, unless a person has resolved the row as paid: the row keeps
	// NotAsPaid, and a person has to decide.
	Follow(ctx context.Context, env ferry.Env, o bank.Outcome) error
	// Refresh asks the bank what became of the payment of a row, and records the answer as Follow
	// does. It does not ask the bank to pay. A payment that the bank does not know stays as it is:
	// the due work asks for it. Refresh reports whether the bank answered.
	Refresh(ctx context.Context, row P) (answered bool, err error)
	// Resolve ends an open payment of which the bank reports another amount or account than it was
	// told, by the decision of a person. A payment that was made is booked as it was ordered, and one
	// that was not gives back what was set aside, each with the events of that end. What the bank says
	// later changes nothing more, but for the money of a paid one that comes back; Reconcile compares
	// it still. The same decision again changes nothing, and returns the first one.
	//
	// Errors: ferry.ErrValidation; ErrNoPayment for what is no payment of the kind;
	// ferry.ErrInvalidTransition for a payment that is not NotAsPaid, or that has ended otherwise, and
	// for WasPaid when the bank says that the money came back already.
	Resolve(ctx context.Context, env ferry.Env, r Resolution) (Resolution, error)
	// Reconcile compares the payments of an environment with the reports of its bank. It
	// changes nothing.
	//
	//   - the bank reports each payment that is booked as paid, with its party and amount, and
	//     each report has a payment that is paid or open (the check is the name of the kind);
	//   - the bank refuses no open payment (check "refused").
	//
	// A payment that a person has resolved is compared by its amount: one that counts as paid may have
	// gone to another account, and one that does not may have come back.
	//
	// All other open payments are in flight, by what is known of them: the bank has accepted one (check
	// "in_progress"), or does not say what became of it ("outcome_unknown"), or has made it or sent it
	// back and the books follow ("in_flight"). One of which no answer is recorded is Unanswered.
	Reconcile(ctx context.Context, env ferry.Env) (Reconciliation, error)
	// ReconcileSince compares the purchases of an environment with what its biller says of each, as
	// Reconcile does with the reports of a bank: those that are open, and those that have ended since
	// an instant. It changes nothing. What a biller has sold to others it does not find.
	ReconcileSince(ctx context.Context, env ferry.Env, since time.Time) (Reconciliation, error)
}

// New returns a Service over units.
func New[T Tx, K ~string, P any](units ferry.EnvUnits[T], kind *Kind[T, K, P], config Config) Service[P] {
	return &service[T, K, P]{units: units, kind: kind, config: config.withDefaults()}
}

type service[T Tx, K ~string, P any] struct {
	units  ferry.EnvUnits[T]
	kind   *Kind[T, K, P]
	config Config
	// recording is held while what a bank said is recorded. Payments of one order change one
	// row, so that their units would only be in each other's way.
	recording sync.Mutex
}
