-- +goose Up

-- A transfer may have been made for a refund. A CHECK cannot be changed in SQLite, so the column
-- is made anew.
ALTER TABLE wallet_transfers ADD COLUMN origin TEXT NOT NULL DEFAULT '' CHECK (origin IN ('', 'receipt', 'refund'));
UPDATE wallet_transfers SET origin = origin_kind WHERE origin_kind <> '';
ALTER TABLE wallet_transfers DROP COLUMN origin_kind;
ALTER TABLE wallet_transfers RENAME COLUMN origin TO origin_kind;

-- The transfer that sends a refund back on the chain.
ALTER TABLE refunds ADD COLUMN transfer TEXT NOT NULL DEFAULT '';
