-- +goose Up

-- A key is named by one text within its scope: operation, a space, and the client's key.
CREATE TABLE idempotency_keys_by_id (
    env         TEXT NOT NULL,
    business    TEXT NOT NULL,
    id          TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource    TEXT NOT NULL,
    finished    BOOLEAN NOT NULL,
    status      INTEGER NOT NULL,
    body        BLOB,
    busy_until  INTEGER,
    created_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (env, business, id)
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_keys_by_id
SELECT env, business, operation || ' ' || client, fingerprint, resource, finished, status, body, busy_until, created_at, version FROM idempotency_keys;
DROP TABLE idempotency_keys;
ALTER TABLE idempotency_keys_by_id RENAME TO idempotency_keys;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
