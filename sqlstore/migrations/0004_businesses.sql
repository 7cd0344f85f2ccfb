-- +goose Up

CREATE TABLE businesses (
    env               TEXT NOT NULL,
    business          TEXT NOT NULL,
    name              TEXT NOT NULL,
    api_variant       TEXT NOT NULL,
    customer_pays_fee BOOLEAN NOT NULL,
    crypto_settlement TEXT NOT NULL,
    payment_methods   TEXT,
    redirect_hosts    TEXT,
    mismatch_policy   TEXT NOT NULL,
    source_accounts   TEXT,
    created_at        INTEGER,
    updated_at        INTEGER,
    version           INTEGER NOT NULL,
    PRIMARY KEY (env, business)
) STRICT, WITHOUT ROWID;

-- digest is all that is kept of a secret key; text is there for keys that are no
-- secret.
CREATE TABLE api_keys (
    id          TEXT PRIMARY KEY,
    env         TEXT NOT NULL,
    business    TEXT NOT NULL,
    type        TEXT NOT NULL,
    label       TEXT NOT NULL,
    digest      TEXT NOT NULL UNIQUE,
    text        TEXT NOT NULL,
    prefix      TEXT NOT NULL,
    last_four   TEXT NOT NULL,
    valid_until INTEGER,
    revoked_at  INTEGER,
    created_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL
) STRICT;
CREATE INDEX api_keys_by_scope ON api_keys (env, business, created_at, id);
