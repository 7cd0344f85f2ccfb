-- +goose Up

-- Whether a receipt came after the end. Those that did before this was kept belong to
-- payments that have ended, where nobody asks.
ALTER TABLE receipts ADD COLUMN late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1));
