package scenario_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// paidInUSDC makes an order of 10 USDC that is paid on the chain, and returns the address that
// received it.
func (s shop) paidInUSDC(trxID string) string { return s.paidInUSDCBy(trxID, stranger(s.t, 7)) }

func (s shop) paidInUSDCBy(trxID, sender string) string {
	s.t.Helper()
	to := s.inUSDC(trxID)
	s.depositBy(sender, to, "10")
	require.Equal(s.t, "success", s.Get("/v1/payments?id="+trxID).OK().Text("data.status"))
	return to
}

// inUSDC makes an order of 10 USDC, and returns the address that it is paid to.
func (s shop) inUSDC(trxID string) string {
	s.t.Helper()
	s.As("").Post("/v1/checkout", s.order(trxID, trxID+"@example.com", "amount", 10, "amount_type", "crypto")).OK()
	return s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": trxID}).OK().Text("data.crypto.address")
}

// depositBy sends USDC from an address outside, and waits until it has arrived.
func (s shop) depositBy(sender, to, amount string) {
	s.t.Helper()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": to, "amount": amount, "sender": sender, "wait": false}).OK()
	s.Settle()
}

// backInUSDC requires what payment and transaction of an order say of its refunds, in USDC.
func (s shop) backInUSDC(trxID, state, refunded, refundable string) {
	s.t.Helper()
	payment := s.Get("/v1/payments?id=" + trxID).OK()
	require.Equal(s.t, []string{state, refunded, refundable, "USDC"}, []string{
		payment.Text("data.refund_status"), payment.Number("data.refunded_amount"), payment.Number("data.refundable_amount"), payment.Text("data.refund_currency"),
	})
	line := s.Get("/v1/transactions?trx_id=" + trxID).OK()
	require.Equal(s.t, []string{state, refunded, refundable, "USDC"},
		[]string{line.Text("data.refund_status"), line.Number("data.refunded_amount"), line.Number("data.refundable_amount"), line.Text("data.currency")})
}

// usdcAt is what can be sent from an address.
func (s shop) usdcAt(address string) string {
	s.t.Helper()
	return s.Get("/v1/stablecoin/wallets/addresses/balance?address=" + address).OK().Number("data.balance")
}

func TestAManualRefundOfUSDCMovesNoMoneyOfTheBooks(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		at := s.paidInUSDC("order-1")
		s.backInUSDC("order-1", "none", "0", "10")
		made := s.giveBack("order-1", "part", "amount", 4.25, "amount_unit", "major", "currency", "USDC", "reason", "Sold out").OK()
		require.Equal(t, []string{"pending", "manual", "4.25", "USDC", "major", "0"}, []string{
			made.Text("data.status"), made.Text("data.execution_mode"), made.Number("data.amount"), made.Text("data.currency"),
			made.Text("data.amount_unit"), made.Number("data.fee"),
		})
		s.backInUSDC("order-1", "pending", "0", "5.75")
		require.Equal(t, "10", s.usdcAt(at), "nothing is set aside: the operator may pay from elsewhere")
		s.clean()

		s.Post("/v1/refunds/process", apitest.Object{"reference": "part"}).OK()
		sent := s.Post("/v1/wallets/transfer", transfer(at, stranger(t, 7), "4.25")).OK()
		s.Settle()
		hash := s.Get("/v1/wallets/transfers/" + sent.Text("data.id")).OK().Text("data.transactionHash")
		done := s.Post("/v1/refunds/finalize", apitest.Object{"reference": "part", "status": "successful", "provider_reference": hash}).OK()
		require.Equal(t, []string{"successful", hash}, []string{done.Text("data.status"), done.Text("data.provider_reference")})
		s.backInUSDC("order-1", "partially_refunded", "4.25", "5.75")
		require.Equal(t, "5.745", s.usdcAt(at), "the transfer took it, the refund nothing")

		for _, reference := range []string{"cancelled", "failed"} {
			s.giveBack("order-1", reference, "amount", "2.875").OK()
		}
		s.giveBack("order-1", "too-much", "amount", "0.000001").Fails(http.StatusBadRequest, "refund_amount_exceeds_remaining")
		s.Post("/v1/refunds/process", apitest.Object{"reference": "failed"}).OK()
		for _, reference := range []string{"cancelled", "failed"} {
			s.Post("/v1/refunds/finalize", apitest.Object{"reference": reference, "status": "failed"}).OK()
		}
		s.backInUSDC("order-1", "partially_refunded", "4.25", "5.75")

		s.giveBack("order-1", "rest").OK()
		s.Post("/v1/refunds/process", apitest.Object{"reference": "rest"}).OK()
		done = s.Post("/v1/refunds/finalize", apitest.Object{"reference": "rest", "status": "successful"}).OK()
		require.Equal(t, "5.75", done.Number("data.amount"))
		s.backInUSDC("order-1", "refunded", "10", "0")
		require.Equal(t, "5.745", s.usdcAt(at))
		out := s.Get("/v1/transactions?channel=refund&type=OUT").OK()
		require.Equal(t, []string{"2", "5.75", "USDC"}, []string{out.Number("meta.total"), out.Number("data.0.amount"), out.Text("data.0.currency")})
		events := s.Get("/v1/events?limit=100").OK()
		last := fmt.Sprintf("data.%d.", events.Len("data")-1)
		require.Equal(t, "refund.successful", events.Text(last+"type"))
		require.Equal(t, done.At("data"), events.At(last+"data"), "an event has the refund as it is read")
		s.clean()
	})
}

func TestARefundIsInTheCurrencyInWhichTheMoneyMoved(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.paidInUSDC("in-usdc")
		s.giveBack("in-usdc", "r", "amount", 1, "amount_unit", "minor").Refuses("amount_unit", "Must be major: the transaction is in USDC")
		s.giveBack("in-usdc", "r", "amount", 1, "currency", "NGN").Fails(http.StatusBadRequest, "invalid_currency")
		s.giveBack("in-usdc", "r", "amount", "0.0000001").Fails(http.StatusBadRequest, "validation_error")

		// An order of 15,000 naira was paid with 10 USDC: an amount alone could be either.
		s.As("").Post("/v1/checkout", s.order("in-naira", "in-naira@example.com")).OK()
		to := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "in-naira"}).OK().Text("data.crypto.address")
		s.deposit(to, "10")
		s.Settle()
		s.giveBack("in-naira", "r", "amount", 5).Refuses("currency", "Say USDC: the order was in NGN, and paid in USDC")
		s.giveBack("in-naira", "r", "amount", 5, "currency", "USDC").OK()
		s.giveBack("in-naira", "all").OK()
		s.backInUSDC("in-naira", "pending", "0", "0")

		s.Patch("/v1/business", apitest.Object{"crypto_settlement": "convert"}).OK()
		s.paidInUSDC("converted")
		s.giveBack("converted", "auto", "execution_mode", "auto_sender").Fails(http.StatusUnprocessableEntity, "sender_details_missing")
		s.giveBack("converted", "c", "amount", 100).Refuses("currency", "Say NGN: the order was in USDC, and paid in NGN")
		s.giveBack("converted", "c", "amount", 100, "currency", "NGN").OK()
		s.goneBack("converted", "pending", 0, 1_499_900)
		s.ngn("1015000", "1")
		s.clean()
	})
}

func TestUSDCThatCameForNoOrderCannotBeRefunded(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		s.funded("treasury", "10")
		deposit := s.Get("/v1/wallets/transfers?reference=treasury").OK().Text("data.0.uid")
		s.Post("/v1/refunds", apitest.Object{"transaction_id": deposit, "reference": "r"}).Fails(http.StatusNotFound, "transaction_not_found")
	})
}
