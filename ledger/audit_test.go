package ledger_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// tampered is a store as somebody left it who wrote into its tables by hand.
type tampered struct {
	ledger.Store
	account      func(*ledger.Account)
	entry        func(*ledger.Entry)
	lostEntry    ledger.EntryID
	lostAccount  ledger.AccountID
	reservations []ledger.Reservation // added
	err          error
}

func (s tampered) Accounts(ctx context.Context, env ferry.Env, after ledger.AccountID, limit int) ([]ledger.Account, error) {
	page, err := s.Store.Accounts(ctx, env, after, limit)
	for i := range page {
		if s.account != nil {
			s.account(&page[i])
		}
	}
	return slices.DeleteFunc(page, func(a ledger.Account) bool { return a.ID == s.lostAccount }), cmp.Or(s.err, err)
}

func (s tampered) Entries(ctx context.Context, id ledger.AccountID, after ledger.EntryID, limit int) ([]ledger.Entry, error) {
	page, err := s.Store.Entries(ctx, id, after, limit)
	for i := range page {
		if s.entry != nil {
			s.entry(&page[i])
		}
	}
	return slices.DeleteFunc(page, func(e ledger.Entry) bool { return e.ID == s.lostEntry }), err
}

func (s tampered) OpenReservations(ctx context.Context, env ferry.Env, after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
	page, err := s.Store.OpenReservations(ctx, env, after, limit)
	return append(page, s.reservations...), err
}

// movedBooks are books after some postings: w/a has 90 with 30 reserved, w/b 10.
func movedBooks(t *testing.T) *memstore.Store {
	s := openBooks(t, t.Context())
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for i, legs := range [][]ledger.Leg{pair(chainID, "w/a", 100), pair("w/a", "w/b", 10)} {
			if err := ledger.Post(ctx, p.Ledger(), ledger.Posting{ID: ledger.PostingID(fmt.Sprint("p", i)), Env: ferry.Test, Legs: legs}); err != nil {
				return err
			}
		}
		return ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: "r", Account: "w/a", Amount: money.USDC(30)})
	}))
	return s
}

func auditOf(t *testing.T, s *memstore.Store, tamper tampered) ([]ledger.Finding, error) {
	var findings []ledger.Finding
	err := s.Read(t.Context(), func(ctx context.Context, p store.Ports) (err error) {
		tamper.Store = p.Ledger()
		findings, err = ledger.Audit(ctx, tamper, ferry.Test)
		return err
	})
	return findings, err
}

func TestAnAuditOfBooksThatNobodyTouchedFindsNothing(t *testing.T) {
	findings, err := auditOf(t, movedBooks(t), tampered{})
	require.NoError(t, err)
	require.Empty(t, findings)
}

// on returns a change of one account.
func on(id ledger.AccountID, change func(*ledger.Account)) func(*ledger.Account) {
	return func(a *ledger.Account) {
		if a.ID == id {
			change(a)
		}
	}
}

func TestAnAuditFinds(t *testing.T) {
	for name, c := range map[string]struct {
		tamper tampered
		want   []string // check and subject of each finding
	}{
		"a balance that its entries do not sum to": {
			tampered{account: on("x", func(a *ledger.Account) { a.Posted = money.USDC(5) })},
			[]string{"control x"}, // without entries, x is a control account over nothing
		},
		"a balance and its control account that went astray": {
			tampered{account: on("w/b", func(a *ledger.Account) { a.Posted = money.USDC(11) })},
			[]string{"balance w/b", "control w"},
		},
		"a running balance that is not the running sum": {
			tampered{entry: func(e *ledger.Entry) {
				if e.ID.Posting == "p1" && e.Account == "w/a" {
					e.BalanceAfter = money.USDC(91)
				}
			}},
			[]string{"balance p1/0"},
		},
		"a reserved amount that no reservation holds": {
			tampered{account: on("w/a", func(a *ledger.Account) { a.Reserved = money.USDC(31) })},
			[]string{"reserved w/a", "control w"},
		},
		"an open reservation that its account does not know": {
			tampered{reservations: []ledger.Reservation{{ID: "s", Account: "w/b", Amount: money.USDC(1)}}},
			[]string{"reserved w/b"},
		},
		"an open reservation of an account without entries": {
			tampered{reservations: []ledger.Reservation{{ID: "s", Account: "x", Amount: money.USDC(1)}}},
			[]string{"reserved x"},
		},
		"an open reservation of an account that is not there": {
			tampered{reservations: []ledger.Reservation{{ID: "s", Account: "none", Amount: money.USDC(1)}}},
			[]string{"reserved none"},
		},
		"more reserved than posted": {
			tampered{account: on("w/b", func(a *ledger.Account) { a.Reserved = money.USDC(11) })},
			[]string{"floor w/b", "reserved w/b", "control w"},
		},
		"less than nothing reserved": {
			tampered{account: on("w/b", func(a *ledger.Account) { a.Reserved = money.USDC(-1) })},
			[]string{"floor w/b", "reserved w/b", "control w"},
		},
		"a control account that is not the sum of its subsidiaries": {
			tampered{account: on("w", func(a *ledger.Account) { a.Posted = money.USDC(101) })},
			[]string{"control w"},
		},
		"a control account that holds back another sum": {
			tampered{account: on("w", func(a *ledger.Account) { a.Reserved = money.USDC(0) })},
			[]string{"control w"},
		},
		"a control account that is missing": {
			tampered{lostAccount: "w"},
			[]string{"control w"},
		},
		"a subsidiary that lost all its entries": {
			tampered{lostEntry: ledger.EntryID{Posting: "p1", Leg: 1}},
			[]string{"balance w/b", "zero_sum USDC"},
		},
		"money from nowhere": {
			tampered{lostEntry: ledger.EntryID{Posting: "p0", Leg: 0}},
			[]string{"zero_sum USDC"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			findings, err := auditOf(t, movedBooks(t), c.tamper)
			require.NoError(t, err)
			var got []string
			for _, f := range findings {
				require.NotEmpty(t, f.Text)
				got = append(got, f.Check+" "+f.Subject)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestAnAuditThatCannotReadOrCountSaysSo(t *testing.T) {
	_, err := auditOf(t, movedBooks(t), tampered{err: context.DeadlineExceeded})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = auditOf(t, movedBooks(t), tampered{entry: func(e *ledger.Entry) { e.Amount = money.USDC(1 << 62) }})
	require.ErrorIs(t, err, money.ErrOverflow)
}

func TestAnAuditReadsBooksOfManyPages(t *testing.T) {
	s := openBooks(t, t.Context())
	const many = 1234
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for i := range many {
			id := fmt.Sprintf("%04d", i)
			if err := p.Ledger().OpenAccount(ctx, ledger.Account{ID: ledger.AccountID("y/" + id), Scope: ferry.Scope{Env: ferry.Test}, Asset: money.AssetUSDC}); err != nil {
				return err
			}
			if err := ledger.Post(ctx, p.Ledger(), ledger.Posting{ID: ledger.PostingID(id), Env: ferry.Test, Legs: pair(chainID, "x", 1)}); err != nil {
				return err
			}
			if err := ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: ledger.ReservationID(id), Account: "x", Amount: money.USDC(1)}); err != nil {
				return err
			}
		}
		return nil
	}))
	findings, err := auditOf(t, s, tampered{})
	require.NoError(t, err)
	require.Empty(t, findings)
	findings, err = auditOf(t, s, tampered{lostEntry: ledger.EntryID{Posting: "1233", Leg: 1}})
	require.NoError(t, err)
	require.Len(t, findings, 2) // the balance of x, and the sum over all
}
