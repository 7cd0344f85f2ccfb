-- +goose Up

-- Email and phone stand in the forms in which they are unique. search is what a
-- search looks in, in lower case. BVN and NIN are sealed, and a keyed digest.
CREATE TABLE customers (
    id                  TEXT COLLATE "C" PRIMARY KEY,
    env                 TEXT COLLATE "C" NOT NULL,
    business            TEXT COLLATE "C" NOT NULL,
    type                TEXT COLLATE "C" NOT NULL,
    status              TEXT COLLATE "C" NOT NULL,
    first_name          TEXT COLLATE "C" NOT NULL,
    last_name           TEXT COLLATE "C" NOT NULL,
    business_name       TEXT COLLATE "C" NOT NULL,
    email               TEXT COLLATE "C" NOT NULL,
    phone               TEXT COLLATE "C" NOT NULL,
    bvn_sealed          BYTEA,
    bvn_digest          TEXT COLLATE "C" NOT NULL,
    nin_sealed          BYTEA,
    nin_digest          TEXT COLLATE "C" NOT NULL,
    date_of_birth       TEXT COLLATE "C" NOT NULL,
    cac_number          TEXT COLLATE "C" NOT NULL,
    tax_id              TEXT COLLATE "C" NOT NULL,
    industry            TEXT COLLATE "C" NOT NULL,
    contact_first_name  TEXT COLLATE "C" NOT NULL,
    contact_last_name   TEXT COLLATE "C" NOT NULL,
    contact_email       TEXT COLLATE "C" NOT NULL,
    contact_phone       TEXT COLLATE "C" NOT NULL,
    address             TEXT COLLATE "C" NOT NULL,
    city                TEXT COLLATE "C" NOT NULL,
    state               TEXT COLLATE "C" NOT NULL,
    country             TEXT COLLATE "C" NOT NULL,
    metadata            TEXT COLLATE "C",
    verification_method TEXT COLLATE "C" NOT NULL,
    verified_at         BIGINT,
    verified_name       TEXT COLLATE "C" NOT NULL,
    search              TEXT COLLATE "C" NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    version             BIGINT NOT NULL
);
CREATE UNIQUE INDEX customers_by_email ON customers (env, business, email);
CREATE UNIQUE INDEX customers_by_phone ON customers (env, business, phone);
-- A search reads this index alone until it has found a page.
CREATE INDEX customers_by_scope ON customers (env, business, created_at, id, search);
CREATE INDEX customers_by_status ON customers (env, business, status, created_at, id);
CREATE INDEX customers_by_type ON customers (env, business, type, created_at, id);

-- attempts is a JSON list of the validations that count.
CREATE TABLE identities (
    id            TEXT COLLATE "C" PRIMARY KEY,
    env           TEXT COLLATE "C" NOT NULL,
    business      TEXT COLLATE "C" NOT NULL,
    type          TEXT COLLATE "C" NOT NULL,
    number_sealed BYTEA,
    number_digest TEXT COLLATE "C" NOT NULL,
    customer      TEXT COLLATE "C", -- NULL when the outcome is for nobody
    status        TEXT COLLATE "C" NOT NULL,
    challenge     TEXT COLLATE "C" NOT NULL,
    expires_at    BIGINT,
    attempts      TEXT COLLATE "C",
    verified_name TEXT COLLATE "C" NOT NULL,
    verified_at   BIGINT,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    version       BIGINT NOT NULL
);

-- The recent initiations of a customer or of a number; marks is a JSON list.
CREATE TABLE identity_trails (
    env      TEXT COLLATE "C" NOT NULL,
    business TEXT COLLATE "C" NOT NULL,
    subject  TEXT COLLATE "C" NOT NULL,
    marks    TEXT COLLATE "C",
    version  BIGINT NOT NULL,
    PRIMARY KEY (env, business, subject)
);
