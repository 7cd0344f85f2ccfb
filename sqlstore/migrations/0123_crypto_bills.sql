-- +goose Up

-- The order whose USDC pays for a bill.
ALTER TABLE bills ADD COLUMN paid_by TEXT NOT NULL DEFAULT '';

-- The naira of an offramp pay an account or a bill.
ALTER TABLE offramps ADD COLUMN pays TEXT NOT NULL DEFAULT 'account' CHECK (pays IN ('account', 'bill'));
ALTER TABLE offramps ADD COLUMN service TEXT NOT NULL DEFAULT '' CHECK (service IN ('', 'AIRTIME', 'DATA', 'CABLETV', 'UTILITY'));
ALTER TABLE offramps ADD COLUMN provider TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN product TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN product_name TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN vend_type TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN number TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN customer TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN phone TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN bill_amount INTEGER NOT NULL DEFAULT 0 CHECK (bill_amount >= 0);
ALTER TABLE offramps ADD COLUMN platform_fee INTEGER NOT NULL DEFAULT 0 CHECK (platform_fee >= 0);
ALTER TABLE offramps ADD COLUMN processing_fee INTEGER NOT NULL DEFAULT 0 CHECK (processing_fee >= 0);
ALTER TABLE offramps ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN bill TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0);
ALTER TABLE offramps ADD COLUMN retry_until INTEGER;
ALTER TABLE offramps ADD COLUMN token TEXT NOT NULL DEFAULT '';
ALTER TABLE offramps ADD COLUMN units TEXT NOT NULL DEFAULT '';

-- A CHECK cannot be changed in SQLite, so the columns with new words are made anew.
ALTER TABLE offramps ADD COLUMN stage_now TEXT NOT NULL DEFAULT 'awaiting_deposit'
    CHECK (stage_now IN ('awaiting_deposit', 'funds_received', 'payment_submitted', 'purchase_refused', 'done', 'expired', 'refunded'));
UPDATE offramps SET stage_now = stage;
ALTER TABLE offramps DROP COLUMN stage;
ALTER TABLE offramps RENAME COLUMN stage_now TO stage;
ALTER TABLE offramp_deposits ADD COLUMN reason_now TEXT NOT NULL DEFAULT ''
    CHECK (reason_now IN ('', 'excess', 'late', 'underpaid', 'payout_failed', 'purchase_failed'));
UPDATE offramp_deposits SET reason_now = reason;
ALTER TABLE offramp_deposits DROP COLUMN reason;
ALTER TABLE offramp_deposits RENAME COLUMN reason_now TO reason;

-- Lists by what the naira pay, with what they have counted already.
CREATE INDEX offramps_by_pays ON offramps (env, business, pays, created_at, id);
CREATE INDEX offramps_by_status_pays ON offramps (env, business, status, pays, created_at, id);
INSERT INTO counters (list, rows)
    SELECT 'offramps/' || env || '/' || business || '//' || pays, count(*) FROM offramps GROUP BY env, business, pays;
INSERT INTO counters (list, rows)
    SELECT 'offramps/' || env || '/' || business || '/' || status || '/' || pays, count(*) FROM offramps GROUP BY env, business, status, pays;
