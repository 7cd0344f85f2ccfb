package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Post writes a posting in one statement: what would be five round trips to read,
// lock, check and write is one question with one answer. One update moves all
// accounts, because each update costs the server more than a row of it. The entries
// join all that the statement has touched, so that they are there only when all of
// it is; else it fails as unmet.
func (s *server) Post(given sqldb.Journal) []sqldb.Step {
	j := journal{given}
	var q query
	q.add("WITH posting AS ("+sqldb.PutPosting+" RETURNING no)", j.PutPostingArgs()...)
	if len(j.Moves) > 0 {
		q.addMoves(j.Moves)
	}
	q.add(`, entered AS (INSERT INTO entries (posting, leg, account, amount, balance_after, control_after)
		SELECT posting.no, e.* FROM posting`)
	for i := range j.Moves {
		q.add(", (SELECT no, posted FROM moved WHERE n = " + strconv.Itoa(i) + ") AS a" + strconv.Itoa(i))
	}
	still := j.still()
	for i, id := range still {
		q.add(", (SELECT no, posted FROM accounts WHERE id = ?) AS s"+strconv.Itoa(i), string(id))
	}
	q.add(", LATERAL (VALUES ")
	for i, e := range j.Entries {
		if i > 0 {
			q.add(", ")
		}
		q.addEntry(j, still, i, e)
	}
	q.add(") AS e RETURNING 1) " + met + " FROM entered")
	return []sqldb.Step{{SQL: q.String(), Args: q.args, Checked: true, Refuse: j.refuse}}
}

// addMoves adds the part moved, which has the number and the balance of each account that moves
// can be made on. A control account falls short only when an account below it does, which the
// refusal then names.
func (q *query) addMoves(moves []sqldb.Movement) {
	q.add(`, moved AS (UPDATE accounts SET posted = accounts.posted + m.posted, reserved = accounts.reserved + m.reserved FROM (VALUES `)
	for i, m := range moves {
		if i > 0 {
			q.add(", ")
		}
		q.add("("+strconv.Itoa(i)+", "+strconv.FormatBool(m.Control)+", ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT))",
			string(m.Account), m.Posted, m.Reserved, m.Most())
	}
	q.add(`) AS m (n, control, id, posted, reserved, most)
		WHERE accounts.id = m.id AND accounts.posted <= m.most AND (m.control OR NOT is_control)
			AND accounts.posted + m.posted >= accounts.reserved + m.reserved
		RETURNING n, no, accounts.posted)`)
}

// journal is a posting that is written in one statement.
type journal struct{ sqldb.Journal }

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
func (q *query) addEntry(j journal, still []ledger.AccountID, i int, e sqldb.Entry) {
	account := j.place(e.Account, still)
	q.add(fmt.Sprintf("(%d, %s.no, CAST(? AS BIGINT), ", i, account), e.Minor)
	if e.Uncounted {
		q.add("CAST(NULL AS BIGINT)")
	} else {
		q.add(account+".posted - ?", e.Later)
	}
	if e.Control == "" {
		q.add(", CAST(NULL AS BIGINT))")
	} else {
		q.add(", "+j.place(e.Control, still)+".posted - ?)", e.ControlLater)
	}
}

// still returns the accounts of a posting that it does not move: uncounted ones,
// and control accounts from which it takes what it adds.
func (j journal) still() (ids []ledger.AccountID) {
	for _, e := range j.Entries {
		for _, id := range []ledger.AccountID{e.Account, e.Control} {
			if id != "" && !j.moved(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (j journal) moved(id ledger.AccountID) bool {
	return slices.ContainsFunc(j.Moves, func(m sqldb.Movement) bool { return m.Account == id })
}

// place names the part of the statement that has an account.
func (j journal) place(id ledger.AccountID, still []ledger.AccountID) string {
	if i := slices.IndexFunc(j.Moves, func(m sqldb.Movement) bool { return m.Account == id }); i >= 0 {
		return fmt.Sprintf("a%d", i)
	}
	return fmt.Sprintf("s%d", slices.Index(still, id))
}

// refuse explains why a posting was not written: its id is taken, or one of its
// accounts did not move.
func (j journal) refuse(ctx context.Context, a sqldb.Asker) error {
	var n int64
	found, err := sqldb.One(ctx, a, "SELECT 1 FROM postings WHERE id = ?", []any{string(j.ID)}, &n)
	switch {
	case err != nil:
		return err
	case found:
		return j.Taken
	}
	for _, m := range j.Moves {
		if err := m.Refuse(ctx, a); err != nil {
			return err
		}
	}
	return fmt.Errorf("postgres: posting %s cannot be entered", j.ID)
}
