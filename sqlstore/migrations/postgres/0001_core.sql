-- +goose Up

-- Amounts are integers of minor units, instants are integers of microseconds
-- since 1970 in UTC: to_timestamp(created_at / 1e6). Text is ordered by bytes.

-- What no statement may do, whoever sends it: see the triggers that call it.
-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
-- +goose StatementEnd

-- How many rows each counted list has; kept in the transaction of the rows.
CREATE TABLE counters (
    list TEXT COLLATE "C" PRIMARY KEY,
    rows BIGINT NOT NULL CHECK (rows >= 0)
) WITH (fillfactor = 50);

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

CREATE TABLE idempotency_keys (
    env         TEXT COLLATE "C" NOT NULL,
    business    TEXT COLLATE "C" NOT NULL,
    operation   TEXT COLLATE "C" NOT NULL,
    client      TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT COLLATE "C" NOT NULL,
    resource    TEXT COLLATE "C" NOT NULL,
    finished    BOOLEAN NOT NULL,
    status      BIGINT NOT NULL,
    body        BYTEA,
    busy_until  BIGINT,
    created_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    PRIMARY KEY (env, business, operation, client)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Due work. fence is 0 while the key waits, else that of the newest claim, which
-- runs until leased_until. again is the earliest instant scheduled meanwhile.
CREATE TABLE due_work (
    queue        TEXT COLLATE "C" NOT NULL,
    key          TEXT COLLATE "C" NOT NULL,
    due          BIGINT NOT NULL,
    round        BIGINT NOT NULL,
    fence        BIGINT NOT NULL DEFAULT 0,
    leased_until BIGINT,
    again        BIGINT,
    PRIMARY KEY (queue, key),
    CHECK ((fence = 0) = (leased_until IS NULL)),
    CHECK (fence > 0 OR again IS NULL)
) WITH (fillfactor = 70);
CREATE INDEX due_work_waiting ON due_work (queue, due, key) WHERE fence = 0;
CREATE INDEX due_work_leased ON due_work (queue, leased_until) WHERE fence > 0;
