package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// terms are those of an order over 15,000 naira, which are 10 USDC.
func terms(reference string) ramp.Terms {
	return ramp.Terms{Reference: reference, Currency: "NGN", Amount: money.NGN(15_000_00), Asset: "USDC", Chain: "SOLANA"}
}

func (p *payroll) drained() {
	p.Helper()
	_, err := p.Drain(p.Context())
	require.NoError(p, err)
}

// bought is an onramp for which credits came.
func (p *payroll) bought(reference string, kobo ...int64) onramp.Order {
	p.Helper()
	made, err := p.Onramps.Create(p.Context(), p.scope, onramp.Params{Terms: terms(reference), Address: string(outside)})
	require.NoError(p, err)
	p.pass(10 * time.Second) // the USDC of the platform are there
	for _, k := range kobo {
		_, err := p.World.Credit(p.Context(), sandbox.CreditParams{AccountNumber: made.Bank.AccountNumber, Amount: money.NGN(k)})
		require.NoError(p, err)
		p.drained()
	}
	return made
}

// onrampIn is an onramp that came to a stage.
func (p *payroll) onrampIn(stage ramp.Stage) onramp.Order {
	p.Helper()
	var made onramp.Order
	switch stage {
	case ramp.AwaitingFunds:
		made = p.bought("usdc", 5_000_00)
	case ramp.PaymentSubmitted:
		made = p.bought("usdc", 5_000_00, 10_000_00)
	case ramp.Done:
		made = p.bought("usdc", 16_000_00)
		p.pass(time.Minute)
	case ramp.Expired:
		made = p.bought("usdc", 5_000_00, 2_000_00)
		p.pass(24 * time.Hour)
	case ramp.Refunded:
		require.NoError(p, p.World.Inject(p.Context(), sandbox.TargetChain, sandbox.ProgramError, 1))
		made = p.bought("usdc", 15_000_00)
		p.pass(time.Minute)
	}
	found := read(p, onramp.Kind, made)
	require.Equal(p, stage, found.Stage, found.Failure)
	return found
}

// recalled has the bank take a credit of an order back.
func (p *payroll) recalled(o onramp.Order, credit int) onramp.Order {
	p.Helper()
	_, err := p.World.Recall(p.Context(), read(p, onramp.Kind, o).Credits[credit].Session)
	require.NoError(p, err)
	p.drained()
	o = read(p, onramp.Kind, o)
	require.True(p, o.Credits[credit].Recalled)
	p.cleanBooks()
	return o
}

// ofCredit changes a credit of an order.
func (p *payroll) ofCredit(o onramp.Order, n int, change func(*onramp.Credit)) string {
	p.Helper()
	o.Credits = slices.Clone(o.Credits)
	change(&o.Credits[n])
	rewrite(p, onramp.Kind, o)
	return string(o.ID)
}

// returnOf is the return of a session of the bank.
func (p *payroll) returnOf(session string) (found payments.Return) {
	p.Helper()
	p.tamper(func(ctx context.Context, tx store.Tx) error {
		for r, err := range payments.ReturnKind.Walk(ctx, tx, records.Where(records.Is("env", ferry.Test))) {
			if err != nil {
				return err
			}
			if r.Session == session {
				found = r
			}
		}
		return nil
	})
	require.NotEmpty(p, found.ID)
	return found
}

// ofTransfer changes a transfer.
func (p *payroll) ofTransfer(id wallets.TransferID, change func(*outgoing.Transfer)) {
	p.Helper()
	t := read(p, outgoing.TransferKind, outgoing.Transfer{ID: id})
	change(&t)
	rewrite(p, outgoing.TransferKind, t)
}

func TestTheAuditTellsOfOnrampsThatDoNotAgreeWithTheBooks(t *testing.T) {
	naira := string(ledger.SystemAccount(ferry.Test, ledger.Onramps, money.AssetNGN))
	moved := func(stage ramp.Stage, status ramp.Status) func(*payroll, onramp.Order) string {
		return func(p *payroll, o onramp.Order) string {
			o.Stage, o.Status = stage, status
			rewrite(p, onramp.Kind, o)
			return string(o.ID)
		}
	}
	credit := func(n int, change func(*onramp.Credit)) func(*payroll, onramp.Order) string {
		return func(p *payroll, o onramp.Order) string { return p.ofCredit(o, n, change) }
	}
	transfer := func(change func(*outgoing.Transfer)) func(*payroll, onramp.Order) string {
		return func(p *payroll, o onramp.Order) string {
			p.ofTransfer(o.Transfer, change)
			return string(o.ID)
		}
	}
	for name, c := range map[string]struct {
		stage ramp.Stage
		plant func(*payroll, onramp.Order) (subject string)
		says  string
	}{
		"naira of orders are gone": {ramp.AwaitingFunds, func(p *payroll, _ onramp.Order) string {
			p.embezzle(ledger.Onramps)
			return naira
		}, "the books say"},
		"an order counts naira that never came": {ramp.AwaitingFunds, func(p *payroll, o onramp.Order) string {
			o.Credits, o.Received = append(o.Credits, onramp.Credit{Session: "nothing", Minor: 1}), money.NGN(5_000_01)
			rewrite(p, onramp.Kind, o)
			return naira
		}, "the books say"},
		"naira that went back are said to be there": {ramp.Done, func(p *payroll, o onramp.Order) string {
			p.ofCredit(o, 0, func(c *onramp.Credit) { c.Back = 0 })
			return naira
		}, "the books say"},

		"it holds too little to send":                      {ramp.AwaitingFunds, moved(ramp.FundsReceived, ramp.Processing), "it holds"},
		"it waits with all of it":                          {ramp.AwaitingFunds, credit(0, func(c *onramp.Credit) { c.Minor = 15_000_00 }), "it holds"},
		"a part went back while USDC are on their way":     {ramp.PaymentSubmitted, credit(1, func(c *onramp.Credit) { c.Back = 1 }), "it holds"},
		"the excess did not go back":                       {ramp.Done, credit(0, func(c *onramp.Credit) { c.Back = 0 }), "it holds"},
		"more than the excess went back":                   {ramp.Done, credit(0, func(c *onramp.Credit) { c.Back++ }), "it holds"},
		"a part did not go back when it failed":            {ramp.Expired, credit(1, func(c *onramp.Credit) { c.Back-- }), "it holds"},
		"naira did not go back when the USDC did not move": {ramp.Refunded, credit(0, func(c *onramp.Credit) { c.Back = 0 }), "it holds"},
		"a part did not go back beside what was recalled": {ramp.AwaitingFunds, func(p *payroll, _ onramp.Order) string {
			o := p.recalled(p.bought("other", 5_000_00, 2_000_00), 0)
			p.pass(24 * time.Hour)
			o = read(p, onramp.Kind, o)
			require.Equal(p, ramp.Expired, o.Stage)
			return p.ofCredit(o, 1, func(c *onramp.Credit) { c.Back-- })
		}, "it holds"},
		"it waits with all of it beside what was recalled": {ramp.AwaitingFunds, func(p *payroll, o onramp.Order) string {
			o = p.recalled(o, 0)
			o.Credits = append(o.Credits, onramp.Credit{Session: "nothing", Minor: 15_000_00})
			rewrite(p, onramp.Kind, o)
			return string(o.ID)
		}, "it holds"},
		"it holds more than it gave beside what was recalled": {ramp.AwaitingFunds, func(p *payroll, _ onramp.Order) string {
			o := p.bought("other", 5_000_00, 10_000_00)
			p.pass(time.Minute)
			o = p.recalled(o, 0)
			require.Equal(p, ramp.Done, o.Stage)
			return p.ofCredit(o, 1, func(c *onramp.Credit) { c.Minor = 15_000_01 })
		}, "it holds"},

		"less went back than is said": {ramp.Done, func(p *payroll, o onramp.Order) string {
			p.ofCredit(o, 0, func(c *onramp.Credit) { c.Back++ })
			return string(p.returnOf(o.Credits[0].Session).ID)
		}, "its order says"},
		"what went back is said to be there": {ramp.Done, func(p *payroll, o onramp.Order) string {
			p.ofCredit(o, 0, func(c *onramp.Credit) { c.Back = 0 })
			return string(p.returnOf(o.Credits[0].Session).ID)
		}, "its order says"},
		"nothing takes back what is said to have gone": {ramp.AwaitingFunds, func(p *payroll, o onramp.Order) string {
			p.ofCredit(o, 0, func(c *onramp.Credit) { c.Back = 1 })
			return o.Credits[0].Session
		}, "there is no return"},

		"its transfer is not there": {ramp.PaymentSubmitted, func(p *payroll, o onramp.Order) string {
			o.Transfer = "trx_gone"
			rewrite(p, onramp.Kind, o)
			return string(o.ID)
		}, "is not there"},
		"its transfer has moved nothing":             {ramp.Done, transfer(func(t *outgoing.Transfer) { t.Status = wallets.Failed }), "its transfer"},
		"its transfer is on its way":                 {ramp.Done, transfer(func(t *outgoing.Transfer) { t.Status = wallets.Pending }), "its transfer"},
		"its transfer is over":                       {ramp.PaymentSubmitted, transfer(func(t *outgoing.Transfer) { t.Status = wallets.Success }), "its transfer"},
		"its transfer has arrived, and naira went":   {ramp.Refunded, transfer(func(t *outgoing.Transfer) { t.Status = wallets.Success }), "its transfer"},
		"its transfer sends less":                    {ramp.Done, transfer(func(t *outgoing.Transfer) { t.Amount = money.USDC(9_999_999) }), "its transfer"},
		"its transfer goes elsewhere":                {ramp.Done, transfer(func(t *outgoing.Transfer) { t.To = "elsewhere" }), "its transfer"},
		"it is to be sent, and its transfer is made": {ramp.PaymentSubmitted, moved(ramp.FundsReceived, ramp.Processing), "its transfer"},
		"its transfer is that of another": {ramp.Done, func(p *payroll, o onramp.Order) string {
			other := p.bought("other", 15_000_00)
			p.pass(time.Minute)
			o.Transfer = read(p, onramp.Kind, other).Transfer
			rewrite(p, onramp.Kind, o)
			return string(o.ID)
		}, "its transfer"},

		"a second transfer was made for it": {ramp.Done, func(p *payroll, o onramp.Order) string {
			t := read(p, outgoing.TransferKind, outgoing.Transfer{ID: o.Transfer})
			t.ID, t.Reference, t.Version = "trx_again", "again", 0
			add(p, outgoing.TransferKind, t)
			return string(t.ID)
		}, "it was made for"},
		"a transfer was made for no order": {ramp.Done, func(p *payroll, o onramp.Order) string {
			t := read(p, outgoing.TransferKind, outgoing.Transfer{ID: o.Transfer})
			t.ID, t.Reference, t.Version, t.Origin.ID = "trx_again", "again", 0, "onr_gone"
			add(p, outgoing.TransferKind, t)
			return string(t.ID)
		}, "it was made for"},

		"its status is that of another stage": {ramp.AwaitingFunds, moved(ramp.AwaitingFunds, ramp.Failed), "in the stage"},
		"it has received what its credits do not bring": {ramp.AwaitingFunds, func(p *payroll, o onramp.Order) string {
			o.Received = money.NGN(1)
			rewrite(p, onramp.Kind, o)
			return string(o.ID)
		}, "its credits come to"},
	} {
		own(t, name, func(p *payroll) {
			o := p.onrampIn(c.stage)
			p.tells("onramp", c.says, func() string { return c.plant(p, o) })
		})
	}
}

// deposited brings USDC to the address of an order, and does what follows.
func (p *payroll) deposited(o offramp.Details, micro int64) {
	p.Helper()
	_, err := p.World.Deposit(p.Context(), sandbox.DepositParams{To: o.Deposit, Amount: money.USDC(micro), Sender: outside})
	require.NoError(p, err)
	p.pass(10 * time.Second)
}

// How an offramp is paid out, by the account that the sandbox bank deals with in that way.
const (
	paysOut  = "0123456780"
	refuses  = "0123456789"
	isSilent = "0123456786"
)

// sold is an offramp for which USDC came.
func (p *payroll) sold(reference, account string, micro ...int64) offramp.Details {
	p.Helper()
	made, err := p.Offramps.Create(p.Context(), p.scope, offramp.Params{Terms: terms(reference), BankCode: "058", AccountNumber: account})
	require.NoError(p, err)
	for _, m := range micro {
		p.deposited(made, m)
	}
	return made
}

// powered is an order for which USDC came that pays for electricity.
func (p *payroll) powered(reference, meter string, micro int64) offramp.Details {
	p.Helper()
	made, err := p.Offramps.CreateBill(p.Context(), p.scope, offramp.BillParams{Params: bills.Params{
		Service: biller.Utility, Provider: "ikeja-electric", VendType: biller.Prepaid, Number: meter, Amount: money.NGN(15_000_00), Reference: reference,
	}})
	require.NoError(p, err)
	p.deposited(made, micro)
	return made
}

// offrampIn is an offramp that came to a stage.
func (p *payroll) offrampIn(pays offramp.Payee, stage ramp.Stage) offramp.Details {
	p.Helper()
	var made offramp.Details
	switch {
	case pays == offramp.ToAccount && stage == ramp.AwaitingDeposit:
		made = p.sold("cash", paysOut, 4_000_000)
	case pays == offramp.ToAccount && stage == ramp.PaymentSubmitted:
		made = p.sold("cash", isSilent, 10_000_000)
	case pays == offramp.ToAccount && stage == ramp.Done:
		made = p.sold("cash", paysOut, 12_500_000)
	case pays == offramp.ToAccount:
		made = p.sold("cash", refuses, 10_000_000)
	case stage == ramp.PaymentSubmitted:
		made = p.powered("power", "45012345676", 10_000_000)
	case stage == ramp.Done:
		made = p.powered("power", "45012345670", 10_000_000)
	default:
		made = p.powered("power", "45012345679", 10_000_000)
	}
	if stage == ramp.Done || stage == ramp.Refunded {
		p.pass(time.Hour)
	}
	found, err := p.Offramps.Get(p.Context(), p.scope, offramp.Ref{ID: string(made.ID), Pays: pays})
	require.NoError(p, err)
	require.Equal(p, stage, found.Stage, found.Failure)
	return found
}

// in is the deposit of an order in a state.
func in(o offramp.Details, state offramp.DepositState) offramp.Deposit {
	return o.Deposits[slices.IndexFunc(o.Deposits, func(d offramp.Deposit) bool { return d.State == state })]
}

// bill is the newest bill of an order.
func (p *payroll) bill(o offramp.Details) bills.Bill {
	return read(p, bills.Kind, bills.Bill{ID: o.Bill})
}

// anotherBill inserts another bill of the same order.
func (p *payroll) anotherBill(o offramp.Details, change func(*bills.Bill)) bills.Bill {
	p.Helper()
	b := p.bill(o)
	b.ID, b.Reference, b.Version = "bill_again", "again", 0
	change(&b)
	add(p, bills.Kind, b)
	return b
}

func TestTheAuditTellsOfOfframpsThatDoNotAgreeWithTheBooks(t *testing.T) {
	type plant = func(*payroll, offramp.Details) (subject string)
	order := func(change func(*offramp.Order)) plant {
		return func(p *payroll, o offramp.Details) string {
			change(&o.Order)
			rewrite(p, offramp.Kind, o.Order)
			return string(o.ID)
		}
	}
	deposit := func(state offramp.DepositState, change func(*offramp.Deposit)) plant {
		return func(p *payroll, o offramp.Details) string {
			d := in(o, state)
			change(&d)
			rewrite(p, offramp.DepositKind, d)
			return string(d.ID)
		}
	}
	transfer := func(change func(*outgoing.Transfer)) plant {
		return func(p *payroll, o offramp.Details) string {
			d := in(o, offramp.Returned)
			p.ofTransfer(d.Transfer, change)
			return string(d.ID)
		}
	}
	bill := func(change func(*bills.Bill)) plant {
		return func(p *payroll, o offramp.Details) string {
			b := p.bill(o)
			change(&b)
			rewrite(p, bills.Kind, b)
			return string(o.ID)
		}
	}
	// anothers points an order to another bill of its own.
	anothers := func(change func(*bills.Bill)) plant {
		return func(p *payroll, o offramp.Details) string {
			o.Bill = p.anotherBill(o, change).ID
			rewrite(p, offramp.Kind, o.Order)
			return string(o.ID)
		}
	}
	// beside inserts another order, which ended without anything, with another address.
	beside := func(change func(*offramp.Order)) plant {
		return func(p *payroll, o offramp.Details) string {
			o.ID, o.Reference, o.Version, o.Received = "ofr_again", "again", 0, money.USDC(0)
			change(&o.Order)
			add(p, offramp.Kind, o.Order)
			return string(o.ID)
		}
	}
	// custody inserts another order, whose address custody knows otherwise.
	custody := func(change func(*wallets.Custody)) plant {
		return func(p *payroll, o offramp.Details) string {
			c := read(p, wallets.CustodyKind, wallets.Custody{ID: o.Address})
			c.ID, c.Version = "adr_again", 0
			change(&c)
			add(p, wallets.CustodyKind, c)
			return beside(func(o *offramp.Order) { o.Address = c.ID })(p, o)
		}
	}
	const toAccount, toBill = offramp.ToAccount, offramp.ToBill
	for name, c := range map[string]struct {
		pays  offramp.Payee
		stage ramp.Stage
		plant plant
		says  string
	}{
		"the naira on their way are not set aside": {toAccount, ramp.PaymentSubmitted, func(p *payroll, o offramp.Details) string {
			p.release(ledger.ReservationID(o.ID))
			return string(o.ID)
		}, "is to be set aside"},
		"naira are set aside for an order that was paid": {toAccount, ramp.Done, func(p *payroll, o offramp.Details) string {
			p.reserve(ledger.ReservationID(o.ID+":again"), p.account(), money.NGN(1))
			return string(o.ID) + ":again"
		}, "nothing needs it"},
		"naira are set aside for an order that pays a bill": {toBill, ramp.PaymentSubmitted, func(p *payroll, o offramp.Details) string {
			p.reserve(ledger.ReservationID(o.ID), p.account(), money.NGN(1))
			return string(o.ID)
		}, "nothing needs it"},
		"other naira are set aside": {toAccount, ramp.Refunded, func(p *payroll, o offramp.Details) string {
			again := offramp.ID("ofr_again")
			p.reserve(ledger.ReservationID(again), p.account(), money.NGN(1))
			return beside(func(o *offramp.Order) {
				o.Address, o.Stage, o.Status = "adr_gone", ramp.PaymentSubmitted, ramp.Processing
			})(p, o)
		}, "is reserved on"},

		"it was paid, and has no bill":      {toBill, ramp.Done, order(func(o *offramp.Order) { o.Bill = "" }), "has no bill"},
		"its bill is not there":             {toBill, ramp.Done, order(func(o *offramp.Order) { o.Bill = "bill_gone" }), "is not there"},
		"its bill was refused":              {toBill, ramp.PaymentSubmitted, bill(func(b *bills.Bill) { b.Status = bills.Failed }), "its bill"},
		"its bill was delivered":            {toBill, ramp.PurchaseRefused, bill(func(b *bills.Bill) { b.Status = bills.Successful }), "its bill"},
		"its bill is open, and USDC went":   {toBill, ramp.Refunded, bill(func(b *bills.Bill) { b.Status = bills.Processing }), "its bill"},
		"its bill is that of another":       {toBill, ramp.Done, anothers(func(b *bills.Bill) { b.PaidBy = "ofr_other" }), "its bill"},
		"its bill is of another business":   {toBill, ramp.Done, anothers(func(b *bills.Bill) { b.Scope.Business = "biz_other" }), "its bill"},
		"its bill costs more":               {toBill, ramp.Done, anothers(func(b *bills.Bill) { b.Amount = money.NGN(15_000_01) }), "its bill"},
		"it waits for USDC, and has a bill": {toBill, ramp.Done, order(func(o *offramp.Order) { o.Stage, o.Status = ramp.AwaitingDeposit, ramp.Pending }), "its bill"},
		"an earlier bill was delivered too": {toBill, ramp.Done, func(p *payroll, o offramp.Details) string {
			return string(p.anotherBill(o, func(*bills.Bill) {}).ID)
		}, "is not the newest"},
		"an earlier bill is open": {toBill, ramp.Refunded, func(p *payroll, o offramp.Details) string {
			return string(p.anotherBill(o, func(b *bills.Bill) { b.Status = bills.Processing }).ID)
		}, "is not the newest"},
		"a bill is paid by no order": {toBill, ramp.Done, func(p *payroll, o offramp.Details) string {
			return string(p.anotherBill(o, func(b *bills.Bill) { b.PaidBy = "ofr_gone" }).ID)
		}, "is not the newest"},

		"the platform has given more": {toAccount, ramp.Done, func(p *payroll, _ offramp.Details) string {
			p.embezzle(ledger.Offramps)
			return string(ledger.SystemAccount(ferry.Test, ledger.Offramps, money.AssetNGN))
		}, "the books say"},
		"the platform has given, and its order is over": {toAccount, ramp.Done, func(p *payroll, o offramp.Details) string {
			order(func(o *offramp.Order) { o.Stage, o.Status = ramp.Refunded, ramp.Failed })(p, o)
			return string(ledger.SystemAccount(ferry.Test, ledger.Offramps, money.AssetNGN))
		}, "the books say"},

		"it has received more than came":                {toAccount, ramp.AwaitingDeposit, order(func(o *offramp.Order) { o.Received = money.USDC(4_000_001) }), "its deposits come to"},
		"a deposit that counts goes back early":         {toAccount, ramp.AwaitingDeposit, deposit(offramp.Held, func(d *offramp.Deposit) { d.State = offramp.Due }), "its order is in the stage"},
		"a deposit was taken early":                     {toAccount, ramp.AwaitingDeposit, deposit(offramp.Held, func(d *offramp.Deposit) { d.State = offramp.Taken }), "its order is in the stage"},
		"a deposit is held for an order that was paid":  {toAccount, ramp.Done, deposit(offramp.Taken, func(d *offramp.Deposit) { d.State = offramp.Held }), "its order is in the stage"},
		"a deposit went back of an order that was paid": {toAccount, ramp.Done, deposit(offramp.Taken, func(d *offramp.Deposit) { d.State = offramp.Kept }), "its order is in the stage"},
		"a deposit was taken of an order that was not":  {toAccount, ramp.Refunded, deposit(offramp.Returned, func(d *offramp.Deposit) { d.State = offramp.Taken }), "its order is in the stage"},
		"an excess was taken":                           {toAccount, ramp.Done, deposit(offramp.Returned, func(d *offramp.Deposit) { d.State = offramp.Taken }), "its order is in the stage"},
		"a deposit is of no order": {toAccount, ramp.Done, func(p *payroll, o offramp.Details) string {
			d := in(o, offramp.Taken)
			d.ID, d.Order, d.Version = "odp_again", "ofr_gone", 0
			add(p, offramp.DepositKind, d)
			return string(d.ID)
		}, "which is no order"},

		"a deposit that is held is not set aside": {toAccount, ramp.AwaitingDeposit, func(p *payroll, o offramp.Details) string {
			id := "offramp:" + string(o.Deposits[0].ID)
			p.release(ledger.ReservationID(id))
			return id
		}, "is to be set aside"},
		"a deposit that was taken is set aside": {toAccount, ramp.Done, func(p *payroll, o offramp.Details) string {
			id := "offramp:" + string(in(o, offramp.Taken).ID) + ":again"
			p.reserve(ledger.ReservationID(id), ledger.AddressAccount(string(o.Address)), money.USDC(1))
			return id
		}, "nothing needs it"},
		"another part of a deposit is set aside": {toAccount, ramp.Done, func(p *payroll, o offramp.Details) string {
			d := in(o, offramp.Returned)
			d.ID, d.Version, d.State, d.Transfer, d.Amount = "odp_again", 0, offramp.Kept, "", money.USDC(2)
			add(p, offramp.DepositKind, d)
			p.reserve("offramp:odp_again", ledger.AddressAccount(string(o.Address)), money.USDC(1))
			return "offramp:odp_again"
		}, "is reserved on"},

		"a deposit came back by no transfer":                {toAccount, ramp.Done, deposit(offramp.Returned, func(d *offramp.Deposit) { d.Transfer = "trx_gone" }), "is not there"},
		"a deposit is on its way, and its transfer is over": {toAccount, ramp.Done, deposit(offramp.Returned, func(d *offramp.Deposit) { d.State = offramp.Sending }), "its transfer"},
		"a deposit is due again, and its transfer is over":  {toAccount, ramp.Done, deposit(offramp.Returned, func(d *offramp.Deposit) { d.State = offramp.Due }), "its transfer"},
		"a deposit is kept, and its transfer is over":       {toAccount, ramp.Done, deposit(offramp.Returned, func(d *offramp.Deposit) { d.State = offramp.Kept }), "its transfer"},
		"a deposit came back, and its transfer is pending":  {toAccount, ramp.Done, transfer(func(t *outgoing.Transfer) { t.Status = wallets.Pending }), "its transfer"},
		"a deposit came back, and its transfer was refused": {toAccount, ramp.Done, transfer(func(t *outgoing.Transfer) { t.Status = wallets.Failed }), "its transfer"},
		"a deposit went elsewhere":                          {toAccount, ramp.Done, transfer(func(t *outgoing.Transfer) { t.To = "elsewhere" }), "its transfer"},
		"a part of a deposit went":                          {toAccount, ramp.Done, transfer(func(t *outgoing.Transfer) { t.Amount = money.USDC(1) }), "its transfer"},
		"a deposit came back by the transfer of another": {toAccount, ramp.Refunded, func(p *payroll, o offramp.Details) string {
			other := p.sold("other", refuses, 10_000_000)
			p.pass(time.Hour)
			found, err := p.Offramps.Get(p.Context(), p.scope, offramp.Ref{ID: string(other.ID)})
			require.NoError(p, err)
			o.Deposits[0].Transfer = found.Deposits[0].Transfer
			rewrite(p, offramp.DepositKind, o.Deposits[0])
			return string(o.Deposits[0].ID)
		}, "its transfer"},

		"custody does not know its address": {toAccount, ramp.Refunded, beside(func(o *offramp.Order) { o.Address = "adr_gone" }), "custody has no address"},
		"custody has another address":       {toAccount, ramp.Refunded, custody(func(c *wallets.Custody) { c.Address = "elsewhere" }), "custody says"},
		"custody has its address for somebody else": {toAccount, ramp.Refunded, custody(func(c *wallets.Custody) {
			c.Scope.Business = "biz_other"
		}), "custody says"},

		"its status is that of another stage": {toAccount, ramp.Done, order(func(o *offramp.Order) { o.Status = ramp.Pending }), "in the stage"},
	} {
		own(t, name, func(p *payroll) {
			o := p.offrampIn(c.pays, c.stage)
			p.tells("offramp", c.says, func() string { return c.plant(p, o) })
		})
	}
}

// A deposit that bounced and was kept goes elsewhere by the word of a person: its newest transfer is
// still the one to its sender, which moved nothing.
func TestTheAuditLetsADepositThatBouncedGoElsewhere(t *testing.T) {
	p := newPayroll(t)
	require.NoError(t, p.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ProgramError, 1))
	o := p.sold("cash", refuses, 10_000_000)
	p.pass(time.Minute)
	found, err := p.Offramps.Get(t.Context(), p.scope, offramp.Ref{ID: string(o.ID)})
	require.NoError(t, err)
	d := in(found, offramp.Due)
	require.NotEmpty(t, d.Transfer, "it was sent once")
	d.State = offramp.Kept // as when its sender can receive nothing any more
	rewrite(p, offramp.DepositKind, d)
	p.cleanBooks()
	elsewhere := fromSeed(t, "somebody")
	_, err = p.Offramps.ReturnKept(t.Context(), ferry.Test, d.ID, offramp.Return{To: elsewhere, By: "Ada", Why: "He says so"})
	require.NoError(t, err)
	p.cleanBooks()
	p.pass(3 * time.Hour)
	require.Equal(t, offramp.Returned, read(p, offramp.DepositKind, d).State)
	p.cleanBooks()
}

// fromSeed is an address outside.
func fromSeed(t *testing.T, word string) chain.Address {
	t.Helper()
	key, err := chain.NewSeed(strings.NewReader(strings.Repeat(word, 4)))
	require.NoError(t, err)
	return key.Address()
}
