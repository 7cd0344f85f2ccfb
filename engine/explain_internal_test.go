package engine

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// statesOf are the states of a lifecycle, whatever their type.
func statesOf(l Lifecycle) (all []string) {
	for _, state := range reflect.ValueOf(l.Drawn).MethodByName("States").Call(nil)[0].Seq2() {
		all = append(all, state.String())
	}
	return all
}

func TestEveryStateOfEveryLifecycleIsExplained(t *testing.T) {
	s := newShelf(t)
	for _, d := range Domains() {
		for _, l := range d.Lifecycles {
			require.Contains(t, shelved, l.Title, "put a row of it on the shelf of shelf_internal_test.go")
			t.Run(l.Title, func(t *testing.T) {
				s := s.in(t)
				said := map[string]string{}
				for _, state := range statesOf(l) {
					x, err := s.e.Explain(t.Context(), s.scope, shelved[l.Title](s, state))
					require.NoError(t, err)
					require.Equal(t, state, x.Status)
					require.NotEmpty(t, x.Summary, "explain.go of %s has no words for %s", d.Name, state)
					require.NotContains(t, x.Summary, "%!")
					require.NotContains(t, said, x.Summary, "%s has the words of another state", state)
					said[x.Summary] = state
					require.False(t, x.Ended && len(x.Missing) > 0, "what has ended misses nothing")
					if !x.Ended {
						require.NotEmpty(t, append(append(x.Missing, x.Awaited...), x.Next...), "%s is open, and nobody is awaited", state)
					}
				}
			})
		}
	}
}

func TestEveryRecordWithALifecycleIsHiddenFromOtherBusinesses(t *testing.T) {
	s := newShelf(t)
	other, err := s.e.CreateTenant(t.Context(), ferry.Test, "Bola's shop")
	require.NoError(t, err)
	for title, put := range shelved {
		t.Run(title, func(t *testing.T) {
			s := s.in(t)
			var first string
			for _, d := range Domains() {
				for _, l := range d.Lifecycles {
					if l.Title == title {
						first = statesOf(l)[0]
					}
				}
			}
			name := put(s, first)
			_, err := s.e.Explain(t.Context(), s.scope, name)
			require.NoError(t, err)
			_, err = s.e.Explain(t.Context(), other.Business.Scope, name)
			require.ErrorIs(t, err, ErrUnknownName)
			_, err = s.e.Explain(t.Context(), ferry.Scope{Env: ferry.Live, Business: s.scope.Business}, name)
			require.ErrorIs(t, err, ErrUnknownName)
		})
	}
}

func TestEveryStateOfADeliveryIsExplained(t *testing.T) {
	s := newShelf(t)
	said := map[string]bool{}
	for _, state := range []webhook.State{webhook.Pending, webhook.Delivered, webhook.Dead, webhook.Unsent} {
		id := put(s, webhook.EventKind, webhook.Event{ID: s.id("evt_"), Scope: s.scope, Type: "payment.success", Resource: s.id(""), State: state, Data: "{}"})
		x, err := s.e.Explain(t.Context(), s.scope, id)
		require.NoError(t, err)
		require.Equal(t, string(state), x.Status)
		require.False(t, said[x.Summary])
		said[x.Summary] = true
	}
}

// whys are the explanations of rows, by what the rows differ in.
func whys[C ~string](s shelf, all []C, name func(C) string) map[string]C {
	said := map[string]C{}
	for _, each := range all {
		x, err := s.e.Explain(s.t.Context(), s.scope, name(each))
		require.NoError(s.t, err)
		require.NotContains(s.t, said, x.Summary, "%s and %s have the same words", each, said[x.Summary])
		require.NotEmpty(s.t, x.Awaited)
		said[x.Summary] = each
	}
	return said
}

func TestEveryReasonForWhichATransferWaitsIsExplained(t *testing.T) {
	s := newShelf(t)
	whys(s, wallets.Waitings(), func(why wallets.Waiting) string {
		return put(s, outgoing.TransferKind, outgoing.Transfer{
			ID: wallets.TransferID(s.id("trx_")), Scope: s.scope, Reference: s.id(""), Kind: outgoing.External, Amount: money.USDC(1_000_000),
			Fee: money.USDC(0), Status: wallets.Pending, Waiting: why,
		})
	})
}

func TestEveryAnswerOfABankThatHasNotPaidIsExplained(t *testing.T) {
	s := newShelf(t)
	answers := []disburse.Answer{"", disburse.Unavailable, disburse.InProgress, disburse.NotAsPaid, disburse.UnknownKey, disburse.Declined}
	whys(s, answers, func(answer disburse.Answer) string {
		return put(s, transfers.Kind, transfers.Transfer{
			ID: transfers.ID(s.id(transfers.Prefix)), Scope: s.scope, Reference: s.id(""), Status: transfers.Processing, Amount: money.NGN(5), Fees: noFees,
			Channel: transfers.FromWallet, BalanceBefore: money.NGN(0), BalanceAfter: money.NGN(0), Progress: disburse.Progress{Answer: answer, Attempts: 2},
		})
	})
}
