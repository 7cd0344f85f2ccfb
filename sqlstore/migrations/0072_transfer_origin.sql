-- +goose Up

-- What a transfer was made for: the id of a receipt of a payment that goes back. Until now
-- it stood in the metadata, which a business may write too. So old transfers get it from
-- the receipts, which name the transfer that refunds them.
ALTER TABLE wallet_transfers ADD COLUMN origin_kind TEXT NOT NULL DEFAULT '' CHECK (origin_kind IN ('', 'receipt'));
ALTER TABLE wallet_transfers ADD COLUMN origin_id TEXT NOT NULL DEFAULT '';
UPDATE wallet_transfers SET origin_kind = 'receipt', origin_id = receipts.id
FROM receipts WHERE receipts.outcome = wallet_transfers.id;
