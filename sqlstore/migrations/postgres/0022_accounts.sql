-- +goose Up

-- Bank accounts that collect naira. valid_for is in nanoseconds; amount 0 is any.
CREATE TABLE collection_accounts (
    id         TEXT COLLATE "C" PRIMARY KEY,
    env        TEXT COLLATE "C" NOT NULL,
    business   TEXT COLLATE "C" NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL CHECK (kind IN ('virtual', 'reserved')),
    reference  TEXT COLLATE "C" NOT NULL,
    status     TEXT COLLATE "C" NOT NULL CHECK (status IN ('active', 'completed', 'expired', 'closed')),
    amount     BIGINT NOT NULL CHECK (amount >= 0),
    valid_for  BIGINT NOT NULL,
    expires_at BIGINT,
    bank_code  TEXT COLLATE "C" NOT NULL,
    bank_name  TEXT COLLATE "C" NOT NULL,
    number     TEXT COLLATE "C" NOT NULL,
    name       TEXT COLLATE "C" NOT NULL,
    received   BIGINT NOT NULL CHECK (received >= 0),
    credits    BIGINT NOT NULL CHECK (credits >= 0),
    last_at    BIGINT,
    identity   TEXT COLLATE "C" NOT NULL,
    customer   TEXT COLLATE "C",
    email      TEXT COLLATE "C" NOT NULL,
    phone      TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    version    BIGINT NOT NULL,
    UNIQUE (env, business, kind, reference),
    UNIQUE (env, number)
);
CREATE INDEX collection_accounts_by_kind ON collection_accounts (env, business, kind, created_at, id);
CREATE INDEX collection_accounts_by_status ON collection_accounts (env, business, kind, status, created_at, id);
CREATE INDEX collection_accounts_by_customer ON collection_accounts (env, business, customer, created_at, id) WHERE customer IS NOT NULL;
