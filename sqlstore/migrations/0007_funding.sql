-- +goose Up

-- Whose a bank account is.
CREATE TABLE source_accounts (
    env      TEXT NOT NULL,
    number   TEXT NOT NULL,
    business TEXT NOT NULL,
    version  INTEGER NOT NULL,
    PRIMARY KEY (env, number)
) STRICT, WITHOUT ROWID;

-- The place reached in the bank's list of credits.
CREATE TABLE bank_feeds (
    env     TEXT PRIMARY KEY,
    cursor  TEXT NOT NULL,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
