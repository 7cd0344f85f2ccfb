-- +goose Up

-- How the pages of a business look.
ALTER TABLE businesses ADD COLUMN logo_url TEXT NOT NULL DEFAULT '';
ALTER TABLE businesses ADD COLUMN icon_url TEXT NOT NULL DEFAULT '';
ALTER TABLE businesses ADD COLUMN accent_color TEXT NOT NULL DEFAULT '';

-- Where the payer of a payment finds the pages.
ALTER TABLE payments ADD COLUMN pages TEXT NOT NULL DEFAULT '';
