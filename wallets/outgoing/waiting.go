package outgoing

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// laterBecause logs why a job has to wait, when that is new or was not said for long, and is
// errLater.
func (s *Service) laterBecause(ctx context.Context, j job, why string, err error) error {
	if tries, say := s.remarks.Note(string(j.transfer.ID), why, string(waitingFor(err))); say {
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
