-- +goose Up

CREATE TABLE refunds (
    id                   TEXT PRIMARY KEY,
    env                  TEXT NOT NULL,
    business             TEXT NOT NULL,
    transaction_id       TEXT NOT NULL REFERENCES transactions (id),
    trx_id               TEXT NOT NULL,
    paid                 TEXT NOT NULL,
    reference            TEXT NOT NULL,
    status               TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'failed', 'successful')),
    mode                 TEXT NOT NULL CHECK (mode IN ('manual', 'auto_sender')),
    amount_asset         TEXT NOT NULL,
    amount               INTEGER NOT NULL CHECK (amount >= 0),
    platform_fee_asset   TEXT NOT NULL,
    platform_fee         INTEGER NOT NULL CHECK (platform_fee >= 0),
    processing_fee_asset TEXT NOT NULL,
    processing_fee       INTEGER NOT NULL CHECK (processing_fee >= 0),
    reason               TEXT NOT NULL,
    bank_code            TEXT NOT NULL,
    account_number       TEXT NOT NULL,
    account_name         TEXT NOT NULL,
    source               TEXT NOT NULL,
    provider_reference   TEXT NOT NULL,
    provider_response    TEXT NOT NULL,
    note                 TEXT NOT NULL,
    scheduled_at         INTEGER,
    processed_at         INTEGER,
    finalized_at         INTEGER,
    returned_at          INTEGER,
    created_at           INTEGER NOT NULL,
    answer               TEXT NOT NULL CHECK (answer IN ('', 'unavailable', 'in_progress', 'not_as_paid', 'unknown_key', 'declined')),
    attempts             INTEGER NOT NULL CHECK (attempts >= 0),
    updated_at           INTEGER,
    submissions          INTEGER NOT NULL CHECK (submissions >= 0),
    version              INTEGER NOT NULL,
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX refunds_by_env ON refunds (env, id);
CREATE INDEX refunds_by_scope ON refunds (env, business, created_at, id);
CREATE INDEX refunds_by_status ON refunds (env, business, status, created_at, id);
CREATE INDEX refunds_by_transaction ON refunds (env, business, transaction_id, created_at, id);

-- What of a transaction is on its way back, and what went back.
ALTER TABLE transactions ADD COLUMN refunding INTEGER NOT NULL DEFAULT 0 CHECK (refunding >= 0);
ALTER TABLE transactions ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded >= 0);
