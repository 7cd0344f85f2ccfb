-- +goose Up

CREATE TABLE businesses (
    env               TEXT COLLATE "C" NOT NULL,
    business          TEXT COLLATE "C" NOT NULL,
    name              TEXT COLLATE "C" NOT NULL,
    api_variant       TEXT COLLATE "C" NOT NULL,
    customer_pays_fee BOOLEAN NOT NULL,
    crypto_settlement TEXT COLLATE "C" NOT NULL,
    payment_methods   TEXT COLLATE "C",
    redirect_hosts    TEXT COLLATE "C",
    mismatch_policy   TEXT COLLATE "C" NOT NULL,
    source_accounts   TEXT COLLATE "C",
    created_at        BIGINT,
    updated_at        BIGINT,
    version           BIGINT NOT NULL,
    PRIMARY KEY (env, business)
);

-- digest is all that is kept of a secret key; text is there for keys that are no
-- secret.
CREATE TABLE api_keys (
    id          TEXT COLLATE "C" PRIMARY KEY,
    env         TEXT COLLATE "C" NOT NULL,
    business    TEXT COLLATE "C" NOT NULL,
    type        TEXT COLLATE "C" NOT NULL,
    label       TEXT COLLATE "C" NOT NULL,
    digest      TEXT COLLATE "C" NOT NULL UNIQUE,
    text        TEXT COLLATE "C" NOT NULL,
    prefix      TEXT COLLATE "C" NOT NULL,
    last_four   TEXT COLLATE "C" NOT NULL,
    valid_until BIGINT,
    revoked_at  BIGINT,
    created_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL
);
CREATE INDEX api_keys_by_scope ON api_keys (env, business, created_at, id);
