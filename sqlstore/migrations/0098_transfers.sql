-- +goose Up

CREATE TABLE fiat_transfers (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    reference      TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'success', 'failed', 'reversed')),
    amount         INTEGER NOT NULL CHECK (amount >= 0),
    platform_fee   INTEGER NOT NULL CHECK (platform_fee >= 0),
    processing_fee INTEGER NOT NULL CHECK (processing_fee >= 0),
    channel        TEXT NOT NULL CHECK (channel IN ('bank_account', 'wallet')),
    source         TEXT NOT NULL,
    source_number  TEXT NOT NULL,
    bank_code      TEXT NOT NULL,
    account_number TEXT NOT NULL,
    account_name   TEXT NOT NULL,
    narration      TEXT NOT NULL,
    balance_before INTEGER NOT NULL CHECK (balance_before >= 0),
    balance_after  INTEGER NOT NULL CHECK (balance_after >= 0),
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
CREATE INDEX fiat_transfers_by_scope ON fiat_transfers (env, business, created_at, id);
CREATE INDEX fiat_transfers_by_status ON fiat_transfers (env, business, status, created_at, id);

-- What the audit walks, and the list of payouts of a type in a status.
CREATE INDEX fiat_transfers_by_env ON fiat_transfers (env, id);
CREATE INDEX payouts_by_env ON payouts (env, id);
CREATE INDEX payout_items_by_env ON payout_items (env, id);
CREATE INDEX payouts_by_type_and_status ON payouts (env, business, type, status, created_at, id);
