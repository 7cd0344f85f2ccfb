-- +goose Up

-- Naira that come in for USDC that go out.
CREATE TABLE onramps (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    reference  TEXT NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'successful', 'failed')),
    stage      TEXT NOT NULL CHECK (stage IN ('awaiting_funds', 'funds_received', 'payment_submitted', 'done', 'expired', 'refunded')),
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    crypto     INTEGER NOT NULL CHECK (crypto >= 0),
    quote      TEXT NOT NULL,
    rate       TEXT NOT NULL,
    address    TEXT NOT NULL,
    bank_code  TEXT NOT NULL,
    bank_name  TEXT NOT NULL,
    number     TEXT NOT NULL,
    name       TEXT NOT NULL,
    received   INTEGER NOT NULL CHECK (received >= 0),
    credits    TEXT,
    transfer   TEXT NOT NULL,
    signature  TEXT NOT NULL,
    failure    TEXT NOT NULL,
    expires_at INTEGER,
    funded_at  INTEGER,
    ended_at   INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER,
    version    INTEGER NOT NULL,
    UNIQUE (env, business, reference),
    UNIQUE (env, number)
) STRICT;
CREATE INDEX onramps_by_scope ON onramps (env, business, created_at, id);
CREATE INDEX onramps_by_status ON onramps (env, business, status, created_at, id);
CREATE INDEX onramps_by_env ON onramps (env, id);

-- A transfer may have been made for an onramp. A CHECK cannot be changed in SQLite, so the column
-- is made anew.
ALTER TABLE wallet_transfers ADD COLUMN origin TEXT NOT NULL DEFAULT '' CHECK (origin IN ('', 'receipt', 'refund', 'onramp', 'offramp'));
UPDATE wallet_transfers SET origin = origin_kind WHERE origin_kind <> '';
ALTER TABLE wallet_transfers DROP COLUMN origin_kind;
ALTER TABLE wallet_transfers RENAME COLUMN origin TO origin_kind;
