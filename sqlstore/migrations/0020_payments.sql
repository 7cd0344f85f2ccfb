-- +goose Up

-- Amounts stand beside the codes of their assets; '' is no asset.
CREATE TABLE payments (
    id                   TEXT PRIMARY KEY,
    env                  TEXT NOT NULL,
    business             TEXT NOT NULL,
    reference            TEXT NOT NULL,
    status               TEXT NOT NULL CHECK (status IN ('pending', 'success', 'failed', 'cancelled', 'expired', 'reversed')),
    channel              TEXT NOT NULL,
    method               TEXT NOT NULL,
    customer             TEXT NOT NULL,
    email                TEXT NOT NULL,
    phone                TEXT NOT NULL,
    payer                TEXT NOT NULL,
    collected            TEXT,
    metadata             TEXT,
    link                 TEXT,
    session              TEXT NOT NULL,
    exceptions           TEXT,
    receipts             TEXT,
    failure              TEXT NOT NULL,
    pending_until        INTEGER,
    paid_at              INTEGER,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER,
    amount_asset         TEXT NOT NULL,
    amount               INTEGER NOT NULL CHECK (amount >= 0),
    platform_fee_asset   TEXT NOT NULL,
    platform_fee         INTEGER NOT NULL CHECK (platform_fee >= 0),
    processing_fee_asset TEXT NOT NULL,
    processing_fee       INTEGER NOT NULL CHECK (processing_fee >= 0),
    expected_asset       TEXT NOT NULL,
    expected             INTEGER NOT NULL CHECK (expected >= 0),
    received_asset       TEXT NOT NULL,
    received             INTEGER NOT NULL CHECK (received >= 0),
    settled_asset        TEXT NOT NULL,
    settled              INTEGER NOT NULL CHECK (settled >= 0),
    version              INTEGER NOT NULL,
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX payments_by_scope ON payments (env, business, created_at, id);
CREATE INDEX payments_by_status ON payments (env, business, status, created_at, id);
CREATE INDEX payments_by_email ON payments (env, business, email, created_at, id);
CREATE INDEX payments_by_link ON payments (env, business, link, created_at, id) WHERE link IS NOT NULL;
CREATE INDEX payments_by_link_status ON payments (env, business, link, status, created_at, id) WHERE link IS NOT NULL;

-- Money that arrived for a payment. held is the part that waits for a decision.
CREATE TABLE receipts (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    payment        TEXT NOT NULL REFERENCES payments (id),
    method         TEXT NOT NULL,
    source         TEXT NOT NULL,
    sender_bank    TEXT NOT NULL,
    sender_account TEXT NOT NULL,
    sender_name    TEXT NOT NULL,
    sender_address TEXT NOT NULL,
    address        TEXT NOT NULL,
    holder         TEXT NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('held', 'settled', 'accepted', 'refunded', 'returned')),
    outcome        TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER,
    amount_asset   TEXT NOT NULL,
    amount         INTEGER NOT NULL CHECK (amount > 0),
    held_asset     TEXT NOT NULL,
    held           INTEGER NOT NULL CHECK (0 <= held AND held <= amount),
    version        INTEGER NOT NULL,
    CHECK ((state = 'held') = (held > 0))
) STRICT;
CREATE INDEX receipts_by_payment ON receipts (payment);

-- All money in and out, as /v1/transactions lists it.
CREATE TABLE transactions (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    trx_id         TEXT NOT NULL,
    reference      TEXT NOT NULL,
    direction      TEXT NOT NULL CHECK (direction IN ('IN', 'OUT')),
    channel        TEXT NOT NULL,
    status         TEXT NOT NULL,
    source         TEXT,
    sender_bank    TEXT NOT NULL,
    sender_account TEXT NOT NULL,
    sender_name    TEXT NOT NULL,
    sender_address TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER,
    amount_asset   TEXT NOT NULL,
    amount         INTEGER NOT NULL CHECK (amount >= 0),
    fee_asset      TEXT NOT NULL,
    fee            INTEGER NOT NULL CHECK (fee >= 0),
    version        INTEGER NOT NULL,
    UNIQUE (env, business, trx_id),
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX transactions_by_scope ON transactions (env, business, created_at, id);
CREATE INDEX transactions_by_source ON transactions (env, business, source, created_at, id) WHERE source IS NOT NULL;

-- Naira on its way back to its sender: once for each session of the bank.
CREATE TABLE returns (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    session    TEXT NOT NULL,
    amount     INTEGER NOT NULL CHECK (amount > 0),
    reason     TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('pending', 'returned')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER,
    version    INTEGER NOT NULL,
    UNIQUE (env, session)
) STRICT;
