package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

const (
	// looksEvery is how often the inspector looks for what others have done on the store, and
	// looksGap the least time between two looks.
	looksEvery = 200 * time.Millisecond
	looksGap   = 20 * time.Millisecond
	// watchedFor is how long after a look somebody counts as watching.
	watchedFor = 30 * time.Second
	// followPage is how much is read at once.
	followPage = 100
)

// follower is how far the inspector has read the engine. It is safe for concurrent use.
type follower struct {
	*Inspector
	mu     sync.Mutex
	resets uint64
	cursor string // of events
	// entries are the last ones read of the accounts that stand for the outside.
	entries map[ledger.AccountID]ledger.EntryID
	struck  map[sandbox.Armed]uint64
}

// Run follows the engine until ctx ends: events, money, faults, the state of the books. An
// inspector runs once.
func (i *Inspector) Run(ctx context.Context) {
	context.AfterFunc(ctx, i.end)
	worker.Run(ctx, i.config.Logger,
		worker.Worker{Name: "inspector", Every: looksEvery, Gap: looksGap, Nudge: &i.committed, RunDue: func(ctx context.Context, _ int) (int, error) {
			return 0, i.follower.catchUp(ctx)
		}},
		worker.Worker{Name: "inspector audit", Every: recountEvery, Nudge: &i.audits, RunDue: func(context.Context, int) (int, error) {
			return 0, i.recount(ctx) // an audit may take long, and nobody waits for it when ctx ends
		}})
}

// catchUp reads all that the engine has committed.
func (f *follower) catchUp(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for more := true; more; {
		if f.entries == nil || f.engine.World.Resets() != f.resets {
			f.tellTurns()
			f.begin()
		}
		more = false
		for _, read := range []func(context.Context) (bool, error){f.money, f.events, f.faults} {
			again, err := read(ctx)
			if err != nil {
				return err
			}
			more = more || again
		}
	}
	return nil
}

// begin starts over, with a new store or after a reset.
func (f *follower) begin() {
	f.resets, f.cursor = f.engine.World.Resets(), ""
	f.entries, f.struck = map[ledger.AccountID]ledger.EntryID{}, map[sandbox.Armed]uint64{}
}

// events tells of events after the cursor.
func (f *follower) events(ctx context.Context) (more bool, err error) {
	feed, err := f.engine.Webhooks.Events(ctx, f.config.Tenant.Business.Scope, f.cursor, followPage)
	if err != nil {
		return false, err
	}
	for _, body := range feed.Bodies {
		f.journal.tell(lineOfEvent(body))
	}
	f.cursor = feed.Next
	return len(feed.Bodies) == followPage, nil
}

// lineOfEvent is the line of an event.
func lineOfEvent(body json.RawMessage) Line {
	var e webhook.Received
	_ = json.Unmarshal(body, &e) // the engine wrote it
	var data struct {
		Status   string      `json:"status"`
		Amount   json.Number `json:"amount"`
		Currency string      `json:"currency"`
		Fiat     string      `json:"fiat_currency"`
		Asset    string      `json:"asset"`
	}
	_ = json.Unmarshal(e.Data, &data)
	thing, name := named(e.Data)
	l := Line{Kind: Event, At: e.CreatedAt, Title: e.Type, Thing: thing, Name: name, Detail: fmt.Sprintf("#%d", e.Sequence), Path: "webhooks?event=" + e.ID}
	if data.Amount != "" {
		minor := strings.HasPrefix(e.Type, "payment.") || strings.HasPrefix(e.Type, "refund.")
		l.Detail += " · " + inFull(data.Amount.String(), unitOf(data.Currency, data.Fiat, data.Asset), minor)
	}
	if data.Status != "" {
		l.Detail += " · " + data.Status
	}
	return l
}

// outside are the accounts that stand for what is outside of ferry.
var outside = []struct {
	system ledger.System
	asset  money.Asset
	// came and left are what a line says of money.
	came, left string
}{
	{ledger.Chain, money.AssetUSDC, "came in on the chain", "went out through the chain"},
	{ledger.Bank, money.AssetNGN, "came in at the bank", "went out through the bank"},
	{ledger.Cards, money.AssetNGN, "came in by card", "went back to a card"},
	{ledger.Billers, money.AssetNGN, "came back from the biller", "went out through the biller"},
}

// money tells of what was posted on the accounts that stand for the outside.
func (f *follower) money(ctx context.Context) (more bool, err error) {
	for _, o := range outside {
		account := ledger.SystemAccount(ferry.Test, o.system, o.asset)
		entries, err := ferry.InRead(ctx, f.engine.Units(ferry.Test), func(ctx context.Context, tx store.Tx) ([]ledger.Entry, error) {
			return tx.Ledger().Entries(ctx, account, f.entries[account], followPage)
		})
		if err != nil {
			return false, err
		}
		for _, e := range entries {
			l := lineOfEntry(e, o.came, o.left)
			if len(entries) < followPage { // a backlog is told as it is: a look-up for each line would hold deliveries up
				l.Thing = f.thingOf(ctx, l.Thing)
			}
			f.journal.tell(l)
			f.entries[account] = e.ID
		}
		more = more || len(entries) == followPage
	}
	return more, nil
}

// thingOf is the thing to which the reference of a posting leads. A reference that has the form of an id is one
// of a thing that has no page, or is one of another business, unless it can be found.
func (f *follower) thingOf(ctx context.Context, ref string) string {
	if !looksLikeID(ref) {
		return ref
	}
	if _, _, ok := f.quiet.findAmong(ctx, ref, true); ok {
		return ref
	}
	return f.quiet.belongsTo(ctx, ref)
}

// lineOfEntry is the line of money that moved outside. What the outside owes us more is negative in its
// account.
func lineOfEntry(e ledger.Entry, came, left string) Line {
	amount, way := e.Amount, left
	if amount.Minor() < 0 {
		amount, way = amount.Neg(), came
	}
	return Line{
		Kind: Money, At: e.At, Title: explain.Money(amount) + " " + way, Thing: e.Ref,
		Detail: e.Kind, Path: "books?posting=" + url.QueryEscape(string(e.ID.Posting)), posting: e.ID.Posting,
	}
}

// faults tells of faults that have struck since the last look.
func (f *follower) faults(ctx context.Context) (more bool, err error) {
	armed, err := f.engine.World.Armed(ctx)
	if err != nil {
		return false, err
	}
	for _, a := range armed {
		kind := sandbox.Armed{Target: a.Target, Kind: a.Kind}
		if n := a.Struck - f.struck[kind]; n > 0 {
			f.journal.tell(Line{
				Kind: Fault, At: f.clock.Now(), Title: fmt.Sprintf("%s of the %s", a.Kind, a.Target), Path: "faults",
				Detail: fmt.Sprintf("struck %d, %d left", n, a.Left),
			})
		}
		f.struck[kind] = a.Struck
	}
	return false, nil
}
