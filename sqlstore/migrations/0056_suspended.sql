-- +goose Up

-- Who keeps a wallet suspended. Until now nobody noted whether it was an alarm, and a
-- business could end either.
-- (In PostgreSQL the text of this column was left to the collation of the database.)
-- +sqlite
ALTER TABLE wallets ADD COLUMN suspended_by TEXT NOT NULL DEFAULT ''
-- +postgres
ALTER TABLE wallets ADD COLUMN suspended_by TEXT NOT NULL DEFAULT ''
-- +both
    CHECK (suspended_by IN ('', 'business', 'alarm', 'business_and_alarm'));
UPDATE wallets SET suspended_by = 'business' WHERE status = 'suspended';
