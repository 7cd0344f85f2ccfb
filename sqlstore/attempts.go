package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// liveOfTransfer is the unique index of the one attempt of a transfer that is live.
const liveOfTransfer = 0

var transferAttemptTable = define(table[wallets.Attempt]{
	name: "transfer_attempts",
	key:  []string{"env", "signature"},
	fields: func(a *wallets.Attempt) []field {
		return []field{
			col("env", &a.Scope.Env),
			col("business", &a.Scope.Business),
			col("transfer", &a.Transfer),
			col("number", &a.Number),
			col("signature", &a.Signature),
			col("bytes", &a.Bytes),
			col("blockhash", &a.Blockhash),
			col("last_valid_height", heightField{&a.LastValidHeight}),
			col("memo", &a.Memo),
			col("sources", sourcesField{&a.Sources}),
			col("to_id", &a.To),
			col("state", &a.State),
			col("seen", &a.Seen),
			col("created_at", instant(&a.CreatedAt)),
			col("updated_at", instant(&a.UpdatedAt)),
		}
	},
	version: func(a *wallets.Attempt) *int64 { return &a.Version },
	scope:   func(a wallets.Attempt) ferry.Scope { return a.Scope },
	unique: []unique[wallets.Attempt]{liveOfTransfer: {
		columns: []string{"transfer"},
		when:    "state = 'live'",
		holds:   func(a wallets.Attempt) bool { return a.State == wallets.AttemptLive },
		taken:   wallets.ErrAttemptExists,
	}},
	missing: wallets.ErrAttemptNotFound,
	exists:  wallets.ErrAttemptExists,
	keep: func(stored wallets.Attempt, a *wallets.Attempt) {
		a.Signed, a.Transfer, a.Number = stored.Signed, stored.Transfer, stored.Number
		a.Sources, a.CreatedAt = stored.Sources, stored.CreatedAt
	},
})

// heightField stores a height of blocks as an integer, which ends earlier.
type heightField struct{ at *uint64 }

func (f heightField) Value() (driver.Value, error) {
	if *f.at > math.MaxInt64 {
		return nil, fmt.Errorf("sqlstore: no chain is %d blocks high", *f.at)
	}
	return int64(*f.at), nil
}

func (f heightField) Scan(v any) error {
	height, ok := v.(int64)
	if !ok || height < 0 {
		return fmt.Errorf("sqlstore: a height is a number of blocks, not %v", v)
	}
	*f.at = uint64(height)
	return nil
}

// sourcesField stores who pays an attempt as JSON, with amounts in minor units.
type sourcesField struct{ at *[]wallets.Source }

// payer is one source as it is stored.
type payer struct {
	ID      wallets.AddressID `json:"id"`
	Address chain.Address     `json:"address"`
	Minor   int64             `json:"minor"`
}

func (f sourcesField) Value() (driver.Value, error) {
	var payers []payer
	for _, source := range *f.at {
		payers = append(payers, payer{source.ID, source.Address, source.Amount.Minor()})
	}
	return plain(document(&payers))
}

func (f sourcesField) Scan(v any) error {
	var payers []payer
	if err := document(&payers).(sql.Scanner).Scan(v); err != nil {
		return err
	}
	*f.at = nil
	for _, p := range payers {
		*f.at = append(*f.at, wallets.Source{ID: p.ID, Address: p.Address, Amount: money.Of(wallets.Asset, p.Minor)})
	}
	return nil
}

func (s walletStore) InsertAttempt(_ context.Context, a wallets.Attempt) error {
	return transferAttemptTable.insert(s.unit, a)
}

func (s walletStore) AttemptBy(ctx context.Context, env ferry.Env, signature chain.Signature) (wallets.Attempt, error) {
	return transferAttemptTable.get(ctx, s.unit, env, signature)
}

func (s walletStore) LiveAttempt(ctx context.Context, scope ferry.Scope, id wallets.TransferID) (wallets.Attempt, error) {
	a, err := transferAttemptTable.find(ctx, s.unit, liveOfTransfer, id)
	if err == nil && a.Scope != scope {
		return wallets.Attempt{}, wallets.ErrAttemptNotFound
	}
	return a, err
}

func (s walletStore) UpdateAttempt(ctx context.Context, a wallets.Attempt) error {
	return transferAttemptTable.update(ctx, s.unit, a)
}

func (s walletStore) Attempts(ctx context.Context, scope ferry.Scope, id wallets.TransferID) ([]wallets.Attempt, error) {
	f := inScope(scope).and("transfer = ?", id)
	return transferAttemptTable.read(ctx, s.unit, f.where()+" ORDER BY number", f.args)
}
