package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
)

// billed is a bill for a meter, with which the biller has dealt.
func (p *payroll) billed(meter string) bills.Bill {
	p.Helper()
	made, err := p.Bills.Create(p.Context(), p.scope, power(meter))
	require.NoError(p, err)
	p.pass(time.Minute)
	return read(p, bills.Kind, made)
}

func TestTheAuditTellsOfBillsThatDoNotAgreeWithTheBooks(t *testing.T) {
	const delivers, staysOpen, isRefused = "45012345670", "45012345676", "45012345679"
	moved := func(to bills.Status) func(*payroll, bills.Bill) string {
		return func(p *payroll, b bills.Bill) string {
			b.Status = to
			rewrite(p, bills.Kind, b)
			return string(b.ID)
		}
	}
	// again inserts an open bill like another one, for which something is set aside.
	again := func(account func(*payroll) ledger.AccountID, amount money.Amount) func(*payroll, bills.Bill) string {
		return func(p *payroll, b bills.Bill) string {
			b.ID, b.Reference, b.Version = "bill_again", "again", 0
			add(p, bills.Kind, b)
			p.reserve(ledger.ReservationID(b.ID), account(p), amount)
			return string(b.ID)
		}
	}
	for name, c := range map[string]struct {
		meter  string
		status bills.Status
		plant  func(*payroll, bills.Bill) (subject string)
		says   string
	}{
		"what an open bill costs was given back": {staysOpen, bills.Processing, func(p *payroll, b bills.Bill) string {
			p.release(ledger.ReservationID(b.ID))
			return string(b.ID)
		}, "is released"},
		"a bill is open that was delivered": {delivers, bills.Successful, moved(bills.Processing), "is settled"},
		"a bill is open that was refused":   {isRefused, bills.Failed, moved(bills.Pending), "is released"},
		"nothing was set aside for a bill": {staysOpen, bills.Processing, func(p *payroll, b bills.Bill) string {
			b.ID, b.Reference, b.Version = "bill_again", "again", 0
			add(p, bills.Kind, b)
			return string(b.ID)
		}, "nothing is reserved"},
		"less is set aside than a bill costs": {staysOpen, bills.Processing, again((*payroll).account, money.NGN(4_999_99)), "costs"},
		"more is set aside than a bill costs": {staysOpen, bills.Processing, again((*payroll).account, money.NGN(5_000_01)), "costs"},
		"another account pays a bill":         {staysOpen, bills.Processing, again((*payroll).fundedByAnother, money.NGN(5_000_00)), "is reserved on"},
		"money is set aside for a bill that was delivered": {delivers, bills.Successful, func(p *payroll, b bills.Bill) string {
			p.reserve(ledger.ReservationID(b.ID+":again"), p.account(), money.NGN(1))
			return string(b.ID) + ":again"
		}, "no bill is open"},
		"money is set aside for a bill that is over": {staysOpen, bills.Processing, moved(bills.Failed), "no bill is open"},
	} {
		own(t, name, func(p *payroll) {
			b := p.billed(c.meter)
			require.Equal(p, c.status, b.Status)
			p.tells("bill", c.says, func() string { return c.plant(p, b) })
		})
	}
}

// fundedByAnother is the account of the naira of another business, which has some.
func (p *payroll) fundedByAnother() ledger.AccountID {
	p.Helper()
	other, err := p.CreateTenant(p.Context(), ferry.Test, "Other")
	require.NoError(p, err)
	require.NoError(p, p.FundNGN(p.Context(), other.Business.Scope, money.NGN(demo)))
	return ledger.BusinessAccount(other.Business.Scope, money.AssetNGN)
}

func TestTheAuditTellsOfAPayoutThatAnotherAccountPays(t *testing.T) {
	p := newPayroll(t)
	made := p.paid(1_000_00, "0123456786") // of which the bank does not speak
	p.pass(time.Minute)
	p.tells("payout", "is reserved on", func() string {
		again := read(p, payouts.Kind, made.Payout)
		again.ID, again.Reference, again.Version = "pay_again", "again", 0
		add(p, payouts.Kind, again)
		item := made.Items[0]
		item = read(p, payouts.ItemKind, item)
		item.ID, item.Reference, item.Payout, item.Version = "pit_again", "again", again.ID, 0
		add(p, payouts.ItemKind, item)
		p.reserve(ledger.ReservationID(fmt.Sprintf("%s:%d", again.ID, again.Slices)), p.fundedByAnother(), again.Reserved)
		return string(again.ID)
	})
}
