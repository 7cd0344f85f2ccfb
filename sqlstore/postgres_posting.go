package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/ledger"
)

// post writes a posting in one statement: what would be five round trips to read,
// lock, check and write is one question with one answer. The entries join all
// that the statement has touched, so that they are there only when all of it is;
// else it fails as unmet.
func (s *server) post(j journal) []step {
	var q query
	q.add("WITH posting AS ("+putPosting+" RETURNING no)", j.putPostingArgs()...)
	for i, m := range j.moves {
		sql, args := m.statement()
		q.add(fmt.Sprintf(", a%d AS (%s RETURNING no, posted)", i, sql), args...)
	}
	q.add(`, entered AS (INSERT INTO entries (posting, leg, account, amount, balance_after, control_after)
		SELECT posting.no, e.* FROM posting`)
	for i := range j.moves {
		q.add(fmt.Sprintf(", a%d", i))
	}
	still := j.still()
	for i, id := range still {
		q.add(fmt.Sprintf(", (SELECT no, posted FROM accounts WHERE id = ?) AS s%d", i), string(id))
	}
	q.add(", LATERAL (VALUES ")
	for i, e := range j.entries {
		if i > 0 {
			q.add(", ")
		}
		q.addEntry(j, still, i, e)
	}
	q.add(") AS e RETURNING 1) " + met + " FROM entered")
	return []step{{sql: q.String(), args: q.args, checked: true, refuse: j.refuse}}
}

// query is a statement in the making.
type query struct {
	strings.Builder
	args []any
}

func (q *query) add(sql string, args ...any) {
	q.WriteString(sql)
	q.args = append(q.args, args...)
}

// addEntry adds the row of an entry. Its balances are those that the same
// statement has made.
func (q *query) addEntry(j journal, still []ledger.AccountID, i int, e entry) {
	account := j.place(e.account, still)
	q.add(fmt.Sprintf("(%d, %s.no, CAST(? AS BIGINT), ", i, account), e.minor)
	if e.uncounted {
		q.add("CAST(NULL AS BIGINT)")
	} else {
		q.add(account+".posted - ?", e.later)
	}
	if e.control == "" {
		q.add(", CAST(NULL AS BIGINT))")
	} else {
		q.add(", "+j.place(e.control, still)+".posted - ?)", e.controlLater)
	}
}

// still returns the accounts of a posting that it does not move: uncounted ones,
// and control accounts from which it takes what it adds.
func (j journal) still() (ids []ledger.AccountID) {
	for _, e := range j.entries {
		for _, id := range []ledger.AccountID{e.account, e.control} {
			if id != "" && !j.moved(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (j journal) moved(id ledger.AccountID) bool {
	return slices.ContainsFunc(j.moves, func(m movement) bool { return m.account == id })
}

// place names the part of the statement that has an account.
func (j journal) place(id ledger.AccountID, still []ledger.AccountID) string {
	if i := slices.IndexFunc(j.moves, func(m movement) bool { return m.account == id }); i >= 0 {
		return fmt.Sprintf("a%d", i)
	}
	return fmt.Sprintf("s%d", slices.Index(still, id))
}

// refuse explains why a posting was not written: its id is taken, or one of its
// accounts did not move.
func (j journal) refuse(ctx context.Context, a asker) error {
	var n int64
	found, err := one(ctx, a, "SELECT 1 FROM postings WHERE id = ?", []any{string(j.ID)}, &n)
	switch {
	case err != nil:
		return err
	case found:
		return j.taken
	}
	for _, m := range j.moves {
		if err := m.refuse(ctx, a); err != nil {
			return err
		}
	}
	return fmt.Errorf("sqlstore: posting %s cannot be entered", j.ID)
}
