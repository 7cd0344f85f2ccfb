-- +goose Up

-- Amounts in naira are kobo, those in USDC (requested, crypto) millionths.
CREATE TABLE checkout_sessions (
    id             TEXT COLLATE "C" PRIMARY KEY,
    env            TEXT COLLATE "C" NOT NULL,
    business       TEXT COLLATE "C" NOT NULL,
    trx_id         TEXT COLLATE "C" NOT NULL,
    variant        TEXT COLLATE "C" NOT NULL CHECK (variant IN ('A', 'B')),
    status         TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'cancelled', 'expired')),
    payment        TEXT COLLATE "C" NOT NULL REFERENCES payments (id),
    customer       TEXT COLLATE "C" NOT NULL,
    email          TEXT COLLATE "C" NOT NULL,
    phone          TEXT COLLATE "C" NOT NULL,
    payer          TEXT COLLATE "C" NOT NULL,
    amount_type    TEXT COLLATE "C" NOT NULL CHECK (amount_type IN ('fiat', 'crypto')),
    pair           TEXT COLLATE "C" NOT NULL,
    base           BIGINT NOT NULL CHECK (base >= 0),
    platform_fee   BIGINT NOT NULL CHECK (platform_fee >= 0),
    processing_fee BIGINT NOT NULL CHECK (processing_fee >= 0),
    customer_pays  BOOLEAN NOT NULL,
    fiat           BIGINT NOT NULL CHECK (fiat >= 0),
    requested      BIGINT NOT NULL CHECK (requested >= 0),
    crypto         BIGINT NOT NULL CHECK (crypto >= 0),
    price          TEXT COLLATE "C" NOT NULL,
    rate_until     BIGINT,
    methods        TEXT COLLATE "C",
    crypto_error   TEXT COLLATE "C" NOT NULL,
    settlement     TEXT COLLATE "C" NOT NULL,
    mismatch       TEXT COLLATE "C" NOT NULL,
    redirect_url   TEXT COLLATE "C" NOT NULL,
    success_url    TEXT COLLATE "C" NOT NULL,
    cancel_url     TEXT COLLATE "C" NOT NULL,
    timeout_url    TEXT COLLATE "C" NOT NULL,
    title          TEXT COLLATE "C" NOT NULL,
    description    TEXT COLLATE "C" NOT NULL,
    logo           TEXT COLLATE "C" NOT NULL,
    metadata       TEXT COLLATE "C",
    link           TEXT COLLATE "C" NOT NULL,
    bank_code      TEXT COLLATE "C" NOT NULL,
    bank_name      TEXT COLLATE "C" NOT NULL,
    number         TEXT COLLATE "C",
    name           TEXT COLLATE "C" NOT NULL,
    instruction    TEXT COLLATE "C" NOT NULL,
    expires_at     BIGINT NOT NULL,
    ended_at       BIGINT,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT,
    credited_asset TEXT COLLATE "C" NOT NULL,
    credited       BIGINT NOT NULL CHECK (credited >= 0),
    version        BIGINT NOT NULL,
    UNIQUE (env, business, trx_id),
    UNIQUE (env, number)
);
CREATE INDEX checkout_sessions_by_scope ON checkout_sessions (env, business, created_at, id);
CREATE INDEX checkout_sessions_by_status ON checkout_sessions (env, business, status, created_at, id);
CREATE INDEX checkout_sessions_by_type ON checkout_sessions (env, business, amount_type, created_at, id);

-- What deposit addresses were offered for.
CREATE TABLE checkout_instructions (
    address    TEXT COLLATE "C" PRIMARY KEY REFERENCES addresses (id),
    env        TEXT COLLATE "C" NOT NULL,
    business   TEXT COLLATE "C" NOT NULL,
    holder     TEXT COLLATE "C" NOT NULL,
    session    TEXT COLLATE "C" NOT NULL REFERENCES checkout_sessions (id),
    pair       TEXT COLLATE "C" NOT NULL,
    deposit    TEXT COLLATE "C" NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount >= 0),
    price      TEXT COLLATE "C" NOT NULL,
    received   BIGINT NOT NULL CHECK (received >= 0),
    status     TEXT COLLATE "C" NOT NULL CHECK (status IN ('AWAITING_DEPOSIT', 'DETECTED', 'CONFIRMED', 'EXPIRED')),
    expires_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    version    BIGINT NOT NULL
);
CREATE INDEX checkout_instructions_by_session ON checkout_instructions (session);

-- The newest session of equal orders.
CREATE TABLE checkout_windows (
    env      TEXT COLLATE "C" NOT NULL,
    business TEXT COLLATE "C" NOT NULL,
    key      TEXT COLLATE "C" NOT NULL,
    session  TEXT COLLATE "C" NOT NULL,
    at       BIGINT NOT NULL,
    version  BIGINT NOT NULL,
    PRIMARY KEY (env, business, key)
);
