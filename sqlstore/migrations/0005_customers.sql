-- +goose Up

-- Email and phone stand in the forms in which they are unique. search is what a
-- search looks in, in lower case. BVN and NIN are sealed, and a keyed digest.
CREATE TABLE customers (
    id                  TEXT PRIMARY KEY,
    env                 TEXT NOT NULL,
    business            TEXT NOT NULL,
    type                TEXT NOT NULL,
    status              TEXT NOT NULL,
    first_name          TEXT NOT NULL,
    last_name           TEXT NOT NULL,
    business_name       TEXT NOT NULL,
    email               TEXT NOT NULL,
    phone               TEXT NOT NULL,
    bvn_sealed          BLOB,
    bvn_digest          TEXT NOT NULL,
    nin_sealed          BLOB,
    nin_digest          TEXT NOT NULL,
    date_of_birth       TEXT NOT NULL,
    cac_number          TEXT NOT NULL,
    tax_id              TEXT NOT NULL,
    industry            TEXT NOT NULL,
    contact_first_name  TEXT NOT NULL,
    contact_last_name   TEXT NOT NULL,
    contact_email       TEXT NOT NULL,
    contact_phone       TEXT NOT NULL,
    address             TEXT NOT NULL,
    city                TEXT NOT NULL,
    state               TEXT NOT NULL,
    country             TEXT NOT NULL,
    metadata            TEXT,
    verification_method TEXT NOT NULL,
    verified_at         INTEGER,
    verified_name       TEXT NOT NULL,
    search              TEXT NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    version             INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX customers_by_email ON customers (env, business, email);
CREATE UNIQUE INDEX customers_by_phone ON customers (env, business, phone);
-- A search reads this index alone until it has found a page.
CREATE INDEX customers_by_scope ON customers (env, business, created_at, id, search);
CREATE INDEX customers_by_status ON customers (env, business, status, created_at, id);
CREATE INDEX customers_by_type ON customers (env, business, type, created_at, id);

-- attempts is a JSON list of the validations that count.
CREATE TABLE identities (
    id            TEXT PRIMARY KEY,
    env           TEXT NOT NULL,
    business      TEXT NOT NULL,
    type          TEXT NOT NULL,
    number_sealed BLOB,
    number_digest TEXT NOT NULL,
    customer      TEXT, -- NULL when the outcome is for nobody
    status        TEXT NOT NULL,
    challenge     TEXT NOT NULL,
    expires_at    INTEGER,
    attempts      TEXT,
    verified_name TEXT NOT NULL,
    verified_at   INTEGER,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    version       INTEGER NOT NULL
) STRICT;

-- The recent initiations of a customer or of a number; marks is a JSON list.
CREATE TABLE identity_trails (
    env      TEXT NOT NULL,
    business TEXT NOT NULL,
    subject  TEXT NOT NULL,
    marks    TEXT,
    version  INTEGER NOT NULL,
    PRIMARY KEY (env, business, subject)
) STRICT, WITHOUT ROWID;
