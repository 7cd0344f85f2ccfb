package engine_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
)

// send lets USDC arrive at an address.
func (a asker) send(to chain.Address, amount money.Amount) {
	a.Helper()
	_, err := a.World.Deposit(a.Context(), sandbox.DepositParams{To: to, Amount: amount})
	require.NoError(a, err)
	enginetest.Advance(a.T, a.Engine, 40*time.Second)
}

// rate sets what one USDC costs.
func (a asker) rate(price string) {
	a.Helper()
	require.NoError(a, a.World.StepPrice(a.Context(), time.Minute, price))
}

var sendPattern = regexp.MustCompile(`^Send ([0-9.,]+) USDC on Solana to (\w+)\.$`)

// asked is what an explanation tells the payer to send, and where.
func (a asker) asked(trxID string) (money.Amount, chain.Address) {
	a.Helper()
	x := a.why(trxID)
	require.NotEmpty(a, x.Next)
	told := sendPattern.FindStringSubmatch(x.Next[0].Text)
	require.NotNil(a, told, x.Next[0].Text)
	amount, err := money.ParseMajor(money.AssetUSDC, told[1])
	require.NoError(a, err)
	return amount, chain.Address(told[2])
}

// missing is the amount that an order lacks, as its explanation has it.
func (a asker) missing(trxID string) money.Amount {
	a.Helper()
	x := a.why(trxID)
	require.Len(a, x.Missing, 1, x.Summary)
	return x.Missing[0].Amount
}

func TestWhatAnExplanationAsksForPaysTheOrderAndNothingLessDoes(t *testing.T) {
	for _, first := range []int64{1, 3_333_333, 9_999_998} {
		for _, renewed := range []bool{false, true} {
			t.Run(fmt.Sprint(first, renewed), func(t *testing.T) {
				a := newAsker(t)
				order := a.order("order-1")
				to := order.Current.Deposit
				a.send(to, money.USDC(first))
				if renewed {
					enginetest.Advance(t, a.Engine, 20*time.Minute)
					a.rate("1399.7")
					state, err := a.Checkout.Crypto(t.Context(), a.scope, order.Session.Ref(), checkout.SolanaUSDC)
					require.NoError(t, err)
					to = state.Current.Deposit
				}
				asked, at := a.asked("order-1")
				require.Equal(t, to, at)
				if asked.Minor() > 1 {
					a.send(to, money.USDC(asked.Minor()-1))
					require.Equal(t, "pending", a.why("order-1").Status)
					asked, _ = a.asked("order-1")
					require.LessOrEqual(t, asked.Minor(), int64(8), "no more than a kobo")
				}
				a.send(to, asked)
				x := a.why("order-1")
				require.Equal(t, "success", x.Status)
				require.NotContains(t, x.Summary, "More arrived")
			})
		}
	}
}

func TestNobodyIsToldToSendUSDCAtAPriceThatHasRunOut(t *testing.T) {
	a := newAsker(t)
	order := a.order("order-1")
	enginetest.Advance(t, a.Engine, 20*time.Minute)
	a.rate("1400")
	for _, name := range []string{"order-1", string(order.Current.Deposit)} {
		x := a.why(name)
		require.Equal(t, money.NGN(15_000_00), a.missing(name))
		require.Equal(t, "price", x.Next[0].Code, x.Summary)
		for _, p := range x.Next {
			require.NotContains(t, p.Text, "Send 10 USDC")
		}
	}
	a.send(order.Current.Deposit, money.USDC(10_000_000))
	require.Equal(t, "pending", a.why("order-1").Status, "10 USDC are worth 14,000 naira by now")
	require.Equal(t, money.NGN(1_000_00), a.missing("order-1"))
}

func TestAnOrderInUSDCHasNoPriceThatRunsOut(t *testing.T) {
	a := newAsker(t)
	made, err := a.Checkout.Create(t.Context(), a.scope, checkout.CreateParams{TrxID: "order-1", Email: "ada@example.com", Amount: money.USDC(12_500_000)})
	require.NoError(t, err)
	state, err := a.Checkout.Crypto(t.Context(), a.scope, made.Session.Ref(), checkout.SolanaUSDC)
	require.NoError(t, err)
	for range 2 {
		x := a.why("order-1")
		require.NotContains(t, x.Summary, "The price of 12.5 USDC")
		require.NotContains(t, codes(x.Awaited), "price")
		require.Equal(t, money.USDC(12_500_000), x.Missing[0].Amount)
		enginetest.Advance(t, a.Engine, 20*time.Minute)
		a.rate("1400")
	}
	a.send(state.Current.Deposit, money.USDC(12_500_000))
	require.Equal(t, "success", a.why("order-1").Status)
}

func TestMoneyThatComesLaterDoesNotChangeWhenAnOrderEnded(t *testing.T) {
	a := newAsker(t)
	order := a.order("order-1")
	a.credit(order, 14_999_99)
	failed := a.why("order-1")
	require.Equal(t, "failed", failed.Status)
	require.Contains(t, failed.Summary, "₦14,999.99 go back to the sender through the bank.")
	enginetest.Advance(t, a.Engine, 10*time.Minute)
	a.credit(order, 1)
	later := a.why("order-1")
	require.Contains(t, later.Summary, "Money arrived after the end.")
	require.True(t, later.Refused[0].At.Equal(failed.Refused[0].At), "%s, not %s", later.Refused[0].At, failed.Refused[0].At)

	order = a.order("order-2")
	enginetest.Advance(t, a.Engine, order.ExpiresAt.Sub(a.why("order-2").At)+time.Hour)
	expired := a.why("order-2")
	require.Equal(t, "expired", expired.Status)
	a.credit(order, 15_000_00)
	require.Contains(t, a.why("order-2").Summary, "it expired at "+explain.Clock(order.ExpiresAt, expired.At))
}

// credit lets naira arrive at the account of an order.
func (a asker) credit(order checkout.State, kobo int64) {
	a.Helper()
	_, err := a.World.Credit(a.Context(), sandbox.CreditParams{AccountNumber: order.Account.AccountNumber, Amount: money.NGN(kobo)})
	require.NoError(a, err)
	enginetest.Advance(a.T, a.Engine, 10*time.Second)
}

func TestALineOfTheListOfAllMoneyLeadsToWhatItIsOf(t *testing.T) {
	a := newAsker(t)
	order := a.order("order-1")
	a.credit(order, 15_000_00)
	page, err := a.Statement.List(t.Context(), a.scope, statement.Filter{}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, "order-1", page.Data[0].TrxID)
	for _, name := range []string{string(page.Data[0].ID), ferry.UID(string(page.Data[0].ID)), page.Data[0].Reference} {
		require.Equal(t, string(order.Payment.ID), a.why(name).ID)
	}
}

func TestARefundIsNotToldToLackABalanceWhenItIsMoneyThatMayNotLeave(t *testing.T) {
	r := newRefunder(t, "0123456780")
	a := asker{t, r.Engine, r.scope}
	made := r.refunded(1_000_00, automatic)
	require.Equal(t, []string{"scheduled"}, codes(a.why(made.Reference).Awaited)[:1])
	require.NoError(t, r.Custody.StopOutflows(t.Context(), ferry.Test, "a drill"))
	r.pass(20 * time.Minute)
	x := a.why(made.Reference)
	require.Equal(t, "pending", x.Status)
	require.Equal(t, []string{"turn", "stopped"}, codes(x.Awaited)[:2])
	require.NoError(t, r.Custody.ResumeOutflows(t.Context(), ferry.Test))
	r.pass(20 * time.Minute)
	require.Equal(t, "successful", a.why(made.Reference).Status)
}

func TestWhatAnOrderDidNotNeedIsToldUntilItIsSentBack(t *testing.T) {
	a := newAsker(t)
	order := a.order("order-1")
	a.send(order.Current.Deposit, money.USDC(4_000_000))
	a.credit(order, 15_000_00)
	x := a.why("order-1")
	require.Contains(t, x.Summary, "Money arrived that it does not need. 4 USDC of what arrived are held until you accept them or send them back.")
	_, err := a.Checkout.Resolve(t.Context(), a.scope, payments.Ref{Reference: "order-1"}, checkout.Refund)
	require.NoError(t, err)
	x = a.why("order-1")
	require.Contains(t, x.Summary, "4 USDC of what arrived are sent back.")
	require.Equal(t, "transfer", x.Next[0].Code)
}

func TestAnOfframpIsPaidByWhatItsExplanationAsksFor(t *testing.T) {
	p := newPayroll(t)
	a := asker{t, p.Engine, p.scope}
	made, err := p.Offramps.Create(t.Context(), p.scope, offramp.Params{Terms: terms("rent"), BankCode: "058", AccountNumber: "0123456780"})
	require.NoError(t, err)
	require.Equal(t, []string{"order"}, codes(a.why("rent").Awaited), "its price is good as long as the order")
	a.send(made.Deposit, money.USDC(3_333_333))
	asked, at := a.asked("rent")
	require.Equal(t, made.Deposit, at)
	a.send(at, money.USDC(asked.Minor()-1))
	require.Equal(t, string(ramp.AwaitingDeposit), a.why("rent").Status)
	rest, _ := a.asked("rent")
	require.Equal(t, money.USDC(1), rest)
	a.send(at, rest)
	require.Equal(t, string(ramp.Done), a.why("rent").Status)
}
