package bills

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/book"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
)

// Audit compares the bills of one environment with the books: each that is open has its cost set
// aside, and no other has (check "bill").
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	rows := Kind.Walk(ctx, tx, records.Where(records.Is("env", env)))
	return book.Compare(ctx, tx, env, book.Compared{Check: "bill", Noun: "bill", Prefix: Prefix}, rows, func(b Bill) (book.Payment, string, bool) {
		return b.booked(), string(b.Status), b.open()
	})
}
