-- +goose Up

-- Why a pending transfer is not signed yet, on the transfer and on its line of the statement.
ALTER TABLE wallet_transfers ADD COLUMN waiting TEXT NOT NULL DEFAULT ''
    CHECK (waiting IN ('', 'fee_payer', 'fee_budget', 'chain', 'operator'));
ALTER TABLE wallet_transactions ADD COLUMN waiting TEXT NOT NULL DEFAULT ''
    CHECK (waiting IN ('', 'fee_payer', 'fee_budget', 'chain', 'operator'));
CREATE INDEX wallet_transfers_by_waiting ON wallet_transfers (env, waiting, id) WHERE status = 'pending';
