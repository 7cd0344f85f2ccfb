-- +goose Up

-- What a program has to know about the store. Until now it stood in the simulated world.
CREATE TABLE settings (
    name    TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    value   BLOB
) STRICT;

INSERT INTO settings (name, version, value)
SELECT key, 1, value FROM world WHERE key IN ('serve/keyset', 'dev/store', 'dev/credentials');
DELETE FROM world WHERE key IN ('serve/keyset', 'dev/store', 'dev/credentials');
