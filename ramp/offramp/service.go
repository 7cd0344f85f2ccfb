package offramp

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Config is what a Service needs besides its stores. All fields are required, but for those that
// name a default.
type Config struct {
	// Quotes price the orders.
	Quotes *ramp.Quoter
	// Wallets makes deposit addresses, Deposits reads what comes to them, and Outgoing sends
	// USDC back.
	Wallets  *wallets.Service
	Deposits *deposits.Service
	Outgoing *outgoing.Service
	// Sending says how the naira go out.
	Sending disburse.Config
	// Bills buys the bills that orders pay for. Its Config.Moved is Service.BillMovedIn.
	Bills *bills.Service
	// Enquire returns the holder of an account, as payouts.Service does.
	Enquire func(ctx context.Context, env ferry.Env, bankCode, accountNumber string) (bank.Holder, error)
	// Expiry is how long the deposits of an order count. Default: DefaultExpiry.
	Expiry time.Duration
	// RetryWindow is how long USDC is held after a bill was refused the first time. Default:
	// DefaultRetryWindow.
	RetryWindow time.Duration
}

// DefaultExpiry is how long the deposits of an order count.
const DefaultExpiry = 15 * time.Minute

// DefaultRetryWindow is how long USDC is held after a bill was refused the first time: as long as a
// quote stands, so that a retry is no option on the rate that is older than one.
const DefaultRetryWindow = 15 * time.Minute

// Service is the offramps of all businesses. It is safe for concurrent use.
type Service struct {
	units    ferry.EnvUnits[Tx]
	config   Config
	payments disburse.Service[Order]
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	config.Expiry = cmp.Or(config.Expiry, DefaultExpiry)
	config.RetryWindow = cmp.Or(config.RetryWindow, DefaultRetryWindow)
	config.Sending.Lease = cmp.Or(config.Sending.Lease, time.Minute)
	s := &Service{units: units, config: config}
	s.payments = disburse.New(units, newKind(s), config.Sending)
	return s
}

// RunDue ends orders whose time is over, asks the banks for those that are funded, and sends
// deposits back: at most limit of each. It returns how many there were.
func (s *Service) RunDue(ctx context.Context, limit int) (done int, failed error) {
	for _, pass := range []func(context.Context, int) (int, error){s.endDue, s.payments.RunDue, s.sendBackDue} {
		n, err := pass(ctx, limit)
		done, failed = done+n, errors.Join(failed, err)
	}
	return done, failed
}

// Follow records what a bank reports of an order's payment. See disburse.Feed.
func (s *Service) Follow(ctx context.Context, env ferry.Env, o bank.Outcome) error {
	return s.payments.Follow(ctx, env, o)
}

// Resolve ends the payment of an order that a person has looked into. See
// disburse.Service.Resolve.
func (s *Service) Resolve(ctx context.Context, env ferry.Env, r disburse.Resolution) (disburse.Resolution, error) {
	return s.payments.Resolve(ctx, env, r)
}

// Reconcile compares the payments of an environment's orders with its bank's reports of them.
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (disburse.Reconciliation, error) {
	return s.payments.Reconcile(ctx, env)
}
