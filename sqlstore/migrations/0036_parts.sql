-- +goose Up

-- The part of a receipt that went back, where only its status said so.
UPDATE receipts SET decided = amount
WHERE decided = 0 AND (state = 'returned' OR state = 'refunded');
UPDATE receipts SET decided = (
    SELECT r.amount FROM returns r WHERE r.env = receipts.env AND r.session = receipts.source)
WHERE decided = 0 AND state = 'settled' AND method = 'bank_transfer' AND EXISTS (
    SELECT 1 FROM returns r WHERE r.env = receipts.env AND r.session = receipts.source AND r.amount < receipts.amount);
