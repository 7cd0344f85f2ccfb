package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

// strayBank is the simulated bank, which says that each payment went to another account, and later
// that it came back.
type strayBank struct {
	bank.Bank
	back bool
}

func (b *strayBank) stray(o bank.Outcome) bank.Outcome {
	o.To.AccountNumber = "9999999990"
	if b.back {
		o.State = bank.StateReturned
	}
	return o
}

func (b *strayBank) Pay(ctx context.Context, p bank.Payment) (bank.Outcome, error) {
	o, err := b.Bank.Pay(ctx, p)
	return b.stray(o), err
}

func (b *strayBank) Outcome(ctx context.Context, key string) (bank.Outcome, error) {
	o, err := b.Bank.Outcome(ctx, key)
	return b.stray(o), err
}

func (b *strayBank) Outcomes(ctx context.Context, after bank.Cursor, limit int) ([]bank.Outcome, error) {
	page, err := b.Bank.Outcomes(ctx, after, limit)
	for i := range page {
		page[i] = b.stray(page[i])
	}
	return page, err
}

// payrollOver is a payroll over a store, and a bank of one's own if there is one.
func payrollOver(t *testing.T, backend store.Backend, own func(bank.Bank) bank.Bank) *payroll {
	t.Helper()
	world := sandbox.New(sandbox.Config{Seed: 1})
	config := engine.Config{Store: backend, World: world}
	if own != nil {
		config.Test.Bank = own(world.Bank())
	}
	e, err := engine.New(config)
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return &payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}
}

func (p *payroll) resolve(id string, decision disburse.Decision) error {
	_, err := p.Resolve(p.Context(), ferry.Test, disburse.Resolution{ID: id, Decision: decision, By: "Ada", Reason: "Ticket 7"})
	return err
}

func TestAPaymentToAnotherAccountThatAPersonCountsAsMadeAgreesWithTheBank(t *testing.T) {
	own := &strayBank{}
	p := payrollOver(t, memstore.New(), func(b bank.Bank) bank.Bank { own.Bank = b; return own })
	made := p.paid(100_00, "0123456780")
	p.pass(time.Minute)
	id := string(p.items(made.ID)[0].ID)
	differs := func() bool {
		compared, err := p.Payouts.Reconcile(t.Context(), ferry.Test)
		require.NoError(t, err)
		return len(compared.Findings) > 0
	}
	require.True(t, differs())
	require.NoError(t, p.resolve(id, disburse.WasPaid))
	require.Equal(t, []payouts.ItemStatus{payouts.ItemSuccessful}, p.statuses(made.ID))
	require.Equal(t, [3]int64{demo - 100_00, 0, demo - 100_00}, p.naira())
	p.clean()

	own.back = true
	o, err := own.Outcome(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, p.Payouts.Follow(t.Context(), ferry.Test, o))
	require.Equal(t, [3]int64{demo, 0, demo}, p.naira(), "what came back is the business's again")
	require.False(t, differs())
}

// The n-th operation on the store fails, for every n: nothing of the decision is there then, and
// the next try takes it once.
func TestADecisionOfAPersonThatIsCutOffIsTakenByTheNextTry(t *testing.T) {
	cut := errors.New("cut off")
	type payment struct {
		id     string
		status func() string
	}
	for name, make := range map[string]func(*payroll) payment{
		"payout item": func(p *payroll) payment {
			made := p.paid(100_00, "0123456780")
			return payment{string(made.Items[0].ID), func() string { return string(p.statuses(made.ID)[0]) }}
		},
		"fiat transfer": func(p *payroll) payment {
			made, err := p.Transfers.Create(t.Context(), p.scope, rent(100_00, "0123456780"))
			require.NoError(t, err)
			return payment{string(made.ID), func() string { return string(p.transfer(made.ID).Status) }}
		},
		"refund": func(p *payroll) payment {
			r := refunder{p}
			r.order("order-1", "0123456780")
			made := r.refunded(100_00, automatic)
			return payment{string(made.ID), func() string { return string(r.found(made).Status) }}
		},
	} {
		for _, decision := range disburse.Decisions() {
			t.Run(name+" "+string(decision), func(t *testing.T) {
				for n := 1; ; n++ {
					backend := storefault.FailNth(memstore.New(), 0, cut)
					p := payrollOver(t, backend, nil)
					made := make(p)
					require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.WrongAmount, 1))
					p.pass(time.Hour)
					before, processing := p.naira(), made.status()
					require.EqualValues(t, 100_00, before[1])
					backend.Arm(n)
					err := p.resolve(made.id, decision)
					fired := backend.Fired()
					backend.Arm(0)
					if fired {
						require.Error(t, err)
						require.Equal(t, before, p.naira(), n)
						require.Equal(t, processing, made.status())
						require.NoError(t, p.resolve(made.id, decision))
					}
					require.NoError(t, p.resolve(made.id, decision))
					after := before[0]
					if decision == disburse.WasPaid {
						after -= 100_00
					}
					require.Equal(t, [3]int64{after, 0, after}, p.naira(), n)
					findings, err := p.Audit(t.Context(), ferry.Test)
					require.NoError(t, err)
					require.Empty(t, findings)
					if !fired {
						return
					}
				}
			})
		}
	}
}

func TestAPaymentThatCameBackAlreadyIsNotCountedAsMade(t *testing.T) {
	p := payrollOver(t, memstore.New(), nil)
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetBank, sandbox.WrongAmount, 1))
	made := p.paid(100_00, "0123456785")
	p.pass(26 * time.Hour)
	id := string(p.items(made.ID)[0].ID)
	require.EqualValues(t, 100_00, p.naira()[1])
	require.ErrorIs(t, p.resolve(id, disburse.WasPaid), ferry.ErrInvalidTransition)
	require.EqualValues(t, 100_00, p.naira()[1], "nothing is decided")
	require.NoError(t, p.resolve(id, disburse.WasNotPaid))
	require.Equal(t, [3]int64{demo, 0, demo}, p.naira())
	p.clean()
}
