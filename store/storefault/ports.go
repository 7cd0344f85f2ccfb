package storefault

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// hooks stand around every operation of a unit.
type hooks struct {
	// before is asked first; an error of it is the operation's.
	before func(operation string) error
	// after may change the error of a write.
	after func(error) error
}

// change is an operation that returns an error only, with the hooks.
func (h hooks) change(operation string, do func() error) error {
	if err := h.before(operation); err != nil {
		return err
	}
	return h.after(do())
}

// answer is an operation that returns something, with the hooks.
func answer[R any](h hooks, operation string, do func() (R, error)) (found R, err error) {
	if err = h.before(operation); err != nil {
		return found, err
	}
	return do()
}

// hooked is ports with hooks. The types of its ports embed no port: one that lacks an
// operation does not compile.
type hooked struct {
	of store.Ports
	hooks
}

var _ store.Ports = hooked{}

// Unwrap returns the ports of the backend.
func (h hooked) Unwrap() store.Ports { return h.of }

// Records returns the rows of all kinds. Their operations are named after the table, as in
// "payments.Get".
func (h hooked) Records() records.Store  { return recordsPort{h.of.Records(), h.hooks} }
func (h hooked) Ledger() ledger.Store    { return ledgerPort{h.of.Ledger(), h.hooks} }
func (h hooked) Leases() lease.Store     { return leasesPort{h.of.Leases(), h.hooks} }
func (h hooked) Outbox() webhook.Outbox  { return outboxPort{h.of.Outbox(), h.hooks} }
func (h hooked) Webhooks() webhook.Store { return webhooksPort{h.of.Webhooks(), h.hooks} }
func (h hooked) Wallets() wallets.Store  { return walletsPort{h.of.Wallets(), h.hooks} }

type recordsPort struct {
	of records.Store
	hooks
}

func (p recordsPort) Insert(ctx context.Context, kind *records.Shape, row *records.Bound) error {
	return p.change(kind.Name+".Insert", func() error { return p.of.Insert(ctx, kind, row) })
}

func (p recordsPort) Update(ctx context.Context, kind *records.Shape, row *records.Bound) error {
	return p.change(kind.Name+".Update", func() error { return p.of.Update(ctx, kind, row) })
}

func (p recordsPort) Get(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	return answer(p.hooks, kind.Name+".Get", func() (any, error) { return p.of.Get(ctx, kind, scope, id) })
}

func (p recordsPort) Peek(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	return answer(p.hooks, kind.Name+".Peek", func() (any, error) { return p.of.Peek(ctx, kind, scope, id) })
}

// Prefetch is no operation of its own: what is read ahead is asked for by others.
func (p recordsPort) Prefetch(kind *records.Shape, scope ferry.Scope, id string) {
	p.of.Prefetch(kind, scope, id)
}

func (p recordsPort) PrefetchNamed(kind *records.Shape, by *records.Unique, like *records.Bound) {
	p.of.PrefetchNamed(kind, by, like)
}
func (p recordsPort) PrefetchOf(kind *records.Shape, ids records.Values) { p.of.PrefetchOf(kind, ids) }
func (p recordsPort) PrefetchAfter(rows records.Rows)                    { p.of.PrefetchAfter(rows) }
func (p recordsPort) PrefetchPage(rows records.Rows)                     { p.of.PrefetchPage(rows) }
func (p recordsPort) Expect(kind *records.Shape, row *records.Bound)     { p.of.Expect(kind, row) }

func (p recordsPort) Anyones(ctx context.Context, kind *records.Shape, like *records.Bound) (any, error) {
	return answer(p.hooks, kind.Name+".Anyones", func() (any, error) { return p.of.Anyones(ctx, kind, like) })
}

func (p recordsPort) Find(ctx context.Context, kind *records.Shape, by *records.Unique, like *records.Bound) (any, error) {
	return answer(p.hooks, kind.Name+".Find", func() (any, error) { return p.of.Find(ctx, kind, by, like) })
}

func (p recordsPort) After(ctx context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	return answer(p.hooks, kind.Name+".After", func() ([]any, error) { return p.of.After(ctx, kind, q, after, limit) })
}

func (p recordsPort) Page(ctx context.Context, kind *records.Shape, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error) {
	return answer(p.hooks, kind.Name+".Page", func() (ferry.List[any], error) { return p.of.Page(ctx, kind, scope, q, page) })
}

func (p recordsPort) Purge(ctx context.Context, kind *records.Shape, env ferry.Env, before time.Time, limit int) (int, error) {
	return answer(p.hooks, kind.Name+".Purge", func() (int, error) { return p.of.Purge(ctx, kind, env, before, limit) })
}

type ledgerPort struct {
	of ledger.Store
	hooks
}

func (p ledgerPort) OpenAccount(ctx context.Context, a ledger.Account) error {
	return p.change("Ledger.OpenAccount", func() error { return p.of.OpenAccount(ctx, a) })
}

func (p ledgerPort) Account(ctx context.Context, id ledger.AccountID) (ledger.Account, error) {
	return answer(p.hooks, "Ledger.Account", func() (ledger.Account, error) { return p.of.Account(ctx, id) })
}

func (p ledgerPort) Post(ctx context.Context, posting ledger.Posting) error {
	return p.change("Ledger.Post", func() error { return p.of.Post(ctx, posting) })
}

func (p ledgerPort) Reserve(ctx context.Context, r ledger.Reservation) error {
	return p.change("Ledger.Reserve", func() error { return p.of.Reserve(ctx, r) })
}

func (p ledgerPort) Settle(ctx context.Context, id ledger.ReservationID, taken money.Amount, posting ledger.Posting) error {
	return p.change("Ledger.Settle", func() error { return p.of.Settle(ctx, id, taken, posting) })
}

func (p ledgerPort) Release(ctx context.Context, id ledger.ReservationID) error {
	return p.change("Ledger.Release", func() error { return p.of.Release(ctx, id) })
}

func (p ledgerPort) Reservation(ctx context.Context, id ledger.ReservationID) (ledger.Reservation, error) {
	return answer(p.hooks, "Ledger.Reservation", func() (ledger.Reservation, error) { return p.of.Reservation(ctx, id) })
}

func (p ledgerPort) Legs(ctx context.Context, id ledger.PostingID) ([]ledger.Entry, error) {
	return answer(p.hooks, "Ledger.Legs", func() ([]ledger.Entry, error) { return p.of.Legs(ctx, id) })
}

func (p ledgerPort) PrefetchAccount(id ledger.AccountID)    { p.of.PrefetchAccount(id) }
func (p ledgerPort) PrefetchLegs(id ledger.PostingID)       { p.of.PrefetchLegs(id) }
func (p ledgerPort) PrefetchAccountsOf(ids records.Values)  { p.of.PrefetchAccountsOf(ids) }
func (p ledgerPort) PrefetchLegsOf(postings records.Values) { p.of.PrefetchLegsOf(postings) }

func (p ledgerPort) Entries(ctx context.Context, account ledger.AccountID, after ledger.EntryID, limit int) ([]ledger.Entry, error) {
	return answer(p.hooks, "Ledger.Entries", func() ([]ledger.Entry, error) { return p.of.Entries(ctx, account, after, limit) })
}

func (p ledgerPort) Accounts(ctx context.Context, env ferry.Env, after ledger.AccountID, limit int) ([]ledger.Account, error) {
	return answer(p.hooks, "Ledger.Accounts", func() ([]ledger.Account, error) { return p.of.Accounts(ctx, env, after, limit) })
}

func (p ledgerPort) OpenReservations(ctx context.Context, env ferry.Env, after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
	return answer(p.hooks, "Ledger.OpenReservations", func() ([]ledger.Reservation, error) { return p.of.OpenReservations(ctx, env, after, limit) })
}

func (p ledgerPort) Totals(ctx context.Context, scope ferry.Scope) ([]ledger.Total, error) {
	return answer(p.hooks, "Ledger.Totals", func() ([]ledger.Total, error) { return p.of.Totals(ctx, scope) })
}

type leasesPort struct {
	of lease.Store
	hooks
}

func (p leasesPort) Schedule(ctx context.Context, q lease.Queue, key string, due time.Time) error {
	return p.change("Leases.Schedule", func() error { return p.of.Schedule(ctx, q, key, due) })
}

func (p leasesPort) Claim(ctx context.Context, q lease.Queue, now time.Time, length time.Duration, limit int) ([]lease.Claim, error) {
	return answer(p.hooks, "Leases.Claim", func() ([]lease.Claim, error) { return p.of.Claim(ctx, q, now, length, limit) })
}

func (p leasesPort) Offers(ctx context.Context, at map[lease.Queue]time.Time, room lease.Room) ([]lease.Offer, error) {
	return answer(p.hooks, "Leases.Offers", func() ([]lease.Offer, error) { return p.of.Offers(ctx, at, room) })
}

func (p leasesPort) Take(ctx context.Context, o lease.Offer, length time.Duration) error {
	return p.change("Leases.Take", func() error { return p.of.Take(ctx, o, length) })
}

func (p leasesPort) Check(ctx context.Context, c lease.Claim) error {
	return p.change("Leases.Check", func() error { return p.of.Check(ctx, c) })
}

func (p leasesPort) Retry(ctx context.Context, c lease.Claim, due time.Time) error {
	return p.change("Leases.Retry", func() error { return p.of.Retry(ctx, c, due) })
}

func (p leasesPort) Finish(ctx context.Context, c lease.Claim) error {
	return p.change("Leases.Finish", func() error { return p.of.Finish(ctx, c) })
}

func (p leasesPort) Expedite(ctx context.Context, q lease.Queue, prefix string, due time.Time) error {
	return p.change("Leases.Expedite", func() error { return p.of.Expedite(ctx, q, prefix, due) })
}

func (p leasesPort) Next(ctx context.Context, queues []lease.Queue) (map[lease.Queue]time.Time, error) {
	return answer(p.hooks, "Leases.Next", func() (map[lease.Queue]time.Time, error) { return p.of.Next(ctx, queues) })
}

func (p leasesPort) Held(ctx context.Context, queues []lease.Queue) (bool, error) {
	return answer(p.hooks, "Leases.Held", func() (bool, error) { return p.of.Held(ctx, queues) })
}

type outboxPort struct {
	of webhook.Outbox
	hooks
}

func (p outboxPort) Insert(ctx context.Context, e webhook.Event) error {
	return p.change("Outbox.Insert", func() error { return p.of.Insert(ctx, e) })
}

type webhooksPort struct {
	of webhook.Store
	hooks
}

func (p webhooksPort) Feed(ctx context.Context, scope ferry.Scope, after int64, since time.Time, limit int) ([]webhook.Event, error) {
	return answer(p.hooks, "Webhooks.Feed", func() ([]webhook.Event, error) { return p.of.Feed(ctx, scope, after, since, limit) })
}

func (p webhooksPort) Newest(ctx context.Context, scope ferry.Scope, resource string) (webhook.Event, error) {
	return answer(p.hooks, "Webhooks.Newest", func() (webhook.Event, error) { return p.of.Newest(ctx, scope, resource) })
}

func (p webhooksPort) NextPending(ctx context.Context, env ferry.Env, streams []webhook.Stream) ([]webhook.Next, error) {
	return answer(p.hooks, "Webhooks.NextPending", func() ([]webhook.Next, error) { return p.of.NextPending(ctx, env, streams) })
}

type walletsPort struct {
	of wallets.Store
	hooks
}

func (p walletsPort) CountArrival(ctx context.Context, id wallets.AddressID, amount money.Amount, at time.Time) error {
	return p.change("Wallets.CountArrival", func() error { return p.of.CountArrival(ctx, id, amount, at) })
}

func (p walletsPort) AddressesByBalance(ctx context.Context, scope ferry.Scope, q records.Query, some bool, page ferry.Page) (ferry.List[wallets.Address], error) {
	return answer(p.hooks, "Wallets.AddressesByBalance", func() (ferry.List[wallets.Address], error) { return p.of.AddressesByBalance(ctx, scope, q, some, page) })
}

func (p walletsPort) PrefetchSummary(scope ferry.Scope, f wallets.AddressFilter) {
	p.of.PrefetchSummary(scope, f)
}

func (p walletsPort) SummarizeAddresses(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter) (wallets.AddressSummary, error) {
	return answer(p.hooks, "Wallets.SummarizeAddresses", func() (wallets.AddressSummary, error) { return p.of.SummarizeAddresses(ctx, scope, f) })
}

func (p walletsPort) Surpluses(ctx context.Context, scope ferry.Scope, limit int) ([]wallets.Custody, error) {
	return answer(p.hooks, "Wallets.Surpluses", func() ([]wallets.Custody, error) { return p.of.Surpluses(ctx, scope, limit) })
}
