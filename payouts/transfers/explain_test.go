package transfers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/store"
)

// explained is what programs read of an explanation.
type explained struct {
	status                 transfers.Status
	ended, leaves          bool
	awaited, refused, next []string
}

func TestATransferSaysWhyItIsNotPaid(t *testing.T) {
	for name, c := range map[string]struct {
		number   string
		approval bool
		after    time.Duration
		is       explained
		says     []string
	}{
		"made": {paid, false, 0, explained{transfers.Pending, false, true, []string{"engine submit"}, nil, nil},
			[]string{"₦200.00 to account 0123456780 are not sent yet, and are set aside.", "The bank is asked at the next turn."}},
		"waits for an approval": {paid, true, time.Hour, explained{transfers.Pending, false, false, []string{"approver approval"}, nil, []string{"approver approve"}},
			[]string{"are not sent yet"}},
		"rejected": {paid, true, 73 * time.Hour, explained{transfers.Failed, true, false, nil, []string{"bank failed"}, []string{"caller again"}},
			[]string{"were not paid, and are available again"}},
		"at the bank": {"0123456786", false, time.Minute, explained{transfers.Processing, false, true, []string{"bank in_progress"}, nil, nil},
			[]string{"The bank was asked to pay ₦200.00 to account 0123456786."}},
		"paid": {paid, false, time.Minute, explained{transfers.Success, true, false, nil, nil, nil},
			[]string{"The bank paid ₦200.00 to account 0123456780 at "}},
		"came back": {"0123456785", false, 25 * time.Hour, explained{transfers.Reversed, true, false, nil, []string{"bank returned"}, nil},
			[]string{"The bank paid ₦200.00 to account 0123456785, and the money came back.", "It came back at ", "The receiving bank sent the payment back"}},
		"refused": {refused, false, time.Minute, explained{transfers.Failed, true, false, nil, []string{"bank failed"}, []string{"caller again"}},
			[]string{"₦200.00 to account 0123456789 were not paid, and are available again.", "The account cannot be credited"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTenant(t)
			if c.approval {
				from := money.NGN(100_00)
				require.NoError(t, p.in(func(ctx context.Context, tx store.Tx) error {
					_, err := p.Outflow.ChangeIn(ctx, tx, p.scope(), outflow.Change{NGN: outflow.LimitChange{Approval: &from}})
					return err
				}))
			}
			made := must(p.Transfers.Create(t.Context(), p.scope(), rent(c.number)))
			if c.after > 0 {
				enginetest.Advance(t, p.Engine, c.after)
			}
			for _, name := range []string{"rent", string(made.ID), ferry.UID(string(made.ID))} {
				require.NoError(t, p.in(func(ctx context.Context, tx store.Tx) error {
					x, err := transfers.Explain(ctx, tx, p.scope(), name)
					if err != nil {
						return err
					}
					require.Equal(t, c.is, explained{transfers.Status(x.Status), x.Ended, x.Leaves, enginetest.Points(x.Awaited), enginetest.Points(x.Refused), enginetest.Points(x.Next)})
					require.Equal(t, []string{"fiat transfer", string(made.ID), "rent"}, []string{x.Resource, x.ID, x.Reference})
					for _, sentence := range c.says {
						require.Contains(t, x.Summary, sentence)
					}
					return nil
				}))
			}
		})
	}
}
