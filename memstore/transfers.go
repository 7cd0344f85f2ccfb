package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

func (s walletStore) InsertTransfer(_ context.Context, t wallets.Transfer) error {
	if err := s.writable(); err != nil {
		return err
	}
	rows := s.rows()
	reference := scoped{t.Scope, t.Reference}
	if rows.transferBy.has(reference) {
		return wallets.ErrDuplicateReference
	}
	if rows.transfers.has(t.ID) {
		return fmt.Errorf("memstore: transfer %s exists", t.ID)
	}
	t.Version = 1
	rows.transferBy.insert(s.undo, reference, t.ID)
	s.putTransfer(t)
	return nil
}

// putTransfer writes a transfer and lists it while it is pending.
func (s walletStore) putTransfer(t wallets.Transfer) {
	rows := s.rows()
	rows.transfers.put(s.undo, t.ID, t)
	at := place[wallets.TransferID]{id: t.ID}
	if t.Status == wallets.Pending {
		rows.pending.add(s.undo, t.Scope.Env, at)
	} else {
		rows.pending.drop(s.undo, t.Scope.Env, at)
	}
}

func (s walletStore) Transfer(_ context.Context, scope ferry.Scope, id wallets.TransferID) (wallets.Transfer, error) {
	t, found := s.rows().transfers.get(id)
	if !found || t.Scope != scope {
		return wallets.Transfer{}, wallets.ErrTransactionNotFound
	}
	return t, nil
}

func (s walletStore) FindTransfer(_ context.Context, env ferry.Env, id wallets.TransferID) (wallets.Transfer, error) {
	t, found := s.rows().transfers.get(id)
	if !found || t.Scope.Env != env {
		return wallets.Transfer{}, wallets.ErrTransactionNotFound
	}
	return t, nil
}

func (s walletStore) TransferByReference(ctx context.Context, scope ferry.Scope, reference string) (wallets.Transfer, error) {
	return s.Transfer(ctx, scope, s.rows().transferBy.row(scoped{scope, reference}))
}

func (s walletStore) UpdateTransfer(ctx context.Context, t wallets.Transfer) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Transfer(ctx, t.Scope, t.ID)
	if err != nil {
		return err
	}
	if stored.Version != t.Version {
		return ferry.ErrStale
	}
	t.Version++
	t.Reference, t.CreatedAt = stored.Reference, stored.CreatedAt
	s.putTransfer(t)
	return nil
}

func (s walletStore) PendingTransfers(_ context.Context, env ferry.Env, after wallets.TransferID, limit int) ([]wallets.Transfer, error) {
	rows := s.rows()
	page := []wallets.Transfer{}
	for p := range rows.pending.of(env).after(place[wallets.TransferID]{id: after}) {
		if len(page) >= limit {
			break
		}
		page = append(page, rows.transfers.row(p.id))
	}
	return page, nil
}

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

func (s walletStore) InsertTransaction(_ context.Context, t wallets.Transaction) error {
	if err := s.writable(); err != nil {
		return err
	}
	rows := s.rows()
	if rows.transactions.has(t.ID) {
		return fmt.Errorf("memstore: transaction %s exists", t.ID)
	}
	if t.Transfer == "" {
		key := deposit{t.Address, t.Signature}
		if rows.deposits.has(key) {
			return wallets.ErrDeposited
		}
		rows.deposits.insert(s.undo, key, t.ID)
	}
	t.Version = 1
	rows.transactions.insert(s.undo, t.ID, t)
	at := placeOf(t.CreatedAt, t.ID)
	for _, list := range listsOf(t) {
		rows.lines.add(s.undo, list, at)
	}
	return nil
}

// listsOf names the lists that a transaction stands in.
func listsOf(t wallets.Transaction) [4]lines {
	return [4]lines{
		{scope: t.Scope}, {scope: t.Scope, status: t.Status},
		{scope: t.Scope, wallet: t.Wallet}, {scope: t.Scope, wallet: t.Wallet, status: t.Status},
	}
}

func (s walletStore) Transaction(_ context.Context, scope ferry.Scope, id wallets.TransactionID) (wallets.Transaction, error) {
	t, found := s.rows().transactions.get(id)
	if !found || t.Scope != scope {
		return wallets.Transaction{}, wallets.ErrTransactionNotFound
	}
	return t, nil
}

func (s walletStore) Deposit(_ context.Context, id wallets.AddressID, text chain.Signature) (wallets.Transaction, error) {
	rows := s.rows()
	t, found := rows.transactions.get(rows.deposits.row(deposit{id, text}))
	if !found {
		return wallets.Transaction{}, wallets.ErrTransactionNotFound
	}
	return t, nil
}

func (s walletStore) UpdateTransaction(ctx context.Context, t wallets.Transaction) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Transaction(ctx, t.Scope, t.ID)
	if err != nil {
		return err
	}
	if stored.Version != t.Version {
		return ferry.ErrStale
	}
	rows := s.rows()
	t.Version++
	t.Wallet, t.Address, t.Transfer, t.CreatedAt = stored.Wallet, stored.Address, stored.Transfer, stored.CreatedAt
	if t.Transfer == "" {
		t.Signature = stored.Signature // by which a deposit is known
	}
	rows.transactions.put(s.undo, t.ID, t)
	at, to := placeOf(t.CreatedAt, t.ID), listsOf(t)
	for i, from := range listsOf(stored) {
		rows.lines.regroup(s.undo, from, to[i], at)
	}
	return nil
}

func (s walletStore) Transactions(_ context.Context, scope ferry.Scope, f wallets.TransactionFilter, page ferry.Page) (ferry.List[wallets.Transaction], error) {
	rows := s.rows()
	get := func(id wallets.TransactionID) (wallets.Transaction, time.Time) {
		t := rows.transactions.row(id)
		return t, t.CreatedAt
	}
	l := rows.lines.of(lines{scope, f.Wallet, f.Status})
	if f.Direction == "" && f.Range == (ferry.Range{}) {
		return pageOf(l, page, get, nil), nil
	}
	return pageOf(l, page, get, func(t wallets.Transaction) bool {
		return (f.Direction == "" || t.Direction == f.Direction) && f.Range.Holds(t.CreatedAt)
	}), nil
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
