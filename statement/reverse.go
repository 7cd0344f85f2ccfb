package statement

import (
	"context"

	"github.com/ferrypay/ferry"
)

// ReverseIn notes on the line of a reference that its money was taken back. One that
// went back before stays. Errors: ErrNotFound.
func ReverseIn(ctx context.Context, tx Tx, scope ferry.Scope, reference string) error {
	line, err := Kind.Find(ctx, tx, ByReference, Transaction{Scope: scope, Reference: reference})
	if err != nil || line.Status != Success {
		return err
	}
	line.Status, line.UpdatedAt = Reversed, tx.Now()
	return Kind.Update(ctx, tx, line)
}
