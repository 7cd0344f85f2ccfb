-- +goose Up

-- Prices in naira that an order in USDC was offered at after its first one.
ALTER TABLE checkout_sessions ADD COLUMN renewed TEXT;
