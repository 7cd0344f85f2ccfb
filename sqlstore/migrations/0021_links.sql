-- +goose Up

-- slug_folded is the slug in lower case: one link of the server has it.
CREATE TABLE payment_links (
    id             TEXT PRIMARY KEY,
    env            TEXT NOT NULL,
    business       TEXT NOT NULL,
    policy         TEXT NOT NULL CHECK (policy IN ('A', 'B')),
    type           TEXT NOT NULL CHECK (type IN ('fixed', 'open')),
    status         TEXT NOT NULL CHECK (status IN ('pending', 'active', 'inactive', 'disabled', 'expired', 'completed')),
    title          TEXT NOT NULL,
    description    TEXT NOT NULL,
    slug           TEXT NOT NULL,
    slug_folded    TEXT NOT NULL UNIQUE,
    quantity_limit INTEGER NOT NULL CHECK (quantity_limit >= 0),
    fields         TEXT,
    expires_at     INTEGER,
    success_url    TEXT NOT NULL,
    cancel_url     TEXT NOT NULL,
    metadata       TEXT,
    disabled_at    INTEGER,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER,
    amount_asset   TEXT NOT NULL,
    amount         INTEGER NOT NULL CHECK (amount >= 0),
    version        INTEGER NOT NULL
) STRICT;
CREATE INDEX payment_links_by_scope ON payment_links (env, business, created_at, id);
CREATE INDEX payment_links_by_status ON payment_links (env, business, status, created_at, id);

-- What was taken of a link's places, and what was paid.
CREATE TABLE link_tallies (
    link        TEXT PRIMARY KEY REFERENCES payment_links (id),
    env         TEXT NOT NULL,
    business    TEXT NOT NULL,
    taken       INTEGER NOT NULL CHECK (taken >= 0),
    paid        INTEGER NOT NULL CHECK (paid >= 0 AND paid <= taken),
    total_asset TEXT NOT NULL,
    total       INTEGER NOT NULL CHECK (total >= 0),
    version     INTEGER NOT NULL
) STRICT;
