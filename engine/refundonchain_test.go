package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// paidOnChain is a business over a store, with an order that was paid with 10 USDC by an address.
func paidOnChain(t *testing.T, backend store.Backend, sender func(*engine.Engine, engine.Tenant) chain.Address) refunder {
	t.Helper()
	e, err := engine.New(engine.Config{Store: backend, Lease: time.Nanosecond})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	r := refunder{&payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}}
	_, err = e.Checkout.Create(t.Context(), r.scope, checkout.CreateParams{TrxID: "order-1", Email: "ada@example.com", Amount: money.USDC(10_000_000)})
	require.NoError(t, err)
	offered, err := e.Checkout.Crypto(t.Context(), r.scope, checkout.Ref{TrxID: "order-1"}, "")
	require.NoError(t, err)
	_, err = e.World.Deposit(t.Context(), sandbox.DepositParams{To: offered.Current.Deposit, Amount: money.USDC(10_000_000), Sender: sender(e, tenant)})
	require.NoError(t, err)
	r.pass(10 * time.Second)
	return r
}

func fromOutside(*engine.Engine, engine.Tenant) chain.Address { return outside }

// sentBack asks for an automatic refund of USDC, which is due at a time after now.
func (r refunder) sentBack(micro int64, after time.Duration) refunds.Refund {
	r.Helper()
	return r.refunded(0, func(p *refunds.Params) {
		p.Mode, p.Amount, p.ScheduledAt = refunds.AutoSender, money.USDC(micro), r.Clock(ferry.Test).Now().Add(after)
	})
}

// sendNow does what is due of refunds and their transfers, twice: before and after the blocks of
// the chain are final.
func (r refunder) sendNow() error {
	for range 2 {
		for _, due := range []func(context.Context, int) (int, error){r.Refunds.RunDue, r.Outgoing.RunDue} {
			if _, err := due(r.Context(), 10); err != nil {
				return err
			}
		}
		if _, err := r.World.Advance(r.Context(), 5*time.Second); err != nil {
			return err
		}
	}
	return nil
}

// sends are the transfers that were made for refunds.
func (r refunder) sends() (all []outgoing.Transfer) {
	r.Helper()
	r.tamper(func(ctx context.Context, tx store.Tx) error {
		for t, err := range outgoing.TransferKind.Walk(ctx, tx, records.Where(records.Is("env", r.scope.Env))) {
			if err != nil {
				return err
			}
			if t.Kind != outgoing.Treasury {
				all = append(all, t)
			}
		}
		return nil
	})
	return all
}

// gone are the sums of a line of which one refund ended so.
func gone(ends refunds.Status, micro int64) statement.Refunds {
	if ends == refunds.Successful {
		return statement.Refunds{Done: micro}
	}
	return statement.Refunds{}
}

// The n-th operation on the store fails, for every n, from the time when a refund is due until it
// is over: the money goes back once, or not at all, as the chain says.
func TestARefundOnTheChainEndsOnceWhicheverOperationFails(t *testing.T) {
	cut := errors.New("cut off")
	neighbour := func(e *engine.Engine, tenant engine.Tenant) chain.Address {
		return enginetest.Deposit(t, e, tenant, money.USDC(1_000_000)).PrimaryAddress
	}
	for name, c := range map[string]struct {
		sender func(*engine.Engine, engine.Tenant) chain.Address
		fault  sandbox.Kind
		ends   refunds.Status
	}{
		"sent":             {fromOutside, "", refunds.Successful},
		"sent inside":      {neighbour, "", refunds.Successful},
		"refused by chain": {fromOutside, sandbox.ProgramError, refunds.Failed},
		"sent twice":       {fromOutside, sandbox.Duplicate, refunds.Successful},
	} {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				backend := storefault.FailNth(memstore.New(), 0, cut)
				r := paidOnChain(t, backend, c.sender)
				made := r.sentBack(4_000_000, 0)
				if c.fault != "" {
					require.NoError(t, r.World.Inject(t.Context(), sandbox.TargetChain, c.fault, 1))
				}
				backend.Arm(n)
				err := r.sendNow()
				fired := backend.Fired()
				backend.Arm(0)
				// A transfer waits when what was sent before cannot be read: that is no error.
				require.True(t, fired || err == nil, "%d: %v", n, err)
				r.clean()
				r.pass(time.Hour)
				require.Equal(t, c.ends, r.found(made).Status, n)
				require.Len(t, r.sends(), 1, n)
				require.Equal(t, gone(c.ends, 4_000_000), r.line().Refunds, n)
				require.Len(t, r.out(), int(r.line().Refunds.Done/4_000_000), n)
				r.clean()
				if !fired {
					require.Greater(t, n, 10)
					return
				}
			}
		})
	}
}

func TestTheAuditComparesARefundOnTheChainWithItsTransferAndItsReservation(t *testing.T) {
	change := func(of func(*refunds.Refund)) func(refunder, refunds.Refund) {
		return func(r refunder, made refunds.Refund) {
			of(&made)
			r.tamper(func(ctx context.Context, tx store.Tx) error { return refunds.Kind.Update(ctx, tx, made) })
		}
	}
	for name, c := range map[string]struct {
		passed time.Duration
		plant  func(refunder, refunds.Refund)
		says   string
	}{
		"what it needs was given back": {0, func(r refunder, made refunds.Refund) {
			r.tamper(func(ctx context.Context, tx store.Tx) error {
				return ledger.Release(ctx, tx.Ledger(), ledger.ReservationID(made.ID))
			})
		}, "it needs"},
		"it names no transfer that is there": {0, change(func(r *refunds.Refund) { r.Transfer = "trx_gone" }), "is not there"},
		"its transfer is over, and it is not": {time.Hour, func(r refunder, made refunds.Refund) {
			sent := r.sends()[0]
			sent.Status = wallets.Pending
			r.tamper(func(ctx context.Context, tx store.Tx) error { return outgoing.TransferKind.Update(ctx, tx, sent) })
		}, "its transfer"},
	} {
		t.Run(name, func(t *testing.T) {
			r := paidOnChain(t, memstore.New(), fromOutside)
			made := r.sentBack(4_000_000, time.Minute)
			r.pass(c.passed)
			r.clean()
			c.plant(r, r.found(made))
			found, err := r.Audit(t.Context(), ferry.Test)
			require.NoError(t, err)
			told := ""
			for _, f := range found {
				if f.Check == "refund" && f.Subject == string(made.ID) {
					told += f.Text
				}
			}
			require.Contains(t, told, c.says)
		})
	}
}
