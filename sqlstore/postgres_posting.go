package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/ledger"
)

// post writes a posting in one statement: what would be five round trips to read,
// lock, check and write is one question with one answer. It divides by zero unless
// every part of it has touched its row.
func (s *server) post(j journal) []step {
	var q query
	q.add("WITH posting AS ("+putPosting+" RETURNING no)", j.putPostingArgs()...)
	for i, m := range j.moves {
		sql, args := m.statement()
		q.add(fmt.Sprintf(", a%d AS (%s RETURNING no, posted)", i, sql), args...)
	}
	q.add(", entered AS (INSERT INTO entries (posting, leg, account, amount, balance_after, control_after) ")
	for i, e := range j.entries {
		if i > 0 {
			q.add(" UNION ALL ")
		}
		q.addEntry(j, i, e)
	}
	q.add(" RETURNING 1) SELECT 1 / (SELECT count(*) FROM posting")
	for i := range j.moves {
		q.add(fmt.Sprintf(", a%d", i))
	}
	q.add("), 1 / (CASE WHEN (SELECT count(*) FROM entered) = ? THEN 1 ELSE 0 END)", int64(len(j.entries)))
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

// addEntry selects the row of an entry. Balances are those that the same
// statement has made.
func (q *query) addEntry(j journal, i int, e entry) {
	const row = "SELECT posting.no, CAST(? AS BIGINT), %s.no, CAST(? AS BIGINT), "
	if e.uncounted {
		q.add(fmt.Sprintf(row, "u")+"CAST(NULL AS BIGINT), CAST(NULL AS BIGINT) FROM posting, accounts u WHERE u.id = ? AND NOT u.is_control",
			int64(i), e.minor, string(e.account))
		return
	}
	account, control := j.place(e.account), j.place(e.control)
	q.add(fmt.Sprintf(row+"%[1]s.posted - ?, ", account), int64(i), e.minor, e.later)
	switch {
	case e.control == "":
		q.add("CAST(NULL AS BIGINT) FROM posting, " + account)
	case control == "": // it does not move: what is added is taken away again
		q.add("c.posted - ? FROM posting, "+account+", accounts c WHERE c.id = ?", e.controlLater, string(e.control))
	default:
		q.add(fmt.Sprintf("%s.posted - ? FROM posting, %s, %[1]s", control, account), e.controlLater)
	}
}

// place names the part of the statement that moves an account, if any does.
func (j journal) place(id ledger.AccountID) string {
	i := slices.IndexFunc(j.moves, func(m movement) bool { return m.account == id })
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("a%d", i)
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
