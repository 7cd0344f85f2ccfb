-- +goose Up

-- The operator's stop of all that leaves an environment. It stands beside the hold, so that
-- one row says whether anything may leave.
ALTER TABLE wallet_holds ADD COLUMN stopped_at INTEGER;
ALTER TABLE wallet_holds ADD COLUMN stop_reason TEXT NOT NULL DEFAULT '';
