-- +goose Up

-- Bank accounts that collect naira. valid_for is in nanoseconds; amount 0 is any.
CREATE TABLE collection_accounts (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('virtual', 'reserved')),
    reference  TEXT NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('active', 'completed', 'expired', 'closed')),
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    valid_for  INTEGER NOT NULL,
    expires_at INTEGER,
    bank_code  TEXT NOT NULL,
    bank_name  TEXT NOT NULL,
    number     TEXT NOT NULL,
    name       TEXT NOT NULL,
    received   INTEGER NOT NULL CHECK (received >= 0),
    credits    INTEGER NOT NULL CHECK (credits >= 0),
    last_at    INTEGER,
    identity   TEXT NOT NULL,
    customer   TEXT,
    email      TEXT NOT NULL,
    phone      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER,
    version    INTEGER NOT NULL,
    UNIQUE (env, business, kind, reference),
    UNIQUE (env, number)
) STRICT;
CREATE INDEX collection_accounts_by_kind ON collection_accounts (env, business, kind, created_at, id);
CREATE INDEX collection_accounts_by_status ON collection_accounts (env, business, kind, status, created_at, id);
CREATE INDEX collection_accounts_by_customer ON collection_accounts (env, business, customer, created_at, id) WHERE customer IS NOT NULL;
