-- +goose Up

-- The audit reads what waits for an approval, and the approvals that are pending. They are few.
CREATE INDEX outflow_approvals_pending ON outflow_approvals (env, id) WHERE status = 'pending';
CREATE INDEX payouts_waiting ON payouts (env, id) WHERE stage = 'pending_approval';
CREATE INDEX fiat_transfers_waiting ON fiat_transfers (env, id) WHERE stage = 'pending_approval';
CREATE INDEX refunds_waiting ON refunds (env, id) WHERE stage = 'pending_approval';
CREATE INDEX wallet_transfers_waiting ON wallet_transfers (env, id) WHERE stage = 'pending_approval';
