-- +goose Up

-- The audit reads the transfers that were made for onramps. They are few.
CREATE INDEX wallet_transfers_of_onramps ON wallet_transfers (env, id) WHERE origin_kind = 'onramp';
