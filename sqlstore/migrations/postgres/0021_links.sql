-- +goose Up

-- slug_folded is the slug in lower case: one link of the server has it.
CREATE TABLE payment_links (
    id             TEXT COLLATE "C" PRIMARY KEY,
    env            TEXT COLLATE "C" NOT NULL,
    business       TEXT COLLATE "C" NOT NULL,
    policy         TEXT COLLATE "C" NOT NULL CHECK (policy IN ('A', 'B')),
    type           TEXT COLLATE "C" NOT NULL CHECK (type IN ('fixed', 'open')),
    status         TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'active', 'inactive', 'disabled', 'expired', 'completed')),
    title          TEXT COLLATE "C" NOT NULL,
    description    TEXT COLLATE "C" NOT NULL,
    slug           TEXT COLLATE "C" NOT NULL,
    slug_folded    TEXT COLLATE "C" NOT NULL UNIQUE,
    quantity_limit BIGINT NOT NULL CHECK (quantity_limit >= 0),
    fields         TEXT COLLATE "C",
    expires_at     BIGINT,
    success_url    TEXT COLLATE "C" NOT NULL,
    cancel_url     TEXT COLLATE "C" NOT NULL,
    metadata       TEXT COLLATE "C",
    disabled_at    BIGINT,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT,
    amount_asset   TEXT COLLATE "C" NOT NULL,
    amount         BIGINT NOT NULL CHECK (amount >= 0),
    version        BIGINT NOT NULL
);
CREATE INDEX payment_links_by_scope ON payment_links (env, business, created_at, id);
CREATE INDEX payment_links_by_status ON payment_links (env, business, status, created_at, id);

-- What was taken of a link's places, and what was paid.
CREATE TABLE link_tallies (
    link        TEXT COLLATE "C" PRIMARY KEY REFERENCES payment_links (id),
    env         TEXT COLLATE "C" NOT NULL,
    business    TEXT COLLATE "C" NOT NULL,
    taken       BIGINT NOT NULL CHECK (taken >= 0),
    paid        BIGINT NOT NULL CHECK (paid >= 0 AND paid <= taken),
    total_asset TEXT COLLATE "C" NOT NULL,
    total       BIGINT NOT NULL CHECK (total >= 0),
    version     BIGINT NOT NULL
);
