-- +goose Up

-- Whose a bank account is.
CREATE TABLE source_accounts (
    env      TEXT COLLATE "C" NOT NULL,
    number   TEXT COLLATE "C" NOT NULL,
    business TEXT COLLATE "C" NOT NULL,
    version  BIGINT NOT NULL,
    PRIMARY KEY (env, number)
);

-- The place reached in the bank's list of credits.
CREATE TABLE bank_feeds (
    env     TEXT COLLATE "C" PRIMARY KEY,
    cursor  TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL
);
