package outgoing

import (
	"context"
	"errors"
	"sync"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// laterBecause logs why a job has to wait, when that is new or was not said for long, and is
// errLater.
func (s *Service) laterBecause(ctx context.Context, j job, why string, err error) error {
	if tries, say := s.remarks.note(j.transfer.ID, why, waitingFor(err)); say {
		s.config.Logger.WarnContext(ctx, why, "transfer", j.transfer.ID, "env", j.transfer.Scope.Env, "tries", tries, "error", err)
	}
	return errLater
}

// unsigned is laterBecause for a transfer that is not signed yet. It keeps the reason where a
// developer sees it.
func (s *Service) unsigned(ctx context.Context, j job, why string, err error) error {
	var kept error
	if reason := waitingFor(err); reason != j.transfer.Waiting {
		kept = s.change(ctx, j, checkIn, func(ctx context.Context, tx wallets.Tx, now job) error {
			now.transfer.Waiting = reason
			return showPending(ctx, tx, now.transfer)
		})
	}
	return errors.Join(s.laterBecause(ctx, j, why, err), kept)
}

// waitingFor is the reason that an error of a first step gives.
func waitingFor(err error) wallets.Waiting {
	switch {
	case errors.Is(err, chain.ErrFeePayer):
		return wallets.ForFeePayer
	case errors.Is(err, chain.ErrFeeBudget):
		return wallets.ForFeeBudget
	case errors.Is(err, chain.ErrUnavailable), errors.Is(err, wallets.ErrUnavailable):
		return wallets.ForChain
	}
	return wallets.ForOperator
}

// showPending writes a pending transfer, with its signature and with the reason for which it waits
// also on its line of the statement.
func showPending(ctx context.Context, tx wallets.Tx, t Transfer) error {
	t.UpdatedAt = tx.Now()
	if err := TransferKind.Update(ctx, tx, t); err != nil || t.Kind == Treasury {
		return err
	}
	line, err := wallets.TransactionKind.Get(ctx, tx, t.Scope, wallets.TransactionID(t.ID))
	if err != nil {
		return err
	}
	line.Signature, line.Waiting = t.Signature, t.Waiting
	return wallets.TransactionKind.Update(ctx, tx, line)
}

// remarks are what was logged of transfers that wait.
type remarks struct {
	mu  sync.Mutex
	all map[wallets.TransferID]remark
}

// remark is why a transfer waits, and how often it was tried since.
type remark struct {
	why    string
	reason wallets.Waiting
	tries  int
}

const (
	// maxRemarks bounds what is remembered. What is forgotten is logged once more.
	maxRemarks = 10_000
	// seldom is after how many tries a remark is repeated at the latest: about an hour.
	seldom = 2048
)

// note counts a try in vain, and reports whether it is to be logged: the first one for a reason,
// then the 2nd, 4th, 8th and so on.
func (r *remarks) note(id wallets.TransferID, why string, reason wallets.Waiting) (tries int, say bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.all[id]
	if now.why != why || now.reason != reason {
		now = remark{why: why, reason: reason}
	}
	now.tries++
	if r.all == nil || len(r.all) >= maxRemarks {
		r.all = map[wallets.TransferID]remark{}
	}
	r.all[id] = now
	return now.tries, now.tries&(now.tries-1) == 0 || now.tries%seldom == 0
}

// forget forgets a transfer that waits no longer.
func (r *remarks) forget(id wallets.TransferID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, id)
}
