-- +goose Up

-- What a search looks in, in lower case, of rows with letters outside of ASCII, which
-- lower() does not know. NULL where it is lower() of other columns. The next migration,
-- in Go, fills it.
ALTER TABLE payments ADD COLUMN search TEXT;
ALTER TABLE transactions ADD COLUMN search TEXT;
ALTER TABLE payment_links ADD COLUMN search TEXT;
ALTER TABLE collection_accounts ADD COLUMN search TEXT;
ALTER TABLE checkout_sessions ADD COLUMN search TEXT;
