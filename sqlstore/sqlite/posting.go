package sqlite

import (
	"fmt"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Post writes a posting in a statement for each row.
func (f *file) Post(j sqldb.Journal) []sqldb.Step {
	steps := []sqldb.Step{{SQL: sqldb.PutPosting, Args: j.PutPostingArgs(), Refuse: sqldb.Refusal(j.Taken)}}
	for _, m := range j.Moves {
		steps = append(steps, m.Step())
	}
	for i, e := range j.Entries {
		steps = append(steps, sqldb.Step{
			SQL: `INSERT INTO entries (posting, leg, account, amount, balance_after, control_after)
				SELECT p.no, ?, a.no, ?, CASE WHEN NOT a.uncounted THEN a.posted - ? END, c.posted - ?
				FROM postings p CROSS JOIN accounts a LEFT JOIN accounts c ON c.no = a.control
				WHERE p.id = ? AND a.id = ? AND NOT a.is_control`,
			Args:   []any{int64(i), e.Minor, e.Later, e.ControlLater, string(j.ID), string(e.Account)},
			Refuse: sqldb.Refusal(fmt.Errorf("sqlite: posting %s cannot be entered on %s", j.ID, e.Account)),
		})
	}
	return steps
}
