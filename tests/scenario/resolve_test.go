package scenario_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/tests/apitest"
)

// leaving is a kind of payment of 100 naira that goes out through the bank.
type leaving struct {
	// make makes one, and returns its id and what its status is whenever it is asked.
	make func(s shop) (id string, status func() string)
	// follow takes a report of the bank.
	follow func(s shop, o bank.Outcome) error
	// paid and failed are its last statuses, each with its event, and posted what the business has
	// before.
	paid, failed           string
	paidEvent, failedEvent string
	posted                 int
}

var leavings = map[string]leaving{
	"payout item": {
		func(s shop) (string, func() string) {
			s.Post("/v1/payouts", s.rent("rent", "0123456780")).OK()
			details, err := s.Engine.Payouts.Get(s.t.Context(), s.Tenant.Business.Scope, payouts.Ref{Reference: "rent"})
			require.NoError(s.t, err)
			return string(details.Items[0].ID), func() string { return s.payout("rent").Text("data.items.0.status") }
		},
		func(s shop, o bank.Outcome) error { return s.Engine.Payouts.Follow(s.t.Context(), ferry.Test, o) },
		"successful", "failed", "payout.item.successful", "payout.item.failed", 1_000_000,
	},
	"fiat transfer": {
		func(s shop) (string, func() string) {
			uid := s.Post("/v1/fiat/transfers", s.fiatTransfer("rent", "0123456780")).OK().Text("data.uid")
			made, err := s.Engine.Transfers.Get(s.t.Context(), s.Tenant.Business.Scope, transfers.Ref{ID: uid})
			require.NoError(s.t, err)
			return string(made.ID), func() string { return s.fiatTransferStatus(uid).Text("data.status") }
		},
		func(s shop, o bank.Outcome) error { return s.Engine.Transfers.Follow(s.t.Context(), ferry.Test, o) },
		"success", "failed", "transfer.success", "transfer.failed", 1_000_000,
	},
	"refund": {
		func(s shop) (string, func() string) {
			s.paidBy("order-1", "0123456780")
			s.giveBack("order-1", "back", "amount", 10_000, "execution_mode", "auto_sender").OK()
			made, err := s.Engine.Refunds.Get(s.t.Context(), s.Tenant.Business.Scope, refunds.Ref{Reference: "back"})
			require.NoError(s.t, err)
			return string(made.ID), func() string { return s.refundMade("back").Text("data.status") }
		},
		func(s shop, o bank.Outcome) error { return s.Engine.Refunds.Follow(s.t.Context(), ferry.Test, o) },
		"successful", "failed", "refund.successful", "refund.failed", 1_015_000,
	},
}

// notAsPaid makes a payment that the bank reports with one naira too much.
func (s shop) notAsPaid(o leaving) (id string, status func() string) {
	s.t.Helper()
	id, status = o.make(s)
	s.inject("bank", "wrong_amount", 1)
	s.advance(3600)
	require.Equal(s.t, "processing", status())
	s.ngn(fmt.Sprint(o.posted), "100")
	return id, status
}

func (s shop) resolve(id string, decision disburse.Decision) (disburse.Resolution, error) {
	r := disburse.Resolution{ID: id, Decision: decision, By: "Ada, operations", Reason: "Ticket 7 of the bank"}
	if decision == disburse.WasPaid {
		r.SessionID = "session-7"
	}
	return s.Engine.Resolve(s.t.Context(), ferry.Test, r)
}

// differences are what a comparison with the bank finds.
func (s shop) differences() (all []string) {
	s.t.Helper()
	r, err := s.Engine.Reconcile(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	for _, f := range r.Findings {
		all = append(all, f.Subject+": "+f.Text)
	}
	return all
}

// corrected is the report of the bank that a payment was made as it was told.
func corrected(id string) bank.Outcome {
	return bank.Outcome{
		Key: id, State: bank.StatePaid, SessionID: "session-8", Amount: money.NGN(100_00), To: bank.Party{BankCode: "058", AccountNumber: "0123456780"},
	}
}

func TestAPersonEndsAPaymentThatTheBankDidNotMakeAsItWasTold(t *testing.T) {
	t.Parallel()
	for name, o := range leavings {
		for _, decision := range disburse.Decisions() {
			t.Run(name+" "+string(decision), func(t *testing.T) {
				onEveryStore(t, func(t *testing.T, open opener) {
					s := open(t)
					id, status := s.notAsPaid(o)
					require.Len(t, s.differences(), 1)
					first, err := s.resolve(id, decision)
					require.NoError(t, err)
					require.Equal(t, s.Tenant.Business.Scope, first.Scope)
					want, left, events := o.paid, o.posted-100, map[string]int{o.paidEvent: 1, o.failedEvent: 0}
					if decision == disburse.WasNotPaid {
						want, left, events = o.failed, o.posted, map[string]int{o.paidEvent: 0, o.failedEvent: 1}
					}
					for range 2 {
						require.Equal(t, want, status())
						s.ngn(fmt.Sprint(left), "0")
						for event, times := range events {
							require.Equal(t, times, s.events(event), event)
						}
						found := s.differences()
						require.Len(t, found, 1, "the bank has sent another amount still")
						require.Contains(t, found[0], id+": the bank sent 101 NGN")
						require.Contains(t, found[0], "by the decision of Ada, operations")
						s.clean()

						again, err := s.resolve(id, decision)
						require.NoError(t, err)
						require.Equal(t, first, again, "a repeated decision is the first one")
						require.NoError(t, o.follow(s, corrected(id)), "what the bank says now books nothing")
						s.advance(day)
					}
					for _, other := range disburse.Decisions() {
						if other != decision {
							_, err = s.resolve(id, other)
							require.ErrorIs(t, err, ferry.ErrInvalidTransition)
							require.ErrorContains(t, err, "by Ada, operations")
						}
					}
				})
			})
		}
	}
}

func TestAPersonAndACorrectedReportOfTheBankBookAPaymentOnce(t *testing.T) {
	t.Parallel()
	for name, o := range leavings {
		for _, decision := range disburse.Decisions() {
			t.Run(name+" "+string(decision), func(t *testing.T) {
				inACrowd(t, func(t *testing.T, open opener) {
					for range 3 {
						s := open(t)
						id, status := s.notAsPaid(o)
						results := together(8, func(i int) error {
							if i%2 == 0 {
								return o.follow(s, corrected(id))
							}
							_, err := s.resolve(id, decision)
							return err
						})
						resolved := 0
						for i, err := range results {
							switch {
							case i%2 == 0:
								require.NoError(t, err)
							case err == nil:
								resolved++
							default:
								require.ErrorIs(t, err, ferry.ErrInvalidTransition, "the bank was first")
							}
						}
						require.Contains(t, []int{0, 4}, resolved, "one of them was first")
						s.advance(day)
						if resolved > 0 && decision == disburse.WasNotPaid {
							require.Equal(t, o.failed, status())
							s.ngn(fmt.Sprint(o.posted), "0")
							require.Equal(t, 1, s.events(o.failedEvent))
							require.Equal(t, 0, s.events(o.paidEvent))
						} else {
							require.Equal(t, o.paid, status())
							s.ngn(fmt.Sprint(o.posted-100), "0")
							require.Equal(t, 1, s.events(o.paidEvent))
							require.Equal(t, 0, s.events(o.failedEvent))
						}
						s.clean()
					}
				})
			})
		}
	}
}

func TestOnlyAPaymentThatTheBankDidNotMakeAsItWasToldIsEndedByAPerson(t *testing.T) {
	t.Parallel()
	for name, o := range leavings {
		t.Run(name, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				id, status := o.make(s)
				refused := func(why string) {
					t.Helper()
					before := status()
					for _, decision := range disburse.Decisions() {
						_, err := s.resolve(id, decision)
						require.ErrorIs(t, err, ferry.ErrInvalidTransition)
						require.ErrorContains(t, err, why)
					}
					require.Equal(t, before, status())
					s.clean()
				}
				refused("Only the bank's word ends the payment")
				s.inject("bank", "unavailable", 1_000_000)
				s.advance(3600)
				require.Equal(t, "processing", status())
				refused("Only the bank's word ends the payment")
				require.NoError(t, s.Engine.World.Calm(context.Background()))
				s.advance(3600)
				require.Equal(t, o.paid, status())
				refused("has ended already")
			})
		})
	}
	s := openMemory(t)
	id, _ := s.notAsPaid(leavings["payout item"])
	for _, r := range []disburse.Resolution{
		{ID: id, Decision: "maybe", By: "Ada", Reason: "why"},
		{ID: id, Decision: disburse.WasPaid, Reason: "why"},
		{ID: id, Decision: disburse.WasPaid, By: "Ada"},
		{ID: id, Decision: disburse.WasNotPaid, By: "Ada", Reason: "why", SessionID: "session-7"},
	} {
		_, err := s.Engine.Resolve(t.Context(), ferry.Test, r)
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
	_, err := s.Engine.Resolve(t.Context(), ferry.Live, disburse.Resolution{ID: id, Decision: disburse.WasPaid, By: "Ada", Reason: "why"})
	require.ErrorIs(t, err, disburse.ErrNoPayment, "it is one of the other environment")
	for _, id := range []string{"", "rent", "pitm_", "trf_0123", "rfd_0123"} {
		_, err := s.resolve(id, disburse.WasPaid)
		require.ErrorIs(t, err, disburse.ErrNoPayment, id)
	}
	s.paidBy("order-1", "0123456780")
	manual := s.giveBack("order-1", "back", "amount", 10_000).OK()
	s.Post("/v1/refunds/process", apitest.Object{"reference": "back"}).OK()
	made, err := s.Engine.Refunds.Get(t.Context(), s.Tenant.Business.Scope, refunds.Ref{ID: manual.Text("data.id")})
	require.NoError(t, err)
	_, err = s.resolve(string(made.ID), disburse.WasPaid)
	require.ErrorIs(t, err, ferry.ErrInvalidTransition, "people pay it, and the business says how it ended")
}

// A payment that was not made came back: the bank and the books agree about the money again.
func TestAPaymentThatAPersonEndedAndThatCameBackIsNoDifferenceAnyMore(t *testing.T) {
	t.Parallel()
	s := openMemory(t)
	s.inject("bank", "wrong_amount", 1)
	s.Post("/v1/payouts", s.rent("rent", "0123456785")).OK()
	s.advance(3600)
	details, err := s.Engine.Payouts.Get(t.Context(), s.Tenant.Business.Scope, payouts.Ref{Reference: "rent"})
	require.NoError(t, err)
	_, err = s.resolve(string(details.Items[0].ID), disburse.WasNotPaid)
	require.NoError(t, err)
	require.Len(t, s.differences(), 1)
	s.advance(2 * day)
	require.Empty(t, s.differences())
	require.Equal(t, "failed", s.payout("rent").Text("data.items.0.status"))
	s.ngn("1000000", "0")
	s.clean()
}

// What the bank sent stands for what it was told, so all of that came back.
func TestAPaymentThatAPersonEndedAsPaidAndThatCameBackIsTheBusinesssAgain(t *testing.T) {
	t.Parallel()
	for name, o := range leavings {
		t.Run(name, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				id, status := s.notAsPaid(o)
				_, err := s.resolve(id, disburse.WasPaid)
				require.NoError(t, err)
				s.ngn(fmt.Sprint(o.posted-100), "0")
				back := corrected(id)
				back.State, back.Amount = bank.StateReturned, money.NGN(101_00)
				for range 2 { // a bank may report it twice
					require.NoError(t, o.follow(s, back))
				}
				s.ngn(fmt.Sprint(o.posted), "0")
				require.Equal(t, map[string]string{"payout item": "successful", "fiat transfer": "reversed", "refund": "successful"}[name], status())
				s.clean()
			})
		})
	}
}

func TestAPaymentThatAPersonEndedAsPaidIsNoDifferenceOnceTheBankSentItBack(t *testing.T) {
	t.Parallel()
	s := openMemory(t)
	s.inject("bank", "wrong_amount", 1)
	s.Post("/v1/payouts", s.rent("rent", "0123456785")).OK()
	s.advance(3600)
	details, err := s.Engine.Payouts.Get(t.Context(), s.Tenant.Business.Scope, payouts.Ref{Reference: "rent"})
	require.NoError(t, err)
	_, err = s.resolve(string(details.Items[0].ID), disburse.WasPaid)
	require.NoError(t, err)
	s.ngn("999900", "0")
	s.advance(2 * day)
	require.NotEmpty(t, s.payout("rent").Text("data.items.0.returned_at"))
	s.ngn("1000000", "0")
	require.Empty(t, s.differences())
	s.clean()
}

func TestADifferenceSaysThatTheMoneyCameBack(t *testing.T) {
	t.Parallel()
	s := openMemory(t)
	s.inject("bank", "wrong_amount", 1)
	s.Post("/v1/payouts", s.rent("rent", "0123456785")).OK()
	s.advance(3600)
	require.Len(t, s.differences(), 1)
	require.NotContains(t, s.differences()[0], "came back")
	s.advance(2 * day)
	require.Len(t, s.differences(), 1)
	require.Contains(t, s.differences()[0], "instead of 100 NGN to 058 0123456785, and it came back")
	s.ngn("1000000", "100")
}
