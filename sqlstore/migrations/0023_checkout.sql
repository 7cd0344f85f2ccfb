-- +goose Up

-- Amounts in naira are kobo, those in USDC (requested, crypto) millionths.
CREATE TABLE checkout_sessions (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    trx_id         TEXT NOT NULL,
    variant        TEXT NOT NULL CHECK (variant IN ('A', 'B')),
    status         TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'cancelled', 'expired')),
    payment        TEXT NOT NULL REFERENCES payments (id),
    customer       TEXT NOT NULL,
    email          TEXT NOT NULL,
    phone          TEXT NOT NULL,
    payer          TEXT NOT NULL,
    amount_type    TEXT NOT NULL CHECK (amount_type IN ('fiat', 'crypto')),
    pair           TEXT NOT NULL,
    base           INTEGER NOT NULL CHECK (base >= 0),
    platform_fee   INTEGER NOT NULL CHECK (platform_fee >= 0),
    processing_fee INTEGER NOT NULL CHECK (processing_fee >= 0),
    customer_pays  BOOLEAN NOT NULL,
    fiat           INTEGER NOT NULL CHECK (fiat >= 0),
    requested      INTEGER NOT NULL CHECK (requested >= 0),
    crypto         INTEGER NOT NULL CHECK (crypto >= 0),
    price          TEXT NOT NULL,
    rate_until     INTEGER,
    methods        TEXT,
    crypto_error   TEXT NOT NULL,
    settlement     TEXT NOT NULL,
    mismatch       TEXT NOT NULL,
    redirect_url   TEXT NOT NULL,
    success_url    TEXT NOT NULL,
    cancel_url     TEXT NOT NULL,
    timeout_url    TEXT NOT NULL,
    title          TEXT NOT NULL,
    description    TEXT NOT NULL,
    logo           TEXT NOT NULL,
    metadata       TEXT,
    link           TEXT NOT NULL,
    bank_code      TEXT NOT NULL,
    bank_name      TEXT NOT NULL,
    number         TEXT,
    name           TEXT NOT NULL,
    instruction    TEXT NOT NULL,
    expires_at     INTEGER NOT NULL,
    ended_at       INTEGER,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER,
    credited_asset TEXT NOT NULL,
    credited       INTEGER NOT NULL CHECK (credited >= 0),
    version        INTEGER NOT NULL,
    UNIQUE (env, business, trx_id),
    UNIQUE (env, number)
) STRICT;
CREATE INDEX checkout_sessions_by_scope ON checkout_sessions (env, business, created_at, id);
CREATE INDEX checkout_sessions_by_status ON checkout_sessions (env, business, status, created_at, id);
CREATE INDEX checkout_sessions_by_type ON checkout_sessions (env, business, amount_type, created_at, id);

-- What deposit addresses were offered for.
CREATE TABLE checkout_instructions (
    address    TEXT PRIMARY KEY REFERENCES addresses (id),
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    holder     TEXT NOT NULL,
    session    TEXT NOT NULL REFERENCES checkout_sessions (id),
    pair       TEXT NOT NULL,
    deposit    TEXT NOT NULL,
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    price      TEXT NOT NULL,
    received   INTEGER NOT NULL CHECK (received >= 0),
    status     TEXT NOT NULL CHECK (status IN ('AWAITING_DEPOSIT', 'DETECTED', 'CONFIRMED', 'EXPIRED')),
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX checkout_instructions_by_session ON checkout_instructions (session);

-- The newest session of equal orders.
CREATE TABLE checkout_windows (
    env      TEXT NOT NULL,
    business TEXT NOT NULL,
    key      TEXT NOT NULL,
    session  TEXT NOT NULL,
    at       INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    PRIMARY KEY (env, business, key)
) STRICT, WITHOUT ROWID;
