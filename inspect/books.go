package inspect

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/store"
)

const (
	// recountEvery is how often the books are audited while somebody watches and something happens.
	recountEvery = 5 * time.Second
	// booksShown is how many accounts a page shows.
	booksShown = 200
)

// booksState is what the last audit found.
type booksState struct {
	// Known is false before the first audit.
	Known    bool      `json:"known"`
	Findings []finding `json:"findings"`
	At       time.Time `json:"at"`

	version int64 // of the journal when the audit began
}

// Clean reports whether nothing is wrong.
func (s booksState) Clean() bool { return s.Known && len(s.Findings) == 0 }

// audited is what the last audit found.
func (i *Inspector) audited() booksState {
	if last := i.books.Load(); last != nil {
		return *last
	}
	return booksState{}
}

// recount audits the books when somebody watches and something has happened since the last time.
func (i *Inspector) recount(ctx context.Context) error {
	if last := i.audited(); !i.watched() || last.Known && last.version == i.journal.version() {
		return nil
	}
	_, err := i.audit(ctx)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// audit audits the books now.
func (i *Inspector) audit(ctx context.Context) (booksState, error) {
	s := booksState{Known: true, version: i.journal.version()}
	found, err := i.engine.Audit(ctx, ferry.Test)
	if err != nil {
		return booksState{}, err
	}
	s.Findings, s.At = viewFindings(found), i.clock.Now()
	i.books.Store(&s)
	return s, nil
}

// booksData is the page of the books.
type booksData struct {
	State    booksState `json:"state"`
	Accounts []account  `json:"accounts"`
	// Posting is one that was asked for, with all its legs.
	Posting string `json:"posting,omitempty"`
	Legs    []leg  `json:"legs,omitempty"`
	// Account is one that was asked for, and Entries what was posted to it.
	Account string `json:"account,omitempty"`
	Entries []leg  `json:"entries,omitempty"`
	// After leads to further accounts, or is empty.
	After string `json:"after,omitempty"`
}

// booksPage shows the accounts, or one of them, or one posting.
func (i *Inspector) booksPage(ctx context.Context, r *http.Request) (_ any, err error) {
	query := r.URL.Query()
	page := booksData{State: i.audited(), Posting: query.Get("posting"), Account: query.Get("account")}
	if page.Posting == "" && page.Account == "" || !page.State.Known {
		if page.State, err = i.audit(ctx); err != nil {
			return nil, err
		}
	}
	err = i.engine.Units(ferry.Test).Read(ctx, func(ctx context.Context, tx store.Tx) error {
		switch {
		case page.Posting != "":
			legs, err := tx.Ledger().Legs(ctx, ledger.PostingID(page.Posting))
			page.Legs = viewLegs(legs)
			return err
		case page.Account != "":
			entries, err := tx.Ledger().Entries(ctx, ledger.AccountID(page.Account), ledger.EntryID{}, booksShown)
			page.Entries = viewLegs(entries)
			return err
		}
		accounts, err := tx.Ledger().Accounts(ctx, ferry.Test, ledger.AccountID(query.Get("after")), booksShown)
		page.Accounts = viewAccounts(accounts)
		return err
	})
	if errors.Is(err, ledger.ErrAccountNotFound) {
		return nil, missing("There is no account " + page.Account)
	}
	if n := len(page.Accounts); n == booksShown {
		page.After = string(page.Accounts[n-1].ID)
	}
	return page, err
}

// legsOf are the legs of the postings that the timeline has for a thing.
func (i *Inspector) legsOf(ctx context.Context, lines []Line) ([]ledger.Entry, error) {
	return ferry.InRead(ctx, i.engine.Units(ferry.Test), func(ctx context.Context, tx store.Tx) (legs []ledger.Entry, err error) {
		seen := map[ledger.PostingID]bool{}
		for _, l := range lines {
			if l.posting == "" || seen[l.posting] {
				continue
			}
			seen[l.posting] = true
			found, err := tx.Ledger().Legs(ctx, l.posting)
			if err != nil {
				return nil, err
			}
			legs = append(legs, found...)
		}
		return legs, nil
	})
}
