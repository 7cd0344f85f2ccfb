-- +goose Up

-- USDC that comes in for naira that go out.
CREATE TABLE offramps (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    reference      TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'successful', 'failed')),
    stage          TEXT NOT NULL CHECK (stage IN ('awaiting_deposit', 'funds_received', 'payment_submitted', 'done', 'expired', 'refunded')),
    amount         INTEGER NOT NULL CHECK (amount >= 0),
    quote          TEXT NOT NULL,
    crypto         INTEGER NOT NULL CHECK (crypto >= 0),
    rate           TEXT NOT NULL,
    rate_until     INTEGER,
    address        TEXT NOT NULL,
    deposit        TEXT NOT NULL,
    received       INTEGER NOT NULL CHECK (received >= 0),
    asked          INTEGER NOT NULL CHECK (asked >= 0),
    credited       INTEGER NOT NULL CHECK (credited >= 0 AND credited <= amount),
    bank_code      TEXT NOT NULL,
    account_number TEXT NOT NULL,
    account_name   TEXT NOT NULL,
    source_number  TEXT NOT NULL,
    bank_session   TEXT NOT NULL,
    failure        TEXT NOT NULL,
    expires_at     INTEGER,
    funded_at      INTEGER,
    paid_at        INTEGER,
    returned_at    INTEGER,
    created_at     INTEGER NOT NULL,
    answer         TEXT NOT NULL CHECK (answer IN ('', 'unavailable', 'in_progress', 'not_as_paid', 'unknown_key', 'declined')),
    attempts       INTEGER NOT NULL CHECK (attempts >= 0),
    updated_at     INTEGER,
    submissions    INTEGER NOT NULL CHECK (submissions >= 0),
    search         TEXT,
    version        INTEGER NOT NULL,
    UNIQUE (env, business, reference),
    UNIQUE (env, address)
) STRICT;
CREATE INDEX offramps_by_scope ON offramps (env, business, created_at, id);
CREATE INDEX offramps_by_status ON offramps (env, business, status, created_at, id);
CREATE INDEX offramps_by_env ON offramps (env, id);

-- What came to their addresses, and what became of it.
CREATE TABLE offramp_deposits (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    offramp    TEXT NOT NULL,
    address    TEXT NOT NULL,
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    rate       TEXT NOT NULL,
    source     TEXT NOT NULL,
    sender     TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('held', 'taken', 'due', 'sending', 'returned', 'kept')),
    reason     TEXT NOT NULL CHECK (reason IN ('', 'excess', 'late', 'underpaid', 'payout_failed')),
    transfer   TEXT NOT NULL,
    sent_back  INTEGER NOT NULL CHECK (sent_back >= 0 AND sent_back <= amount),
    signature  TEXT NOT NULL,
    attempts   INTEGER NOT NULL CHECK (attempts >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX offramp_deposits_by_scope ON offramp_deposits (env, business, created_at, id);
CREATE INDEX offramp_deposits_by_offramp ON offramp_deposits (offramp, id);
CREATE INDEX offramp_deposits_by_env ON offramp_deposits (env, id);

-- A transfer may have been made for a deposit that goes back. A CHECK cannot be changed in SQLite,
-- so the column is made anew.
ALTER TABLE wallet_transfers ADD COLUMN origin TEXT NOT NULL DEFAULT '' CHECK (origin IN ('', 'receipt', 'refund', 'onramp', 'offramp'));
UPDATE wallet_transfers SET origin = origin_kind WHERE origin_kind <> '';
ALTER TABLE wallet_transfers DROP COLUMN origin_kind;
ALTER TABLE wallet_transfers RENAME COLUMN origin TO origin_kind;
