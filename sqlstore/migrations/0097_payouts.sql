-- +goose Up

CREATE TABLE payouts (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    reference      TEXT NOT NULL,
    type           TEXT NOT NULL CHECK (type IN ('single', 'bulk')),
    source         TEXT NOT NULL,
    narration      TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'successful', 'partially_successful', 'failed', 'cancelled')),
    total          INTEGER NOT NULL CHECK (total >= 0),
    fee            INTEGER NOT NULL CHECK (fee >= 0),
    reserved       INTEGER NOT NULL CHECK (reserved >= 0),
    slices         INTEGER NOT NULL CHECK (slices >= 0),
    pending        INTEGER NOT NULL CHECK (pending >= 0),
    processing     INTEGER NOT NULL CHECK (processing >= 0),
    successful     INTEGER NOT NULL CHECK (successful >= 0),
    failed         INTEGER NOT NULL CHECK (failed >= 0),
    cancelled      INTEGER NOT NULL CHECK (cancelled >= 0),
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER,
    version        INTEGER NOT NULL,
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX payouts_by_scope ON payouts (env, business, created_at, id);
CREATE INDEX payouts_by_type ON payouts (env, business, type, created_at, id);
CREATE INDEX payouts_by_status ON payouts (env, business, status, created_at, id);

CREATE TABLE payout_items (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    payout         TEXT NOT NULL REFERENCES payouts (id),
    number         INTEGER NOT NULL CHECK (number >= 0),
    reference      TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'successful', 'failed', 'cancelled')),
    amount         INTEGER NOT NULL CHECK (amount >= 0),
    platform_fee   INTEGER NOT NULL CHECK (platform_fee >= 0),
    processing_fee INTEGER NOT NULL CHECK (processing_fee >= 0),
    bank_code      TEXT NOT NULL,
    account_number TEXT NOT NULL,
    account_name   TEXT NOT NULL,
    source         TEXT NOT NULL,
    narration      TEXT NOT NULL,
    bank_session   TEXT NOT NULL,
    failure        TEXT NOT NULL,
    paid_at        INTEGER,
    returned_at    INTEGER,
    created_at     INTEGER NOT NULL,
    answer         TEXT NOT NULL CHECK (answer IN ('', 'unavailable', 'in_progress', 'not_as_paid', 'unknown_key', 'declined')),
    attempts       INTEGER NOT NULL CHECK (attempts >= 0),
    updated_at     INTEGER,
    submissions    INTEGER NOT NULL CHECK (submissions >= 0),
    version        INTEGER NOT NULL,
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX payout_items_by_payout ON payout_items (env, business, payout, created_at, id);
CREATE INDEX payout_items_by_status ON payout_items (env, business, payout, status, created_at, id);

-- How far the reports of an environment's bank about payments were read.
CREATE TABLE bank_outcomes (
    env     TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    cursor  TEXT NOT NULL
) STRICT;

-- How often the bank was asked for a return, as far as that was recorded.
ALTER TABLE returns ADD COLUMN submissions INTEGER NOT NULL DEFAULT 0;
