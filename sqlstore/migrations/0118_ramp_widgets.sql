-- +goose Up

-- The first of the keys that replaced each other. Of those that were replaced before this, nobody knows.
ALTER TABLE api_keys ADD COLUMN line TEXT NOT NULL DEFAULT '';

-- Places on the pages of a business at which visitors buy or sell USDC.
CREATE TABLE ramp_widgets (
    id          TEXT PRIMARY KEY,
    env         TEXT NOT NULL,
    business    TEXT NOT NULL,
    name        TEXT NOT NULL,
    api_key     TEXT NOT NULL,
    domains     TEXT,
    sides       TEXT,
    theme       TEXT,
    destination TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER,
    version     INTEGER NOT NULL,
    UNIQUE (env, business, api_key)
) STRICT;
CREATE INDEX ramp_widgets_by_scope ON ramp_widgets (env, business, created_at, id);
CREATE INDEX ramp_widgets_by_status ON ramp_widgets (env, business, status, created_at, id);

-- Visits at a widget. The token of a session is kept as a digest only.
CREATE TABLE ramp_sessions (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    widget     TEXT NOT NULL,
    origin     TEXT NOT NULL,
    digest     TEXT NOT NULL UNIQUE,
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX ramp_sessions_by_age ON ramp_sessions (env, created_at);

-- The orders of both sides of the ramp in one list.
CREATE TABLE ramp_transactions (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    side       TEXT NOT NULL CHECK (side IN ('onramp', 'offramp')),
    reference  TEXT NOT NULL,
    widget     TEXT NOT NULL,
    session    TEXT NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'successful', 'failed')),
    stage      TEXT NOT NULL,
    fiat       INTEGER NOT NULL CHECK (fiat >= 0),
    crypto     INTEGER NOT NULL CHECK (crypto >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX ramp_transactions_by_scope ON ramp_transactions (env, business, created_at, id);
CREATE INDEX ramp_transactions_by_side ON ramp_transactions (env, business, side, created_at, id);
CREATE INDEX ramp_transactions_by_status ON ramp_transactions (env, business, status, created_at, id);
CREATE INDEX ramp_transactions_by_side_and_status ON ramp_transactions (env, business, side, status, created_at, id);
CREATE INDEX ramp_transactions_by_widget ON ramp_transactions (env, business, widget, created_at, id);
CREATE INDEX ramp_transactions_by_widget_and_status ON ramp_transactions (env, business, widget, side, status, created_at, id);

-- What the successful orders of a widget exchanged.
CREATE TABLE ramp_volumes (
    env      TEXT NOT NULL,
    business TEXT NOT NULL,
    id       TEXT NOT NULL,
    fiat     INTEGER NOT NULL CHECK (fiat >= 0),
    crypto   INTEGER NOT NULL CHECK (crypto >= 0),
    version  INTEGER NOT NULL,
    PRIMARY KEY (env, business, id)
) STRICT, WITHOUT ROWID;
