package custody

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Reconciliation is what a comparison of custody with the chain has found.
type Reconciliation struct {
	// Slot is the newest block that was compared with, and Addresses how many
	// addresses were.
	Slot      uint64
	Addresses int
	// OnChain is what they hold there, and Custody what the store says.
	OnChain, Custody money.Amount
	// Drifts are addresses on which the two differ by something that nothing
	// under way explains.
	Drifts []Drift
	// InFlight lists addresses that differ only by payments under way.
	InFlight []ledger.Finding
}

// Drift is an address that holds something else than it should.
type Drift struct {
	wallets.Custody
	// Slot is the block that was compared with, Holds what the address has
	// there, and Expected what it should have.
	Slot            uint64
	Holds, Expected money.Amount
}

// Finding is the drift as an audit reports it.
func (d Drift) Finding() ledger.Finding {
	return ledger.Finding{Check: "drift", Subject: string(d.ID), Text: fmt.Sprintf(
		"%s holds %s at slot %d, the books and what is under way say %s", d.Address, d.Holds, d.Slot, d.Expected)}
}

// Reconcile compares what the managed addresses of an environment hold on the
// chain with their custody, address by address, each at one slot. It changes
// nothing. What is finalized and not yet booked, and what was booked before the
// history showed it, is in flight and no drift. Errors: ErrUnavailable.
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (Reconciliation, error) {
	total := Reconciliation{OnChain: money.Of(wallets.Asset, 0), Custody: money.Of(wallets.Asset, 0)}
	c, err := s.config.Chains.In(env)
	if err != nil {
		return total, err
	}
	e := &explainer{Service: s, chain: c, env: env}
	var after wallets.AddressID
	for {
		page, err := wallets.ReadCustodies(ctx, s.units, env, after, chain.MaxAddresses)
		if err != nil {
			return total, err
		}
		if len(page) > 0 {
			if err := e.reconcile(ctx, page, &total); err != nil {
				return total, err
			}
			after = page[len(page)-1].ID
		}
		if len(page) < chain.MaxAddresses {
			return total, nil
		}
	}
}

// reconcile compares a page of addresses with the chain.
func (e *explainer) reconcile(ctx context.Context, page []wallets.Custody, total *Reconciliation) error {
	held, err := e.holdings(ctx, page)
	if err != nil {
		return err
	}
	for i, custody := range page {
		slot, amount := held.Slot, held.Amounts[i]
		if amount.Minor() != custody.OnChain.Minor() {
			found, err := e.explain(ctx, custody.ID)
			if err != nil {
				return err
			}
			custody, slot, amount = found.Custody, found.Slot, found.Holds
			total.tell(found)
		}
		if err := total.count(custody, slot, amount); err != nil {
			return err
		}
	}
	return nil
}

// holdings asks the chain what addresses hold.
func (e *explainer) holdings(ctx context.Context, page []wallets.Custody) (chain.Holdings, error) {
	addresses := make([]chain.Address, len(page))
	for i, custody := range page {
		addresses[i] = custody.Address
	}
	held, err := e.chain.Holdings(ctx, addresses)
	if err != nil {
		return held, wallets.ErrUnavailable.Because(err)
	}
	if len(held.Amounts) != len(page) {
		return held, fmt.Errorf("wallets: %d amounts for %d addresses", len(held.Amounts), len(page))
	}
	return held, nil
}

// tell adds what was found out about an address on which chain and store differ.
func (r *Reconciliation) tell(found Drift) {
	switch {
	case found.Holds.Minor() != found.Expected.Minor():
		r.Drifts = append(r.Drifts, found)
	case found.Holds.Minor() != found.OnChain.Minor():
		r.InFlight = append(r.InFlight, ledger.Finding{Check: "in_flight", Subject: string(found.ID), Text: fmt.Sprintf(
			"%s holds %s at slot %d, of which %s is booked so far", found.Address, found.Holds, found.Slot, found.OnChain)})
	}
}

func (r *Reconciliation) count(custody wallets.Custody, slot uint64, amount money.Amount) (err error) {
	r.Slot = max(r.Slot, slot)
	r.Addresses++
	if r.OnChain, err = r.OnChain.Add(amount); err != nil {
		return err
	}
	r.Custody, err = r.Custody.Add(custody.OnChain)
	return err
}
