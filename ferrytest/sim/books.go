package sim

import (
	"context"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/store"
)

// claimed reports whether a process holds due work.
func (r *run) claimed() (held bool, err error) {
	var queues []lease.Queue
	for _, d := range engine.Domains() {
		for _, k := range d.Queues {
			queues = append(queues, k.In(ferry.Test))
		}
	}
	err = r.store.Read(context.Background(), func(ctx context.Context, tx store.Ports) error {
		held, err = tx.Leases().Held(ctx, queues)
		return err
	})
	return held, err
}

// checkStep holds the books against what is true after every step that committed anything: no
// account has less than is set aside of it, or less than nothing.
func (r *run) checkStep() {
	if !r.committed {
		return
	}
	r.committed = false
	r.must(r.store.Read(context.Background(), func(ctx context.Context, tx store.Ports) error {
		var after ledger.AccountID
		for {
			page, err := tx.Ledger().Accounts(ctx, ferry.Test, after, 500) //nolint:mnd // a page
			if err != nil || len(page) == 0 {
				return err
			}
			for _, a := range page {
				after = a.ID
				r.waitForRecalls(a)
				if reserved := a.Reserved.Minor(); !a.Uncounted && (reserved < 0 || a.Posted.Minor() < reserved) {
					r.fail("balances", "%s has %s, of which %s are set aside", a.ID, a.Posted, a.Reserved)
				}
			}
		}
	}))
}

// checkBooks recounts all entries of the books, independently of the ledger's own audit.
func (r *run) checkBooks() {
	sums := map[string]int64{}
	r.must(r.store.Read(context.Background(), func(ctx context.Context, tx store.Ports) error {
		postings := map[ledger.PostingID]map[string]int64{}
		var after ledger.AccountID
		for {
			page, err := tx.Ledger().Accounts(ctx, ferry.Test, after, 500) //nolint:mnd // a page
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			for _, a := range page {
				after = a.ID
				sum, err := r.recount(ctx, tx, a, postings)
				if err != nil {
					return err
				}
				if !a.Uncounted && a.Control == "" && sum != a.Posted.Minor() && !isControl(page, a) {
					r.fail("books", "%s shows %s, and its entries sum up to %d", a.ID, a.Posted, sum)
				}
				sums[string(a.Asset)] += sum
			}
		}
		for id, legs := range postings {
			for asset, sum := range legs {
				if sum != 0 {
					r.fail("books", "posting %s is off balance by %d %s", id, sum, asset)
				}
			}
		}
		return nil
	}))
	for asset, sum := range sums {
		if sum != 0 {
			r.fail("books", "all %s sum up to %d", asset, sum)
		}
	}
}

// isControl reports whether an account only sums others.
func isControl(page []ledger.Account, a ledger.Account) bool {
	for _, other := range page {
		if other.Control == a.ID {
			return true
		}
	}
	return false
}

// recount sums the entries of an account, and adds them to their postings.
func (r *run) recount(ctx context.Context, tx store.Ports, a ledger.Account, postings map[ledger.PostingID]map[string]int64) (sum int64, err error) {
	var after ledger.EntryID
	for {
		page, err := tx.Ledger().Entries(ctx, a.ID, after, 500) //nolint:mnd // a page
		if err != nil || len(page) == 0 {
			return sum, err
		}
		for _, e := range page {
			after = e.ID
			sum += e.Amount.Minor()
			if postings[e.ID.Posting] == nil {
				postings[e.ID.Posting] = map[string]int64{}
			}
			postings[e.ID.Posting][string(e.Amount.Asset())] += e.Amount.Minor()
		}
	}
}

// unfinished names what is not at rest.
func (r *run) unfinished() string {
	var all []string
	due, err := r.servers[0].engine.DueNext(context.Background())
	r.must(err)
	for _, d := range due {
		all = append(all, fmt.Sprintf("%s at %s", d.What, d.At))
	}
	for _, c := range r.waiting {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}
