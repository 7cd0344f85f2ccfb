package transfers

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
)

// Audit compares the transfers of one environment with the books: each that is open has its
// cost set aside, and no other has (check "fiat transfer").
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	rows := Kind.Walk(ctx, tx, records.Where(records.Is("env", env)))
	as := book.Compared{Check: "fiat transfer", Noun: "transfer", Prefix: Prefix}
	return book.Compare(ctx, tx, env, as, rows, func(t Transfer) (book.Payment, string, bool) {
		return t.booked(), string(t.Status), t.open()
	})
}
