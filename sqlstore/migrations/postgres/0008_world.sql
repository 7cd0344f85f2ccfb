-- +goose Up

-- The simulated world of the test environment: documents by key. No row of a
-- domain is here, and no unit of work writes it.
CREATE TABLE world (
    key   TEXT COLLATE "C" PRIMARY KEY,
    value BYTEA NOT NULL
);
