package sqlstore

import "fmt"

// post writes a posting in a statement for each row.
func (f *file) post(j journal) []step {
	steps := []step{{sql: putPosting, args: j.putPostingArgs(), refuse: refusal(j.taken)}}
	for _, m := range j.moves {
		steps = append(steps, m.step())
	}
	for i, e := range j.entries {
		steps = append(steps, step{
			sql: `INSERT INTO entries (posting, leg, account, amount, balance_after, control_after)
				SELECT p.no, ?, a.no, ?, CASE WHEN NOT a.uncounted THEN a.posted - ? END, c.posted - ?
				FROM postings p CROSS JOIN accounts a LEFT JOIN accounts c ON c.no = a.control
				WHERE p.id = ? AND a.id = ? AND NOT a.is_control`,
			args:   []any{int64(i), e.minor, e.later, e.controlLater, string(j.ID), string(e.account)},
			refuse: refusal(fmt.Errorf("sqlstore: posting %s cannot be entered on %s", j.ID, e.account)),
		})
	}
	return steps
}
