-- +goose Up

-- The rate at which a deposit counted. What came before this was kept has the rate of the
-- instruction of its address.
ALTER TABLE receipts ADD COLUMN price TEXT NOT NULL DEFAULT '';
