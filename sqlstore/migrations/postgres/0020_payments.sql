-- +goose Up

-- Amounts stand beside the codes of their assets; '' is no asset.
CREATE TABLE payments (
    id                   TEXT COLLATE "C" PRIMARY KEY,
    env                  TEXT COLLATE "C" NOT NULL,
    business             TEXT COLLATE "C" NOT NULL,
    reference            TEXT COLLATE "C" NOT NULL,
    status               TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'success', 'failed', 'cancelled', 'expired', 'reversed')),
    channel              TEXT COLLATE "C" NOT NULL,
    method               TEXT COLLATE "C" NOT NULL,
    customer             TEXT COLLATE "C" NOT NULL,
    email                TEXT COLLATE "C" NOT NULL,
    phone                TEXT COLLATE "C" NOT NULL,
    payer                TEXT COLLATE "C" NOT NULL,
    collected            TEXT COLLATE "C",
    metadata             TEXT COLLATE "C",
    link                 TEXT COLLATE "C",
    session              TEXT COLLATE "C" NOT NULL,
    exceptions           TEXT COLLATE "C",
    receipts             TEXT COLLATE "C",
    failure              TEXT COLLATE "C" NOT NULL,
    pending_until        BIGINT,
    paid_at              BIGINT,
    created_at           BIGINT NOT NULL,
    updated_at           BIGINT,
    amount_asset         TEXT COLLATE "C" NOT NULL,
    amount               BIGINT NOT NULL CHECK (amount >= 0),
    platform_fee_asset   TEXT COLLATE "C" NOT NULL,
    platform_fee         BIGINT NOT NULL CHECK (platform_fee >= 0),
    processing_fee_asset TEXT COLLATE "C" NOT NULL,
    processing_fee       BIGINT NOT NULL CHECK (processing_fee >= 0),
    expected_asset       TEXT COLLATE "C" NOT NULL,
    expected             BIGINT NOT NULL CHECK (expected >= 0),
    received_asset       TEXT COLLATE "C" NOT NULL,
    received             BIGINT NOT NULL CHECK (received >= 0),
    settled_asset        TEXT COLLATE "C" NOT NULL,
    settled              BIGINT NOT NULL CHECK (settled >= 0),
    version              BIGINT NOT NULL,
    UNIQUE (env, business, reference)
);
CREATE INDEX payments_by_scope ON payments (env, business, created_at, id);
CREATE INDEX payments_by_status ON payments (env, business, status, created_at, id);
CREATE INDEX payments_by_email ON payments (env, business, email, created_at, id);
CREATE INDEX payments_by_link ON payments (env, business, link, created_at, id) WHERE link IS NOT NULL;
CREATE INDEX payments_by_link_status ON payments (env, business, link, status, created_at, id) WHERE link IS NOT NULL;

-- Money that arrived for a payment. held is the part that waits for a decision.
CREATE TABLE receipts (
    id             TEXT COLLATE "C" PRIMARY KEY,
    env            TEXT COLLATE "C" NOT NULL,
    business       TEXT COLLATE "C" NOT NULL,
    payment        TEXT COLLATE "C" NOT NULL REFERENCES payments (id),
    method         TEXT COLLATE "C" NOT NULL,
    source         TEXT COLLATE "C" NOT NULL,
    sender_bank    TEXT COLLATE "C" NOT NULL,
    sender_account TEXT COLLATE "C" NOT NULL,
    sender_name    TEXT COLLATE "C" NOT NULL,
    sender_address TEXT COLLATE "C" NOT NULL,
    address        TEXT COLLATE "C" NOT NULL,
    holder         TEXT COLLATE "C" NOT NULL,
    state          TEXT COLLATE "C" NOT NULL CHECK (state IN ('held', 'settled', 'accepted', 'refunded', 'returned')),
    outcome        TEXT COLLATE "C" NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT,
    amount_asset   TEXT COLLATE "C" NOT NULL,
    amount         BIGINT NOT NULL CHECK (amount > 0),
    held_asset     TEXT COLLATE "C" NOT NULL,
    held           BIGINT NOT NULL CHECK (0 <= held AND held <= amount),
    version        BIGINT NOT NULL,
    CHECK ((state = 'held') = (held > 0))
);
CREATE INDEX receipts_by_payment ON receipts (payment);

-- All money in and out, as /v1/transactions lists it.
CREATE TABLE transactions (
    id             TEXT COLLATE "C" PRIMARY KEY,
    env            TEXT COLLATE "C" NOT NULL,
    business       TEXT COLLATE "C" NOT NULL,
    trx_id         TEXT COLLATE "C" NOT NULL,
    reference      TEXT COLLATE "C" NOT NULL,
    direction      TEXT COLLATE "C" NOT NULL CHECK (direction IN ('IN', 'OUT')),
    channel        TEXT COLLATE "C" NOT NULL,
    status         TEXT COLLATE "C" NOT NULL,
    source         TEXT COLLATE "C",
    sender_bank    TEXT COLLATE "C" NOT NULL,
    sender_account TEXT COLLATE "C" NOT NULL,
    sender_name    TEXT COLLATE "C" NOT NULL,
    sender_address TEXT COLLATE "C" NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT,
    amount_asset   TEXT COLLATE "C" NOT NULL,
    amount         BIGINT NOT NULL CHECK (amount >= 0),
    fee_asset      TEXT COLLATE "C" NOT NULL,
    fee            BIGINT NOT NULL CHECK (fee >= 0),
    version        BIGINT NOT NULL,
    UNIQUE (env, business, trx_id),
    UNIQUE (env, business, reference)
);
CREATE INDEX transactions_by_scope ON transactions (env, business, created_at, id);
CREATE INDEX transactions_by_source ON transactions (env, business, source, created_at, id) WHERE source IS NOT NULL;

-- Naira on its way back to its sender: once for each session of the bank.
CREATE TABLE returns (
    id         TEXT COLLATE "C" PRIMARY KEY,
    env        TEXT COLLATE "C" NOT NULL,
    business   TEXT COLLATE "C" NOT NULL,
    session    TEXT COLLATE "C" NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    reason     TEXT COLLATE "C" NOT NULL,
    state      TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'returned')),
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    version    BIGINT NOT NULL,
    UNIQUE (env, session)
);
