-- +goose Up

-- What the order cost for which a payment was made. The amount of a line was the
-- order's before, so lines of then have it twice.
ALTER TABLE transactions ADD COLUMN price_asset TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN price INTEGER NOT NULL DEFAULT 0 CHECK (price >= 0);
UPDATE transactions SET price_asset = amount_asset, price = amount
WHERE EXISTS (SELECT 1 FROM payments p WHERE p.id = transactions.reference
    AND p.env = transactions.env AND p.business = transactions.business);
