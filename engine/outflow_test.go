package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// allow changes the rules of the business.
func (p *payroll) allow(change outflow.Change) {
	p.Helper()
	require.NoError(p, p.Units(p.scope.Env).Write(p.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := p.Outflow.ChangeIn(ctx, tx, p.scope, change)
		return err
	}))
}

// morning lets time pass until the first hour of a day is over, so that no day ends in a test.
func (p *payroll) morning() {
	p.Helper()
	now := p.World.Clock().Now().UTC()
	p.pass(now.Truncate(24 * time.Hour).Add(25 * time.Hour).Sub(now))
}

// send sends USDC, as an API key or as the program.
func (p *payroll) send(key string, from wallets.Wallet, to string, micro int64) error {
	_, err := p.Outgoing.Transfer(outflow.By(p.Context(), key), p.scope, outgoing.TransferParams{
		From: string(from.PrimaryAddress), To: to, Amount: money.USDC(micro),
	})
	return err
}

// beyond requires that an error says which limit an operation is beyond.
func beyond(t *testing.T, err error, rule outflow.Rule, by outflow.Setter) *outflow.Exceeded {
	t.Helper()
	require.ErrorIs(t, err, outflow.ErrLimit)
	e, ok := errors.AsType[*outflow.Exceeded](err)
	require.True(t, ok)
	require.Equal(t, [2]string{string(rule), string(by)}, [2]string{string(e.Rule), string(e.SetBy)})
	return e
}

func at(amount money.Amount) *money.Amount { return &amount }

const outside = "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"

func TestAnOperationBeyondItsLimitIsRefusedAndChangesNothing(t *testing.T) {
	p := newPayroll(t)
	p.allow(outflow.Change{NGN: outflow.LimitChange{Operation: at(money.NGN(500_00))}})
	before := p.naira()
	_, err := p.pay(250_01, "0123456780", "0123456781")
	e := beyond(t, err, outflow.PerOperation, outflow.ByBusiness)
	require.True(t, e.RetryAt.IsZero(), "it would never pass")
	require.Equal(t, before, p.naira())
	list, err := p.Payouts.List(t.Context(), p.scope, payouts.Filter{}, ferry.Page{})
	require.NoError(t, err)
	require.Empty(t, list.Data)
	p.paid(250_00, "0123456780", "0123456781")
	p.clean()
}

func TestTheLimitOfADayCountsWhatWasAskedForUntilTheDayIsOver(t *testing.T) {
	p := newPayroll(t)
	p.morning()
	p.allow(outflow.Change{NGN: outflow.LimitChange{BusinessDay: at(money.NGN(500_00))}})
	made := p.paid(300_00, "0123456780")
	require.NoError(t, p.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := p.Payouts.CancelIn(ctx, tx, p.scope, payouts.Ref{ID: string(made.ID)})
		return err
	}))
	_, err := p.pay(201_00, "0123456780")
	e := beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness)
	require.Equal(t, []money.Amount{money.NGN(500_00), money.NGN(300_00), money.NGN(201_00)}, []money.Amount{e.Limit, e.Used, e.Asked},
		"what was cancelled stays counted")
	require.Equal(t, e.RetryAt.Truncate(24*time.Hour), e.RetryAt, "days are those of UTC")
	p.paid(200_00, "0123456780")
	_, err = p.pay(1, "0123456780")
	beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness)
	_, err = p.pay(500_01, "0123456780")
	require.True(t, beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness).RetryAt.IsZero())

	p.pass(24 * time.Hour)
	p.paid(500_00, "0123456780")
	p.clean()
}

func TestTheOperatorsCeilingHoldsWhateverTheBusinessAllows(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New(), Outflow: outflow.Ceilings{
		ferry.Test: {USDC: outflow.Limit{Operation: money.USDC(5_000_000), KeyDay: money.USDC(8_000_000)}},
	}})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	p := &payroll{T: t, Engine: e, tenant: tenant, scope: tenant.Business.Scope}
	p.morning()
	w := enginetest.Deposit(t, e, tenant, money.USDC(100_000_000))
	p.allow(outflow.Change{USDC: outflow.LimitChange{Operation: at(money.USDC(90_000_000))}})
	beyond(t, p.send("key_1", w, outside, 6_000_000), outflow.PerOperation, outflow.ByOperator)
	p.allow(outflow.Change{USDC: outflow.LimitChange{Operation: at(money.USDC(4_000_000))}})
	beyond(t, p.send("key_1", w, outside, 5_000_000), outflow.PerOperation, outflow.ByBusiness)
	require.NoError(t, p.send("key_1", w, outside, 4_000_000))
	require.NoError(t, p.send("key_1", w, outside, 4_000_000))
	beyond(t, p.send("key_1", w, outside, 10_000), outflow.PerKeyAndDay, outflow.ByOperator)
	require.NoError(t, p.send("key_2", w, outside, 4_000_000), "another key has a day of its own")
	p.pass(time.Minute)
	p.clean()
}

func TestOnlyListedDestinationsArePaid(t *testing.T) {
	p := newPayroll(t)
	w := enginetest.Deposit(t, p.Engine, p.tenant, money.USDC(100_000_000))
	only := true
	p.allow(outflow.Change{AllowList: &only, Destinations: &[]outflow.Destination{
		{BankCode: "000013", AccountNumber: "0123456780"}, {Address: outside},
	}})
	p.paid(100_00, "0123456780") // by the other code of that bank
	_, err := p.pay(100_00, "0123456780", "0123456781")
	var refused *ferry.Error
	require.ErrorAs(t, err, &refused)
	require.ErrorIs(t, err, outflow.ErrDestination)
	require.Len(t, refused.Fields, 1)
	require.Equal(t, "items.1.account_number", refused.Fields[0].Name)

	require.NoError(t, p.send("", w, outside, 1_000_000))
	seed, err := chain.OpenSeed(append(make([]byte, 31), 7))
	require.NoError(t, err)
	require.ErrorIs(t, p.send("", w, string(seed.Address()), 1_000_000), outflow.ErrDestination)
	p.pass(time.Minute)
	p.clean()
}

func TestATransferToAnotherBusinessCountsAndOneOfTheSameDoesNot(t *testing.T) {
	p := newPayroll(t)
	w := enginetest.Deposit(t, p.Engine, p.tenant, money.USDC(100_000_000))
	own, err := p.Wallets.Create(t.Context(), p.scope, wallets.CreateParams{})
	require.NoError(t, err)
	tenant, err := p.CreateTenant(t.Context(), ferry.Test, "Another shop")
	require.NoError(t, err)
	theirs, err := p.Wallets.Create(t.Context(), tenant.Business.Scope, wallets.CreateParams{})
	require.NoError(t, err)
	p.allow(outflow.Change{USDC: outflow.LimitChange{Operation: at(money.USDC(1_000_000))}})
	require.NoError(t, p.send("", w, string(own.PrimaryAddress), 5_000_000))
	beyond(t, p.send("", w, string(theirs.PrimaryAddress), 5_000_000), outflow.PerOperation, outflow.ByBusiness)
	require.NoError(t, p.send("", w, string(theirs.PrimaryAddress), 1_000_000))
	p.clean()
}

func TestFiatTransfersAndPayoutsShareTheLimitOfADay(t *testing.T) {
	p := newPayroll(t)
	p.morning()
	p.allow(outflow.Change{NGN: outflow.LimitChange{BusinessDay: at(money.NGN(500_00))}})
	p.paid(300_00, "0123456780")
	_, err := p.Transfers.Create(t.Context(), p.scope, rent(300_00, "0123456780"))
	beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness)
	p.transferred(rent(200_00, "0123456780"))
	_, err = p.Transfers.Create(t.Context(), p.scope, rent(100, "0123456780"))
	beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness)
	only := true
	p.allow(outflow.Change{NGN: outflow.LimitChange{BusinessDay: at(money.NGN(0))}, AllowList: &only})
	_, err = p.Transfers.Create(t.Context(), p.scope, rent(100, "0123456780"))
	require.ErrorIs(t, err, outflow.ErrDestination)
	p.pass(time.Minute)
	p.clean()
}

func TestRefundsShareTheLimitOfADayInBothModes(t *testing.T) {
	r := newRefunder(t, "0123456780")
	r.morning()
	only := true
	r.allow(outflow.Change{NGN: outflow.LimitChange{Operation: at(money.NGN(400_00)), BusinessDay: at(money.NGN(500_00))}, AllowList: &only})
	before, line := r.naira(), r.line()
	_, err := r.refund(400_01, automatic)
	beyond(t, err, outflow.PerOperation, outflow.ByBusiness)
	require.Equal(t, before, r.naira())
	require.Equal(t, line, r.line(), "what was refused has changed nothing")

	sent, byHand := r.refunded(200_00, automatic), r.refunded(200_00, nil)
	require.Equal(t, refunds.Pending, sent.Status, "its payer needs no place among the destinations")
	_, err = r.Refunds.Finalize(t.Context(), r.scope, refunds.FinalizeParams{Refund: refunds.Ref{ID: string(byHand.ID)}, Status: refunds.Failed})
	require.NoError(t, err)
	_, err = r.refund(100_01, nil)
	e := beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness)
	require.Equal(t, money.NGN(400_00), e.Used, "what was cancelled stays counted")
	r.allow(outflow.Change{AllowList: new(bool)})
	_, err = r.pay(100_01, "0123456780")
	beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness)
	r.paid(100_00, "0123456780")
	r.pass(time.Hour)
	require.Equal(t, refunds.Successful, r.found(sent).Status, "it is counted once, when it is made")
	r.clean()
}

func TestOf64PayoutsAtOnceNoMorePassThanTheDayAllows(t *testing.T) {
	p := newPayroll(t)
	p.morning()
	p.allow(outflow.Change{NGN: outflow.LimitChange{BusinessDay: at(money.NGN(1_000_00))}})
	var all sync.WaitGroup
	results := make([]error, 64)
	for i := range results {
		all.Go(func() { _, results[i] = p.pay(100_00, fmt.Sprintf("01234567%d0", i%10)) })
	}
	all.Wait()
	passed := 0
	for _, err := range results {
		if err == nil {
			passed++
			continue
		}
		beyond(t, err, outflow.PerBusinessAndDay, outflow.ByBusiness)
	}
	require.Equal(t, 10, passed)
	p.pass(time.Minute)
	p.clean()
}

func TestRulesAreCheckedAsAWhole(t *testing.T) {
	p := newPayroll(t)
	err := p.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := p.Outflow.ChangeIn(ctx, tx, p.scope, outflow.Change{
			NGN:          outflow.LimitChange{Operation: at(money.NGN(-1)), KeyDay: at(money.USDC(1))},
			Destinations: &[]outflow.Destination{{BankCode: "059", AccountNumber: "0123456780"}, {Address: outside, BankCode: "058"}},
		})
		return err
	})
	var refused *ferry.Error
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.Fields, 4)
	_, err = engine.New(engine.Config{Store: memstore.New(), Outflow: outflow.Ceilings{ferry.Live: {NGN: outflow.Limit{KeyDay: money.NGN(-1)}}}})
	require.ErrorIs(t, err, ferry.ErrValidation)
}
