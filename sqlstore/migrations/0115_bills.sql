-- +goose Up

CREATE TABLE bills (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    reference      TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'successful', 'failed')),
    stage          TEXT NOT NULL CHECK (stage IN ('', 'pending_approval')),
    service        TEXT NOT NULL CHECK (service IN ('AIRTIME', 'DATA', 'CABLETV', 'UTILITY')),
    provider       TEXT NOT NULL,
    product        TEXT NOT NULL,
    product_name   TEXT NOT NULL,
    vend_type      TEXT NOT NULL,
    number         TEXT NOT NULL,
    customer       TEXT NOT NULL,
    phone          TEXT NOT NULL,
    amount         INTEGER NOT NULL CHECK (amount >= 0),
    platform_fee   INTEGER NOT NULL CHECK (platform_fee >= 0),
    processing_fee INTEGER NOT NULL CHECK (processing_fee >= 0),
    biller_ref     TEXT NOT NULL,
    token          TEXT NOT NULL,
    units          TEXT NOT NULL,
    failure        TEXT NOT NULL,
    delivered_at   INTEGER,
    created_at     INTEGER NOT NULL,
    answer         TEXT NOT NULL CHECK (answer IN ('', 'unavailable', 'in_progress', 'not_as_paid', 'unknown_key', 'declined')),
    attempts       INTEGER NOT NULL CHECK (attempts >= 0),
    updated_at     INTEGER,
    submissions    INTEGER NOT NULL CHECK (submissions >= 0),
    version        INTEGER NOT NULL,
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX bills_by_scope ON bills (env, business, created_at, id);
CREATE INDEX bills_by_status ON bills (env, business, status, created_at, id);
CREATE INDEX bills_by_service ON bills (env, business, service, created_at, id);

-- What the audit walks, and what waits for an approval.
CREATE INDEX bills_by_env ON bills (env, id);
CREATE INDEX bills_waiting ON bills (env, id) WHERE stage = 'pending_approval';
