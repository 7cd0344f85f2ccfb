-- +goose Up

-- The part of a receipt that was accepted or refunded. Of what was decided before, it
-- is not known.
ALTER TABLE receipts ADD COLUMN decided_asset TEXT NOT NULL DEFAULT 'NGN';
ALTER TABLE receipts ADD COLUMN decided INTEGER NOT NULL DEFAULT 0 CHECK (decided >= 0);
UPDATE receipts SET decided_asset = amount_asset;
