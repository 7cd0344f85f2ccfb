package deposits

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

// Look books what the history of an address has, for one that waits for money and whose time is
// over. It reports whether more is on its way, which is not final yet. An error says that there
// may be more than was booked.
func (s *Service) Look(ctx context.Context, env ferry.Env, address chain.Address) (onTheWay bool, err error) {
	in, err := s.PendingDeposits(ctx, env, address)
	if err != nil {
		return false, err
	}
	// What became final meanwhile is in the history.
	_, err = s.ScanAddress(ctx, env, address)
	return in[0].Amount.Sign() > 0, err
}
