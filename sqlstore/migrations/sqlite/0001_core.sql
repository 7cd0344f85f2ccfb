-- +goose Up

-- Amounts are integers of minor units, instants are integers of microseconds
-- since 1970 in UTC, booleans are 0 and 1.

-- How many rows each counted list has; kept in the transaction of the rows.
CREATE TABLE counters (
    list TEXT PRIMARY KEY,
    rows INTEGER NOT NULL CHECK (rows >= 0)
) STRICT, WITHOUT ROWID;

-- How often the file was opened: the upper half of every fencing number.
CREATE TABLE openings (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    times INTEGER NOT NULL
) STRICT;
INSERT INTO openings (one, times) VALUES (1, 0);

CREATE TABLE idempotency_keys (
    env         TEXT NOT NULL,
    business    TEXT NOT NULL,
    operation   TEXT NOT NULL,
    client      TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource    TEXT NOT NULL,
    finished    INTEGER NOT NULL CHECK (finished IN (0, 1)),
    status      INTEGER NOT NULL,
    body        BLOB,
    busy_until  INTEGER,
    created_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (env, business, operation, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Due work. fence is 0 while the key waits, else that of the newest claim, which
-- runs until leased_until. again is the earliest instant scheduled meanwhile.
CREATE TABLE due_work (
    queue        TEXT NOT NULL,
    key          TEXT NOT NULL,
    due          INTEGER NOT NULL,
    round        INTEGER NOT NULL,
    fence        INTEGER NOT NULL DEFAULT 0,
    leased_until INTEGER,
    again        INTEGER,
    PRIMARY KEY (queue, key),
    CHECK ((fence = 0) = (leased_until IS NULL)),
    CHECK (fence > 0 OR again IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX due_work_waiting ON due_work (queue, due, key) WHERE fence = 0;
CREATE INDEX due_work_leased ON due_work (queue, leased_until) WHERE fence > 0;
