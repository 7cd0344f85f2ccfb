package refunds_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
)

// explained is what programs read of an explanation.
type explained struct {
	status                 refunds.Status
	ended, leaves          bool
	awaited, refused, next []string
}

// why is the explanation of a refund.
func (s *shop) why(r refunds.Refund) (x *explain.Explanation) {
	s.Helper()
	s.in(func(ctx context.Context, tx store.Tx) (err error) {
		x, err = refunds.Explain(ctx, tx, s.scope, string(r.ID))
		return err
	})
	require.Equal(s, []string{"refund", string(r.ID), r.Reference}, []string{x.Resource, x.ID, x.Reference})
	return x
}

func (s *shop) says(r refunds.Refund, want explained, sentences ...string) *explain.Explanation {
	s.Helper()
	x := s.why(r)
	require.Equal(s, want, explained{refunds.Status(x.Status), x.Ended, x.Leaves, enginetest.Points(x.Awaited), enginetest.Points(x.Refused), enginetest.Points(x.Next)})
	for _, sentence := range sentences {
		require.Contains(s, x.Summary, sentence)
	}
	return x
}

func TestAManualRefundSaysWhatPeopleHaveToDo(t *testing.T) {
	s := newShop(t)
	of := s.credited("session-1", bola)
	made := must(s.refund(of, money.NGN(100_00), refunds.Manual))
	ref := refunds.Ref{ID: string(made.ID)}
	s.says(made, explained{refunds.Pending, false, false, []string{"caller process"}, nil, []string{"caller process"}},
		"The refund of ₦100.00 of "+made.TrxID+" is not sent yet; it can still be cancelled.", "you have to process it")
	must(s.Refunds.Process(t.Context(), s.scope, refunds.ProcessParams{Refund: ref}))
	s.says(made, explained{refunds.Processing, false, false, []string{"caller finalize"}, nil, []string{"caller finalize"}}, "is under way", "you have to pay it")
	must(s.Refunds.Finalize(t.Context(), s.scope, refunds.FinalizeParams{Refund: ref, Status: refunds.Failed, ProviderResponse: "Account closed"}))
	s.says(made, explained{refunds.Failed, true, false, nil, []string{"caller failed"}, []string{"caller again"}},
		"was not paid, and its money is available again", "Account closed")
}

func TestAnAutomaticRefundSaysWhatTheBankHasToDo(t *testing.T) {
	for name, c := range map[string]struct {
		number string
		after  time.Duration
		is     explained
		says   []string
	}{
		"scheduled":   {"0123456780", time.Minute, explained{refunds.Pending, false, true, []string{"engine scheduled"}, nil, nil}, []string{"is not sent yet", "It is sent at "}},
		"at the bank": {"0123456786", time.Hour, explained{refunds.Processing, false, true, []string{"bank in_progress"}, nil, nil}, []string{"is under way"}},
		"paid":        {"0123456780", time.Hour, explained{refunds.Successful, true, false, nil, nil, nil}, []string{"was paid at "}},
		"came back": {"0123456785", 26 * time.Hour, explained{refunds.Successful, true, false, nil, []string{"bank returned"}, nil},
			[]string{"was paid at ", "The money came back at ", "The receiving bank sent the payment back"}},
		"refused": {"0123456789", time.Hour, explained{refunds.Failed, true, false, nil, []string{"bank failed"}, []string{"caller again"}},
			[]string{"was not paid", "The account cannot be credited"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			of := s.credited("session-1", bank.Party{BankCode: "058", AccountNumber: c.number, AccountName: "Bola Ade"})
			made := must(s.refund(of, money.NGN(100_00), refunds.AutoSender))
			enginetest.Advance(t, s.Engine, c.after)
			s.says(made, c.is, c.says...)
		})
	}
}

func TestARefundThatWaitsForAnApprovalSaysSo(t *testing.T) {
	s := newShop(t)
	from := money.NGN(50_00)
	s.in(func(ctx context.Context, tx store.Tx) error {
		_, err := s.Outflow.ChangeIn(ctx, tx, s.scope, outflow.Change{NGN: outflow.LimitChange{Approval: &from}})
		return err
	})
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.AutoSender))
	enginetest.Advance(t, s.Engine, time.Hour)
	s.says(made, explained{refunds.Pending, false, false, []string{"approver approval"}, nil, []string{"approver approve"}}, "is not sent yet")
}

func TestARefundThatIsOverdueSaysWhetherItsFeeIsCovered(t *testing.T) {
	for left, want := range map[int64]string{49_99: "caller balance", 50_00: "engine turn"} {
		t.Run(want, func(t *testing.T) {
			s := newShop(t)
			made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.AutoSender))
			s.spendAllBut(left)
			must(s.World.Advance(t.Context(), refunds.DefaultDelay))
			x := s.says(made, explained{refunds.Pending, false, true, []string{want}, nil, nil}, "It was due at ")
			if want == "caller balance" {
				require.Equal(t, made.ScheduledAt.Add(24*time.Hour), x.Awaited[0].Until)
				require.Contains(t, x.Summary, "its fee of ₦50.00")
			}
		})
	}
}

func TestARefundOnTheChainSaysWhereItsTransferIs(t *testing.T) {
	s := newShop(t)
	of, _ := s.orderedInUSDC("order-1")
	made := must(s.refund(of, money.USDC(1_000_000), refunds.AutoSender))
	must(s.Refunds.Process(t.Context(), s.scope, refunds.ProcessParams{Refund: refunds.Ref{ID: string(made.ID)}}))
	s.says(made, explained{refunds.Processing, false, true, []string{"engine transfer"}, nil, nil}, "is under way")
	must(s.Refunds.RunDue(t.Context(), 10))
	sent := s.found(made).Transfer
	require.NotEmpty(t, sent)
	x := s.says(made, explained{refunds.Processing, false, true, []string{"chain transfer"}, nil, []string{"caller transfer"}},
		"The transfer "+string(sent)+" sends it to "+made.To.AccountNumber+".")
	require.Contains(t, x.Next[0].Text, string(sent))
	enginetest.Advance(t, s.Engine, time.Hour)
	s.says(made, explained{refunds.Successful, true, false, nil, nil, nil}, "The refund of 1 USDC of order-1 was paid at ")
}
