package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// heard is what the listeners of a test heard of.
type heard struct{ facts []string }

// noting returns a listener that notes facts.
func noting[T any](h *heard, fact string, of func(T) string) []engine.Listener[T] {
	return []engine.Listener[T]{func(_ context.Context, tx store.Tx, row T) error {
		h.facts = append(h.facts, fact+" "+of(row))
		return nil
	}}
}

// listeners note everything.
func (h *heard) listeners() engine.Listeners {
	payment := func(p payments.Payment) string { return p.Reference + " " + string(p.Status) }
	transfer := func(t outgoing.Transfer) string { return string(t.Status) + " " + t.Amount.String() }
	return engine.Listeners{
		DepositArrived:    noting(h, "deposit", func(t wallets.Transaction) string { return t.Amount.String() }),
		TransferSucceeded: noting(h, "sent", transfer),
		TransferFailed:    noting(h, "failed", transfer),
		PaymentSucceeded:  noting(h, "success", payment),
		PaymentReversed:   noting(h, "reversed", payment),
		Event:             noting(h, "event", func(e webhook.Event) string { return e.Type }),
	}
}

func listening(t *testing.T, backend store.Backend, l engine.Listeners) (*engine.Engine, engine.Tenant) {
	t.Helper()
	e, err := engine.New(engine.Config{Store: backend, Listeners: l})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return e, tenant
}

func TestListenersHearOfEveryFactInItsUnit(t *testing.T) {
	h := &heard{}
	e, tenant := listening(t, memstore.New(), h.listeners())
	w := enginetest.Deposit(t, e, tenant, money.USDC(30_000_000))
	outside, err := chain.OpenSeed(append(make([]byte, 31), 1))
	require.NoError(t, err)
	_, err = e.Outgoing.Transfer(t.Context(), tenant.Business.Scope, outgoing.TransferParams{
		Reference: "r-1", From: string(w.PrimaryAddress), To: string(outside.Address()), Amount: money.USDC(4_000_000),
	})
	require.NoError(t, err)
	enginetest.Advance(t, e, 60e9)
	ordered(t, e, tenant)
	recall(t, e, "session-1")
	require.Equal(t, []string{
		"deposit 30 USDC", "event stablecoin.received", "sent success 4 USDC", "event stablecoin.sent",
		"success order-1 success", "event payment.success", "reversed order-1 reversed", "event payment.reversed",
	}, h.facts)
}

func TestAListenerSeesTheRowsOfItsUnit(t *testing.T) {
	var posted []money.Amount
	l := engine.Listeners{PaymentSucceeded: []engine.Listener[payments.Payment]{
		func(ctx context.Context, tx store.Tx, p payments.Payment) error {
			stored, err := payments.PaymentKind.Get(ctx, tx, p.Scope, p.ID)
			if err != nil {
				return err
			}
			require.Equal(t, p, stored)
			account, err := tx.Ledger().Account(ctx, ledger.BusinessAccount(p.Scope, money.AssetNGN))
			posted = append(posted, account.Posted)
			return err
		},
	}}
	e, tenant := listening(t, memstore.New(), l)
	before := naira(t, e, tenant)
	ordered(t, e, tenant)
	require.Equal(t, []money.Amount{naira(t, e, tenant)}, posted)
	require.NotEqual(t, before, posted[0])
}

func TestAnErrorOfAListenerTakesTheUnitBack(t *testing.T) {
	refusing := errors.New("not today")
	failing := true
	e, tenant := listening(t, memstore.New(), engine.Listeners{TransferSucceeded: []engine.Listener[outgoing.Transfer]{
		func(context.Context, store.Tx, outgoing.Transfer) error {
			if failing {
				return refusing
			}
			return nil
		},
	}})
	from := enginetest.Deposit(t, e, tenant, money.USDC(30_000_000))
	to, err := e.Wallets.Create(t.Context(), tenant.Business.Scope, wallets.CreateParams{})
	require.NoError(t, err)
	send := func() error {
		_, err := e.Outgoing.Transfer(t.Context(), tenant.Business.Scope, outgoing.TransferParams{
			Reference: "inside", From: string(from.PrimaryAddress), To: string(to.PrimaryAddress), Amount: money.USDC(4_000_000),
		})
		return err
	}
	require.ErrorIs(t, send(), refusing)
	failing = false
	require.NoError(t, send(), "nothing of the first one remains")
}

func TestAListenerRunsAgainWithItsUnit(t *testing.T) {
	runs, written := 0, 0
	e, tenant := listening(t, storefault.Rerun(memstore.New()), engine.Listeners{PaymentSucceeded: []engine.Listener[payments.Payment]{
		func(ctx context.Context, tx store.Tx, p payments.Payment) error {
			runs++
			return webhook.Emit(ctx, tx, webhook.Change{Scope: p.Scope, Type: "shop.paid", Resource: string(p.ID), Data: p.ID})
		},
		func(context.Context, store.Tx, payments.Payment) error { return nil },
	}, Event: []engine.Listener[webhook.Event]{
		func(_ context.Context, _ store.Tx, event webhook.Event) error {
			if event.Type == "shop.paid" {
				written++
			}
			return nil
		},
	}})
	made := ordered(t, e, tenant)
	require.Equal(t, 2, runs)
	require.Equal(t, 2, written, "an event of a listener is heard, too")
	state, err := e.Checkout.Get(t.Context(), tenant.Business.Scope, checkout.Ref{TrxID: made.TrxID})
	require.NoError(t, err)
	events, err := ferry.InRead(t.Context(), e.Units(ferry.Test), func(ctx context.Context, tx store.Tx) ([]webhook.Event, error) {
		return tx.Webhooks().Feed(ctx, tenant.Business.Scope, 0, made.CreatedAt, 100)
	})
	require.NoError(t, err)
	count := 0
	for _, event := range events {
		if event.Type == "shop.paid" {
			require.Equal(t, string(state.Payment.ID), event.Resource)
			count++
		}
	}
	require.Equal(t, 1, count, "what a listener wrote in a run that did not commit is not there")
}
