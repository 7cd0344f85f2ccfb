-- +goose Up

-- Whether a receipt came after the end. Those that did before this was kept belong to
-- payments that have ended, where nobody asks.
ALTER TABLE receipts ADD COLUMN late BOOLEAN NOT NULL DEFAULT FALSE;
