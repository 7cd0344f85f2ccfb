-- +goose Up

-- What is searched of these is ASCII, which needs no other form.
ALTER TABLE onramps ADD COLUMN search TEXT;
ALTER TABLE ramp_transactions ADD COLUMN search TEXT;
ALTER TABLE bills ADD COLUMN search TEXT;

-- A reference reads one order of a side.
CREATE UNIQUE INDEX ramp_transactions_by_reference ON ramp_transactions (env, business, side, reference);
