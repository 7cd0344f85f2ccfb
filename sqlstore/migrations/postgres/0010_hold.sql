-- +goose Up

-- Whether money may leave the addresses of an environment, and how far the chain
-- was matched with the store since it may not.
CREATE TABLE wallet_holds (
    env           TEXT COLLATE "C" PRIMARY KEY,
    held          BOOLEAN NOT NULL,
    reason        TEXT COLLATE "C" NOT NULL,
    since         BIGINT,
    height        BIGINT NOT NULL CHECK (height >= 0),
    round         BIGINT NOT NULL,
    after_address TEXT COLLATE "C" NOT NULL,
    matched_at    BIGINT,
    version       BIGINT NOT NULL
);

-- The place reached in the chain's list of what was sent.
CREATE TABLE wallet_sent (
    env     TEXT COLLATE "C" PRIMARY KEY,
    cursor  TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL
);

-- What left on the chain and was not known here. parts and suspended are JSON.
CREATE TABLE wallet_outflows (
    env          TEXT COLLATE "C" NOT NULL,
    signature    TEXT COLLATE "C" NOT NULL,
    from_address TEXT COLLATE "C" NOT NULL,
    to_address   TEXT COLLATE "C" NOT NULL,
    amount       BIGINT NOT NULL CHECK (amount >= 0),
    memo         TEXT COLLATE "C" NOT NULL,
    transfer     TEXT COLLATE "C" NOT NULL,
    attempt      BIGINT NOT NULL,
    sent         BOOLEAN NOT NULL,
    parts        TEXT COLLATE "C",
    booked       BIGINT NOT NULL,
    suspended    TEXT COLLATE "C",
    at           BIGINT,
    found_at     BIGINT NOT NULL,
    adopted_at   BIGINT,
    version      BIGINT NOT NULL,
    PRIMARY KEY (env, signature)
);
CREATE INDEX wallet_outflows_open ON wallet_outflows (env, signature) WHERE adopted_at IS NULL;
