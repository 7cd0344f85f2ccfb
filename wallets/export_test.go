package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
)

// Advance takes the step on the chain with which TransferOp follows up what it recorded.
func (s *Outgoing) Advance(ctx context.Context, scope ferry.Scope, id TransferID) error {
	return s.advance(ctx, scope, id)
}
