-- +goose Up

-- What naira and USDC are exchanged for each other at, and until when.
CREATE TABLE ramp_quotes (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    side       TEXT NOT NULL CHECK (side IN ('onramp', 'offramp')),
    fiat       INTEGER NOT NULL CHECK (fiat >= 0),
    crypto     INTEGER NOT NULL CHECK (crypto >= 0),
    rate       TEXT NOT NULL,
    base_rate  TEXT NOT NULL,
    spread     INTEGER NOT NULL CHECK (spread >= 0),
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX ramp_quotes_by_scope ON ramp_quotes (env, business, created_at, id);
