-- +goose Up

-- The attempts of a transfer are walked by signature.
DROP INDEX transfer_attempts_by_transfer;
CREATE INDEX transfer_attempts_by_transfer ON transfer_attempts (env, transfer, signature);

-- An anomaly has an id, which sorts by the time when it was noted.
CREATE TABLE wallet_anomalies_by_id (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    wallet     TEXT NOT NULL,
    address    TEXT NOT NULL,
    signature  TEXT NOT NULL,
    mint       TEXT NOT NULL,
    kind       TEXT NOT NULL,
    delta      INTEGER NOT NULL,
    created_at INTEGER,
    version    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- +sqlite
INSERT INTO wallet_anomalies_by_id
SELECT printf('anm_%012x', coalesce(created_at, 0) / 1000) || lower(hex(randomblob(10))),
    env, business, wallet, address, signature, mint, kind, delta, created_at, version FROM wallet_anomalies;
-- +postgres
INSERT INTO wallet_anomalies_by_id
SELECT 'anm_' || lpad(to_hex(coalesce(created_at, 0) / 1000), 12, '0') || left(md5(address || ' ' || signature || ' ' || mint), 20),
    env, business, wallet, address, signature, mint, kind, delta, created_at, version FROM wallet_anomalies;
-- +both
DROP TABLE wallet_anomalies;
ALTER TABLE wallet_anomalies_by_id RENAME TO wallet_anomalies;
CREATE UNIQUE INDEX wallet_anomalies_by_movement ON wallet_anomalies (address, signature, mint);
CREATE INDEX wallet_anomalies_by_address ON wallet_anomalies (address, id);
