-- +goose Up

-- Who keeps a wallet suspended. Until now nobody noted whether it was an alarm, and a
-- business could end either.
ALTER TABLE wallets ADD COLUMN suspended_by TEXT NOT NULL DEFAULT ''
    CHECK (suspended_by IN ('', 'business', 'alarm', 'business_and_alarm'));
UPDATE wallets SET suspended_by = 'business' WHERE status = 'suspended';
