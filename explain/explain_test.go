package explain_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/money"
)

var now = time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)

func Example() {
	x := explain.New("payment", "pay_1", "order-981", "pending", now)
	x.Miss(explain.Payer, "usdc", money.USDC(6_000_000), "%s are still missing.", money.USDC(6_000_000))
	x.Await(explain.Payer, "price", now.Add(9*time.Minute), "The price is good until %s.", now.Add(9*time.Minute))
	x.Do(explain.Caller, "wait", "Wait for the event payment.success.")
	fmt.Println(x.Summary)
	for _, p := range x.Next {
		fmt.Println(p.Who, "can:", p.Text)
	}
	// Output:
	// 6 USDC are still missing. The price is good until 09:24:00 UTC.
	// caller can: Wait for the event payment.success.
}

func TestAmountsAreWrittenAsPeopleReadThem(t *testing.T) {
	for said, amount := range map[string]money.Amount{
		"₦15,000.00":     money.NGN(15_000_00),
		"₦0.05":          money.NGN(5),
		"₦1,234,567.80":  money.NGN(1_234_567_80),
		"-₦999.00":       money.NGN(-999_00),
		"6 USDC":         money.USDC(6_000_000),
		"1,000.25 USDC":  money.USDC(1_000_250_000),
		"0.000001 USDC":  money.USDC(1),
		"123 USDC":       money.USDC(123_000_000),
		"100,000.5 USDC": money.USDC(100_000_500_000),
	} {
		require.Equal(t, said, explain.Money(amount))
	}
}

func TestAnInstantOfAnotherDayHasItsDay(t *testing.T) {
	require.Equal(t, "09:24:07 UTC", explain.Clock(now.Add(9*time.Minute+7*time.Second), now))
	require.Equal(t, "3 March 2026, 09:15:00 UTC", explain.Clock(now.Add(24*time.Hour), now))
	lagos := time.FixedZone("WAT", 3600)
	require.Equal(t, "09:15:00 UTC", explain.Clock(now.In(lagos), now))
}

func TestWhatOthersSaidStaysOneLineInQuotes(t *testing.T) {
	require.Equal(t, "“no such account”", explain.Quoted("no such\n\taccount."))
	require.Empty(t, explain.Because(" \n"))
	require.Equal(t, ": “closed”", explain.Because("closed"))
}

func TestTheSummaryIsEverythingButTheNextSteps(t *testing.T) {
	x := explain.New("bill", "bill_1", "", "processing", now)
	x.Say("It is open.")
	x.Await(explain.Biller, "answer", time.Time{}, "The biller has not answered.")
	x.Refuse(explain.Biller, "unavailable", now, "It was refused %s.", explain.Times(2))
	x.Do(explain.Caller, "wait", "Wait.")
	require.Equal(t, "It is open. The biller has not answered. It was refused twice.", x.Summary)
}
