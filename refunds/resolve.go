package refunds

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
)

// Resolve ends an automatic refund that a person has looked into. See disburse.Service.Resolve.
func (s *Service) Resolve(ctx context.Context, env ferry.Env, r disburse.Resolution) (disburse.Resolution, error) {
	return s.payments.Resolve(ctx, env, r)
}
