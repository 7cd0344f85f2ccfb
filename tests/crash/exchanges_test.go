package crash_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
)

// Naira become USDC, USDC naira or a bill, and naira a bill, while the server dies once: each order
// ends, what it is for is paid once or not at all, what it does not need goes back once, and books,
// custody, chain, bank and biller agree.
func TestEachExchangeEndsOnceWhereverTheServerDies(t *testing.T) {
	t.Parallel()
	for _, by := range exchanges {
		for _, place := range by.places {
			t.Run(by.name+"/"+string(place), func(t *testing.T) {
				t.Parallel()
				by.dieOnce(t, once{sqliteFile{sqlitetest.File(t)}}, place)
			})
		}
	}
}

// once is a store on which one server dies.
type once struct{ sqliteFile }

func (once) deaths() int { return 1 }

// exchange is one way of exchanging money for something else.
type exchange struct {
	name string
	// places are where a server dies.
	places []failpoint.Place
	// wrong is what goes wrong at providers.
	wrong map[sandbox.Target][]sandbox.Kind
	// ask makes an order, and pays it.
	ask func(p *payroll, e *engine.Engine, n int)
	// ends requires that an order ended. It reports whether it was done, and the naira that the
	// business has by it beside what it began with.
	ends func(p *payroll, e *engine.Engine, n int) (done bool, kobo int64)
}

// orders is how many orders there are of an exchange.
const orders = 10

var exchanges = []exchange{
	{"onramp", []failpoint.Place{failpoint.BeforeCommit, failpoint.AfterCommit, failpoint.BeforeSend, failpoint.AfterSend}, wrongChain, askOnramp, endOfOnramp},
	{"offramp", []failpoint.Place{failpoint.BeforeCommit, failpoint.BeforePay, failpoint.AfterPay, failpoint.AfterSend}, wrongBank, askOfframp, endOfOfframp},
	{"bill", []failpoint.Place{failpoint.BeforeCommit, failpoint.BeforePay, failpoint.AfterPay}, wrongBiller, askBill, endOfBill},
	{"crypto bill", []failpoint.Place{failpoint.BeforeCommit, failpoint.BeforePay, failpoint.AfterPay}, wrongBiller, askCryptoBill, endOfCryptoBill},
}

var (
	wrongChain = map[sandbox.Target][]sandbox.Kind{
		sandbox.TargetChain: {sandbox.Unavailable, sandbox.AnswerLost, sandbox.DeadBlockhash, sandbox.FalseError, sandbox.ProgramError},
	}
	wrongBank = map[sandbox.Target][]sandbox.Kind{
		sandbox.TargetBank:  {sandbox.Unavailable, sandbox.AnswerLost, sandbox.LateFailure, sandbox.Duplicate},
		sandbox.TargetChain: {sandbox.AnswerLost, sandbox.ProgramError},
	}
	wrongBiller = map[sandbox.Target][]sandbox.Kind{
		sandbox.TargetBiller: {sandbox.Unavailable, sandbox.AnswerLost, sandbox.LateFailure},
		sandbox.TargetChain:  {sandbox.AnswerLost, sandbox.ProgramError},
	}
)

// dieOnce makes orders, has a server die at a place and another one end them.
func (x exchange) dieOnce(t *testing.T, on storage, place failpoint.Place) {
	p := newBusiness(t, on)
	p.look(func(e *engine.Engine) {
		for n := range orders {
			x.ask(p, e, n)
		}
	})
	p.die(place, func(e *engine.Engine) {
		for target, kinds := range x.wrong {
			for _, kind := range kinds {
				require.NoError(p, e.World.Inject(p.Context(), target, kind, 1+p.random.IntN(2)))
			}
		}
	})
	p.runToItsEnd()
	p.look(func(e *engine.Engine) {
		wanted, exchanged := int64(demoBalance), 0
		for n := range orders {
			done, kobo := x.ends(p, e, n)
			if wanted += kobo; done {
				exchanged++
			}
		}
		require.Positive(p, exchanged, "seed %d", *seed)
		require.Less(p, exchanged, orders, "seed %d", *seed)
		all, err := e.Balances(p.Context(), p.scope)
		require.NoError(p, err)
		require.Equal(p, ledger.Total{Asset: money.AssetNGN, Posted: money.NGN(wanted), Reserved: money.NGN(0)}, all[0])
		found, err := e.Audit(p.Context(), ferry.Test)
		require.NoError(p, err)
		require.Empty(p, found)
		compared, err := e.Reconcile(p.Context(), ferry.Test)
		require.NoError(p, err)
		require.Empty(p, compared.Findings)
		require.Empty(p, compared.InFlight)
	})
}

// price is what an order is over: 10 USDC.
var price = money.NGN(15_000_00)

func named(n int) string { return fmt.Sprint("order-", n) }

func termsOf(n int) ramp.Terms {
	return ramp.Terms{Reference: named(n), Currency: "NGN", Amount: price, Asset: "USDC", Chain: "SOLANA"}
}

// stranger is an address outside for an order.
func (p *payroll) stranger(n int) chain.Address {
	key, err := chain.NewSeed(strings.NewReader(fmt.Sprintf("%032d", n)))
	require.NoError(p, err)
	return key.Address()
}

// onChain is what a stranger has, in millionths of a USDC.
func (p *payroll) onChain(e *engine.Engine, n int) int64 {
	held, err := e.World.Balance(p.Context(), p.stranger(n))
	require.NoError(p, err)
	return held.Minor()
}

// paidIn is what is paid for an order of so many: all, more, or not enough.
func paidIn(n int, all int64) int64 {
	switch n % 5 {
	case 3:
		return all + all/4
	case 4:
		return all - 1
	}
	return all
}

func askOnramp(p *payroll, e *engine.Engine, n int) {
	made, err := e.Onramps.Create(p.Context(), p.scope, onramp.Params{Terms: termsOf(n), Address: string(p.stranger(n))})
	require.NoError(p, err)
	_, err = e.World.Credit(p.Context(), sandbox.CreditParams{
		AccountNumber: made.Bank.AccountNumber, SessionID: "in-" + named(n), Amount: money.NGN(paidIn(n, price.Minor())),
	})
	require.NoError(p, err)
}

func endOfOnramp(p *payroll, e *engine.Engine, n int) (bool, int64) {
	o, err := e.Onramps.Get(p.Context(), p.scope, onramp.Ref{Reference: named(n)})
	require.NoError(p, err)
	sent, kept := int64(0), int64(0)
	if o.Stage == ramp.Done {
		sent, kept = o.Crypto.Minor(), price.Minor()
	} else {
		require.Equal(p, ramp.Failed, o.Status)
	}
	require.Equal(p, sent, p.onChain(e, n), "the USDC were sent once, or not")
	back, err := e.World.Bank().Returns(p.Context(), "", 100)
	require.NoError(p, err)
	for _, r := range back {
		if r.SessionID == "in-"+named(n) {
			kept += r.Amount.Minor()
		}
	}
	require.Equal(p, paidIn(n, price.Minor()), kept, "what was not exchanged went back")
	return o.Stage == ramp.Done, 0
}

// deposit pays an order from its stranger.
func (p *payroll) deposit(e *engine.Engine, n int, to chain.Address) {
	_, err := e.World.Deposit(p.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(paidIn(n, 10_000_000)), Sender: p.stranger(n)})
	require.NoError(p, err)
}

// endings are the last digits of numbers with which bank and biller end within two days.
const endings = "0989775"

func digit(n int) string { return endings[n%len(endings):][:1] }

func askOfframp(p *payroll, e *engine.Engine, n int) {
	made, err := e.Offramps.Create(p.Context(), p.scope, offramp.Params{Terms: termsOf(n), BankCode: "058", AccountNumber: "012345678" + digit(n)})
	require.NoError(p, err)
	p.deposit(e, n, made.Deposit)
}

// sentBack requires that an order ended, and that its stranger has what it does not need, less the
// fee of the network.
func (p *payroll) sentBack(e *engine.Engine, n int, pays offramp.Payee) offramp.Details {
	const fee = 5_000
	o, err := e.Offramps.Get(p.Context(), p.scope, offramp.Ref{Reference: named(n), Pays: pays})
	require.NoError(p, err)
	back, told := paidIn(n, 10_000_000), int64(0)
	if o.Stage == ramp.Done {
		back -= 10_000_000
	} else {
		require.Equal(p, ramp.Failed, o.Status)
	}
	for _, d := range o.Deposits {
		if told += d.Returned.Minor(); d.State == offramp.Returned {
			back -= fee
		}
	}
	require.Equal(p, back, p.onChain(e, n), "what was not exchanged went back once")
	require.Equal(p, back, told)
	return o
}

func endOfOfframp(p *payroll, e *engine.Engine, n int) (bool, int64) {
	o := p.sentBack(e, n, offramp.ToAccount)
	says, err := e.World.Bank().Outcome(p.Context(), string(o.ID))
	if errors.Is(err, bank.ErrUnknownKey) {
		says.State, err = bank.StateFailed, nil // it was never paid
	}
	require.NoError(p, err)
	require.Equal(p, says.State, endOf(o.Stage == ramp.Done, o.Status == ramp.Failed, !o.ReturnedAt.IsZero()))
	if says.State == bank.StateReturned {
		return true, price.Minor()
	}
	return o.Stage == ramp.Done, 0
}

func electricity(n int) bills.Params {
	return bills.Params{
		Service: biller.Utility, Provider: "ikeja-electric", VendType: biller.Prepaid, Number: "4501234567" + digit(n), Amount: price, Reference: named(n),
	}
}

func askBill(p *payroll, e *engine.Engine, n int) {
	_, err := e.Bills.Create(p.Context(), p.scope, electricity(n))
	require.NoError(p, err)
}

// delivered requires that a bill ended as the biller says, and reports how.
func (p *payroll) delivered(e *engine.Engine, b bills.Bill) bool {
	says, err := e.World.Biller().Outcome(p.Context(), string(b.ID))
	if errors.Is(err, biller.ErrUnknownKey) {
		says.State, err = biller.StateFailed, nil // it was never sold
	}
	require.NoError(p, err)
	wanted := map[biller.State]bills.Status{biller.StateDelivered: bills.Successful, biller.StateFailed: bills.Failed}[says.State]
	require.Equal(p, wanted, b.Status, b.Number)
	require.Equal(p, says.Token, b.Token)
	return b.Status == bills.Successful
}

func endOfBill(p *payroll, e *engine.Engine, n int) (bool, int64) {
	b, err := e.Bills.Get(p.Context(), p.scope, bills.Ref{Reference: named(n)})
	require.NoError(p, err)
	if p.delivered(e, b) {
		return true, -price.Minor()
	}
	return false, 0
}

func askCryptoBill(p *payroll, e *engine.Engine, n int) {
	made, err := e.Offramps.CreateBill(p.Context(), p.scope, offramp.BillParams{Params: electricity(n)})
	require.NoError(p, err)
	p.deposit(e, n, made.Deposit)
}

func endOfCryptoBill(p *payroll, e *engine.Engine, n int) (bool, int64) {
	o := p.sentBack(e, n, offramp.ToBill)
	bought := 0
	for b, err := range e.Bills.All(p.Context(), p.scope, bills.Filter{}) {
		require.NoError(p, err)
		if b.PaidBy == string(o.ID) && p.delivered(e, b) {
			bought++
		}
	}
	require.Equal(p, o.Stage == ramp.Done, bought == 1, "%s: %d", o.Stage, bought)
	return o.Stage == ramp.Done, 0
}
