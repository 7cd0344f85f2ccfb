package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func testRollback(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a unit that fails gives back what it changed and removed", func(t *testing.T) {
		b := open(t)
		write(t, b, writeEverywhere)
		c := claimOne(t, b, "queue", start)
		before := look(t, b, everything)
		change := func(ctx context.Context, p store.Ports) error {
			return errors.Join(changeEverything(ctx, p), endWork(ctx, p, c))
		}
		refuse(t, b, errFail, all(change, failed))
		require.Equal(t, before, look(t, b, everything))
		clean(t, b)
		write(t, b, change)
		require.NotEqual(t, before, look(t, b, everything))
		clean(t, b)
	})
	t.Run("a unit that fails after it changed its own rows leaves none of them", func(t *testing.T) {
		b := open(t)
		both := func(ctx context.Context, p store.Ports) error {
			return errors.Join(writeEverywhere(ctx, p), changeEverything(ctx, p))
		}
		refuse(t, b, errFail, func(ctx context.Context, p store.Ports) error { return errors.Join(both(ctx, p), errFail) })
		nothingAnywhere(t, b)
		write(t, b, both)
	})
}

// changeEverything changes each row of writeEverywhere.
func changeEverything(ctx context.Context, p store.Ports) error {
	bank := ledger.SystemAccount(home.Env, ledger.Bank, money.AssetNGN)
	return errors.Join(
		ledger.Settle(ctx, p.Ledger(), "held", ledger.Move("out", home.Env, "payout", "ref", "own", bank, money.NGN(3), start)),
		ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: "next", Account: "own", Amount: money.NGN(7), At: start}),
		changeKey(ctx, p),
		p.Outbox().Insert(ctx, event(2, "res")),
		changeWebhooks(ctx, p),
		changeBusiness(ctx, p),
	)
}

// endWork removes rows: a key of the queue and a client key.
func endWork(ctx context.Context, p store.Ports, c lease.Claim) error {
	_, err := idempotency.RecordKind.Purge(ctx, p, home.Env, after(1), 10)
	return errors.Join(err, p.Leases().Finish(ctx, c), p.Leases().Schedule(ctx, "queue", "other", after(5)))
}

func changeKey(ctx context.Context, p store.Ports) error {
	r, err := idempotency.RecordKind.Get(ctx, p, home, clientKey.ID())
	if err != nil {
		return err
	}
	r.Finished, r.Status = true, 201
	return idempotency.RecordKind.Update(ctx, p, r)
}

func changeWebhooks(ctx context.Context, p store.Ports) error {
	endpoint, err := webhook.EndpointOf(ctx, p, home)
	if err != nil {
		return err
	}
	endpoint.URL = ""
	first, err := webhook.EventKind.Get(ctx, p, home, idOf("evt_", 1))
	if err != nil {
		return err
	}
	first.State = webhook.Delivered
	return errors.Join(
		webhook.EndpointKind.Put(ctx, p, endpoint),
		webhook.EventKind.Update(ctx, p, first),
		webhook.AttemptKind.Insert(ctx, p, webhook.Attempt{ID: "att_1", Scope: home, EventID: first.ID, Number: 1, Sent: true, CreatedAt: start}),
	)
}

func changeBusiness(ctx context.Context, p store.Ports) error {
	shop, err := business.Of(ctx, p, home)
	if err != nil {
		return err
	}
	shop.Name = "Elsewhere"
	key, err := business.KeyKind.Get(ctx, p, home, apiKey(home, 1).ID)
	if err != nil {
		return err
	}
	key.RevokedAt = after(90)
	return errors.Join(business.Kind.Update(ctx, p, shop), business.KeyKind.Update(ctx, p, key))
}

// everything returns all that the ports tell of the rows above, "not there"
// included.
func everything(ctx context.Context, p store.Ports) ([]any, error) {
	var all []any
	note := func(found any, err error) {
		if all = append(all, found); err != nil {
			all = append(all, err.Error())
		}
	}
	note(p.Ledger().Accounts(ctx, home.Env, "", 10))
	note(p.Ledger().Entries(ctx, "own", ledger.EntryID{}, 10))
	note(p.Ledger().OpenReservations(ctx, home.Env, "", 10))
	note(p.Ledger().Reservation(ctx, "held"))
	note(p.Ledger().Totals(ctx, home))
	note(p.Leases().Next(ctx, queues("queue")))
	note(idempotency.RecordKind.Get(ctx, p, home, clientKey.ID()))
	note(p.Webhooks().Newest(ctx, home, "res"))
	note(webhook.EndpointOf(ctx, p, home))
	note(webhook.EventKind.Get(ctx, p, home, idOf("evt_", 1)))
	note(p.Webhooks().Feed(ctx, home, 0, time.Time{}, 10))
	note(p.Webhooks().NextPending(ctx, home.Env, []webhook.Stream{{Business: home.Business, Resource: "res"}}))
	note(webhook.AttemptKind.Page(ctx, p, home, records.Query{}, ferry.Page{}))
	note(business.Of(ctx, p, home))
	note(business.KeyKind.After(ctx, p, records.Query{}, "", 10))
	return all, nil
}
