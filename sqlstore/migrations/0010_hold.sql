-- +goose Up

-- Whether money may leave the addresses of an environment, and how far the chain
-- was matched with the store since it may not.
CREATE TABLE wallet_holds (
    env           TEXT PRIMARY KEY,
    held          BOOLEAN NOT NULL,
    reason        TEXT NOT NULL,
    since         INTEGER,
    height        INTEGER NOT NULL CHECK (height >= 0),
    round         INTEGER NOT NULL,
    after_address TEXT NOT NULL,
    matched_at    INTEGER,
    version       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The place reached in the chain's list of what was sent.
CREATE TABLE wallet_sent (
    env     TEXT PRIMARY KEY,
    cursor  TEXT NOT NULL,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What left on the chain and was not known here. parts and suspended are JSON.
CREATE TABLE wallet_outflows (
    env          TEXT NOT NULL,
    signature    TEXT NOT NULL,
    from_address TEXT NOT NULL,
    to_address   TEXT NOT NULL,
    amount       INTEGER NOT NULL CHECK (amount >= 0),
    memo         TEXT NOT NULL,
    transfer     TEXT NOT NULL,
    attempt      INTEGER NOT NULL,
    sent         BOOLEAN NOT NULL,
    parts        TEXT,
    booked       INTEGER NOT NULL,
    suspended    TEXT,
    at           INTEGER,
    found_at     INTEGER NOT NULL,
    adopted_at   INTEGER,
    version      INTEGER NOT NULL,
    PRIMARY KEY (env, signature)
) STRICT, WITHOUT ROWID;
CREATE INDEX wallet_outflows_open ON wallet_outflows (env, signature) WHERE adopted_at IS NULL;
