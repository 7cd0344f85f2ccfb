package memstore

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

func (s walletStore) InsertAttempt(_ context.Context, a wallets.Attempt) error {
	if err := s.writable(); err != nil {
		return err
	}
	rows := s.rows()
	key := signature{a.Scope.Env, a.Signature}
	taken := rows.attempts.has(key)
	other := rows.live.has(a.Transfer)
	if taken || other {
		return wallets.ErrAttemptExists
	}
	a.Version = 1
	rows.attempts.put(s.undo, key, a)
	rows.live.put(s.undo, a.Transfer, key)
	rows.tries.put(s.undo, a.Transfer, append(slices.Clone(rows.tries.row(a.Transfer)), key))
	return nil
}

func (s walletStore) AttemptBy(_ context.Context, env ferry.Env, text chain.Signature) (wallets.Attempt, error) {
	a, found := s.rows().attempts.get(signature{env, text})
	if !found {
		return wallets.Attempt{}, wallets.ErrAttemptNotFound
	}
	return a, nil
}

func (s walletStore) LiveAttempt(_ context.Context, scope ferry.Scope, id wallets.TransferID) (wallets.Attempt, error) {
	rows := s.rows()
	a, found := rows.attempts.get(rows.live.row(id))
	if !found || a.Scope != scope {
		return wallets.Attempt{}, wallets.ErrAttemptNotFound
	}
	return a, nil
}

func (s walletStore) UpdateAttempt(ctx context.Context, a wallets.Attempt) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.AttemptBy(ctx, a.Scope.Env, a.Signature)
	switch {
	case err != nil:
		return err
	case stored.Scope != a.Scope:
		return wallets.ErrAttemptNotFound
	case stored.Version != a.Version:
		return ferry.ErrStale
	}
	rows := s.rows()
	a.Version++
	a.Signed, a.Transfer, a.Number = stored.Signed, stored.Transfer, stored.Number
	a.Sources, a.CreatedAt = stored.Sources, stored.CreatedAt
	rows.attempts.put(s.undo, signature{a.Scope.Env, a.Signature}, a)
	if a.State != wallets.AttemptLive {
		rows.live.delete(s.undo, a.Transfer)
	}
	return nil
}

func (s walletStore) Attempts(_ context.Context, scope ferry.Scope, id wallets.TransferID) ([]wallets.Attempt, error) {
	rows := s.rows()
	all := []wallets.Attempt{}
	for _, key := range rows.tries.row(id) {
		if a := rows.attempts.row(key); a.Scope == scope {
			all = append(all, a)
		}
	}
	return all, nil
}

func (s walletStore) InsertAnomaly(ctx context.Context, a wallets.Anomaly) error {
	if err := s.writable(); err != nil {
		return err
	}
	if _, err := s.Anomaly(ctx, a.Address, a.Signature, a.Mint); err == nil {
		return wallets.ErrDeposited
	}
	rows := s.rows()
	rows.anomalies.put(s.undo, a.Address, append(slices.Clone(rows.anomalies.row(a.Address)), a))
	return nil
}

func (s walletStore) Anomaly(_ context.Context, id wallets.AddressID, text chain.Signature, mint string) (wallets.Anomaly, error) {
	for _, a := range s.rows().anomalies.row(id) {
		if a.Signature == text && a.Mint == mint {
			return a, nil
		}
	}
	return wallets.Anomaly{}, wallets.ErrTransactionNotFound
}

func (s walletStore) Anomalies(_ context.Context, id wallets.AddressID) ([]wallets.Anomaly, error) {
	return s.rows().anomalies.row(id), nil
}
