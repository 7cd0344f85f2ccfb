-- +goose Up

-- The simulated world of the test environment: documents by key. No row of a
-- domain is here, and no unit of work writes it.
CREATE TABLE world (
    key   TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
