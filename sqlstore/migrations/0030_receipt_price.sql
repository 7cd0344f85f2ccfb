-- +goose Up

-- The rate at which a deposit counted. What came before this was kept has the rate of the
-- instruction of its address.
-- (In PostgreSQL the text of this column was left to the collation of the database.)
-- +sqlite
ALTER TABLE receipts ADD COLUMN price TEXT NOT NULL DEFAULT '';
-- +postgres
ALTER TABLE receipts ADD COLUMN price TEXT NOT NULL DEFAULT '';
