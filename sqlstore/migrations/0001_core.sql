-- +goose Up

-- Amounts are integers of minor units, instants are integers of microseconds
-- since 1970 in UTC: to_timestamp(created_at / 1e6). Text is ordered by bytes.

-- +postgres
-- What no statement may do, whoever sends it: see the triggers that call it.
-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
-- +goose StatementEnd

-- +both
-- How many rows each counted list has; kept in the transaction of the rows.
CREATE TABLE counters (
    list TEXT PRIMARY KEY,
    rows INTEGER NOT NULL CHECK (rows >= 0)
-- +sqlite
) STRICT, WITHOUT ROWID;
-- +postgres
) WITH (fillfactor = 50);
-- +both

-- +sqlite
-- How often the file was opened: the upper half of every fencing number.
CREATE TABLE openings (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    times INTEGER NOT NULL
) STRICT;
INSERT INTO openings (one, times) VALUES (1, 0);
-- +postgres
-- Ends a transaction in which a guard or a step of a unit found no row. The unit
-- runs again, or is refused with an error of its own.
-- +goose StatementBegin
CREATE FUNCTION unmet() RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'a condition of a unit of work is not met' USING ERRCODE = 'FE001',
    HINT = 'Nothing is wrong: ferry runs the unit again, or refuses it.'; END $$;
-- +goose StatementEnd

-- Fencing numbers: no crash and no rollback makes one come again.
CREATE SEQUENCE fences AS BIGINT CACHE 1;

-- The last transaction that each running store has committed. Who was cut off in
-- a commit finds here whether it happened.
CREATE TABLE committers (
    id   TEXT COLLATE "C" PRIMARY KEY,
    last BIGINT NOT NULL,
    at   TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 20);
-- +both

CREATE TABLE idempotency_keys (
    env         TEXT NOT NULL,
    business    TEXT NOT NULL,
    operation   TEXT NOT NULL,
    client      TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource    TEXT NOT NULL,
    finished    BOOLEAN NOT NULL,
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
-- +sqlite
) STRICT, WITHOUT ROWID;
-- +postgres
) WITH (fillfactor = 70);
-- +both
CREATE INDEX due_work_waiting ON due_work (queue, due, key) WHERE fence = 0;
CREATE INDEX due_work_leased ON due_work (queue, leased_until) WHERE fence > 0;
