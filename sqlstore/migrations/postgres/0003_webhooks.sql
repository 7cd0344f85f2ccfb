-- +goose Up

-- The order of the events of one resource.
CREATE TABLE event_streams (
    env      TEXT COLLATE "C" NOT NULL,
    business TEXT COLLATE "C" NOT NULL,
    resource TEXT COLLATE "C" NOT NULL,
    last     BIGINT NOT NULL,
    version  BIGINT NOT NULL,
    PRIMARY KEY (env, business, resource)
);

-- cursor counts the events of a scope without gaps. body is fixed before the
-- first attempt; data is what the domain told.
CREATE TABLE events (
    id         TEXT COLLATE "C" PRIMARY KEY,
    env        TEXT COLLATE "C" NOT NULL,
    business   TEXT COLLATE "C" NOT NULL,
    cursor     BIGINT NOT NULL,
    type       TEXT COLLATE "C" NOT NULL,
    resource   TEXT COLLATE "C" NOT NULL,
    sequence   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    data       TEXT COLLATE "C",
    entry      TEXT COLLATE "C" NOT NULL,
    body       BYTEA,
    state      TEXT COLLATE "C" NOT NULL,
    attempts   BIGINT NOT NULL,
    tries      BIGINT NOT NULL,
    tried_at   BIGINT,
    due_at     BIGINT,
    version    BIGINT NOT NULL
);
CREATE UNIQUE INDEX events_by_cursor ON events (env, business, cursor);
CREATE INDEX events_pending ON events (env, business, resource, sequence) WHERE state = 'pending';

CREATE TABLE webhook_endpoints (
    env           TEXT COLLATE "C" NOT NULL,
    business      TEXT COLLATE "C" NOT NULL,
    url           TEXT COLLATE "C" NOT NULL,
    disabled_at   BIGINT,
    underscore    BOOLEAN NOT NULL,
    secrets       TEXT COLLATE "C",
    failures      BIGINT NOT NULL,
    failing_since BIGINT,
    probe_at      BIGINT,
    recovered_at  BIGINT,
    created_at    BIGINT,
    updated_at    BIGINT,
    version       BIGINT NOT NULL,
    PRIMARY KEY (env, business)
);

CREATE TABLE webhook_attempts (
    id         TEXT COLLATE "C" PRIMARY KEY,
    env        TEXT COLLATE "C" NOT NULL,
    business   TEXT COLLATE "C" NOT NULL,
    event      TEXT COLLATE "C" NOT NULL,
    type       TEXT COLLATE "C" NOT NULL,
    number     BIGINT NOT NULL,
    status     BIGINT NOT NULL,
    error      TEXT COLLATE "C" NOT NULL,
    duration   BIGINT NOT NULL, -- nanoseconds
    sent       BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    version    BIGINT NOT NULL
);
CREATE INDEX webhook_attempts_by_scope ON webhook_attempts (env, business, created_at, id);
CREATE INDEX webhook_attempts_by_event ON webhook_attempts (env, business, event, created_at, id);
