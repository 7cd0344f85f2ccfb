-- +goose Up

-- What a business allows itself to send. An amount of 0 is no limit; destinations are JSON.
CREATE TABLE outflow_rules (
    env               TEXT NOT NULL,
    business          TEXT NOT NULL,
    ngn_operation     INTEGER NOT NULL CHECK (ngn_operation >= 0),
    ngn_key_day       INTEGER NOT NULL CHECK (ngn_key_day >= 0),
    ngn_business_day  INTEGER NOT NULL CHECK (ngn_business_day >= 0),
    ngn_approval      INTEGER NOT NULL DEFAULT 0 CHECK (ngn_approval >= 0),
    usdc_operation    INTEGER NOT NULL CHECK (usdc_operation >= 0),
    usdc_key_day      INTEGER NOT NULL CHECK (usdc_key_day >= 0),
    usdc_business_day INTEGER NOT NULL CHECK (usdc_business_day >= 0),
    usdc_approval     INTEGER NOT NULL DEFAULT 0 CHECK (usdc_approval >= 0),
    allow_list        BOOLEAN NOT NULL,
    destinations      TEXT,
    changed_by        TEXT NOT NULL,
    updated_at        INTEGER,
    version           INTEGER NOT NULL,
    PRIMARY KEY (env, business)
) STRICT, WITHOUT ROWID;

-- What was admitted on a day by a business, or by one of its API keys.
CREATE TABLE outflow_days (
    env       TEXT NOT NULL,
    business  TEXT NOT NULL,
    id        TEXT NOT NULL,
    sum_asset TEXT NOT NULL,
    sum       INTEGER NOT NULL CHECK (sum >= 0),
    until     INTEGER,
    version   INTEGER NOT NULL,
    PRIMARY KEY (env, business, id)
) STRICT, WITHOUT ROWID;

-- Operations that wait for a second key or person, and what was decided.
CREATE TABLE outflow_approvals (
    id           TEXT PRIMARY KEY,
    env          TEXT NOT NULL,
    business     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    subject      TEXT NOT NULL,
    reference    TEXT NOT NULL,
    amount_asset TEXT NOT NULL,
    amount       INTEGER NOT NULL CHECK (amount >= 0),
    made_by      TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn')),
    decided_by   TEXT NOT NULL,
    note         TEXT NOT NULL,
    decided_at   INTEGER,
    created_at   INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    UNIQUE (env, business, subject)
) STRICT;
CREATE INDEX outflow_approvals_by_scope ON outflow_approvals (env, business, created_at, id);
CREATE INDEX outflow_approvals_by_status ON outflow_approvals (env, business, status, created_at, id);

-- What an operation waits for before anything is sent.
ALTER TABLE payouts ADD COLUMN stage TEXT NOT NULL DEFAULT '' CHECK (stage IN ('', 'pending_approval'));
ALTER TABLE wallet_transfers ADD COLUMN stage TEXT NOT NULL DEFAULT '' CHECK (stage IN ('', 'pending_approval'));
