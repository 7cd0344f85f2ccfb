-- +goose Up

-- How payers reach a business.
ALTER TABLE businesses ADD COLUMN support_email TEXT NOT NULL DEFAULT '';
ALTER TABLE businesses ADD COLUMN support_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE businesses ADD COLUMN support_url TEXT NOT NULL DEFAULT '';
