package custody

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

// Freeze suspends the wallets of addresses that drift, when the pass before this
// one found the same: a node that is behind another makes an address seem to
// drift once. It returns how many it suspended. Call it with what every pass of
// Reconcile over an environment found.
func (s *Service) Freeze(ctx context.Context, env ferry.Env, drifts []Drift) (int, error) {
	suspended := 0
	for _, d := range s.confirmed(env, drifts) {
		s.config.Logger.ErrorContext(ctx, "an address holds something else than the books say",
			"address", d.Address, "wallet", d.Wallet, "holds", d.Holds.String(), "expected", d.Expected.String())
		was, err := ferry.InUnit(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) (bool, error) {
			return s.config.Wallets.AlarmIn(ctx, tx, d.Scope, d.Wallet)
		})
		if err != nil {
			return suspended, err
		}
		if was {
			suspended++
		}
	}
	return suspended, nil
}

// confirmed returns the drifts that the pass before found, too, and remembers
// those of this one. What it remembers is a hint: without it a drift is confirmed
// one pass later.
func (s *Service) confirmed(env ferry.Env, drifts []Drift) []Drift {
	s.reconciling.Lock()
	defer s.reconciling.Unlock()
	var again []Drift
	now := map[wallets.AddressID]int64{}
	for _, d := range drifts {
		now[d.ID] = d.Holds.Minor() - d.Expected.Minor()
		if before, known := s.drifted[env][d.ID]; known && before == now[d.ID] {
			again = append(again, d)
		}
	}
	s.drifted[env] = now
	return again
}
