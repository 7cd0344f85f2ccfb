-- +goose Up

-- The order of the events of one resource.
CREATE TABLE event_streams (
    env      TEXT NOT NULL,
    business TEXT NOT NULL,
    resource TEXT NOT NULL,
    last     INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    PRIMARY KEY (env, business, resource)
) STRICT, WITHOUT ROWID;

-- cursor counts the events of a scope without gaps. body is fixed before the
-- first attempt; data is what the domain told.
CREATE TABLE events (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    cursor     INTEGER NOT NULL,
    type       TEXT NOT NULL,
    resource   TEXT NOT NULL,
    sequence   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    data       TEXT,
    entry      TEXT NOT NULL,
    body       BLOB,
    state      TEXT NOT NULL,
    attempts   INTEGER NOT NULL,
    tries      INTEGER NOT NULL,
    tried_at   INTEGER,
    due_at     INTEGER,
    version    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_cursor ON events (env, business, cursor);
CREATE INDEX events_pending ON events (env, business, resource, sequence) WHERE state = 'pending';

CREATE TABLE webhook_endpoints (
    env           TEXT NOT NULL,
    business      TEXT NOT NULL,
    url           TEXT NOT NULL,
    disabled_at   INTEGER,
    underscore    BOOLEAN NOT NULL,
    secrets       TEXT,
    failures      INTEGER NOT NULL,
    failing_since INTEGER,
    probe_at      INTEGER,
    recovered_at  INTEGER,
    created_at    INTEGER,
    updated_at    INTEGER,
    version       INTEGER NOT NULL,
    PRIMARY KEY (env, business)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_attempts (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    event      TEXT NOT NULL,
    type       TEXT NOT NULL,
    number     INTEGER NOT NULL,
    status     INTEGER NOT NULL,
    error      TEXT NOT NULL,
    duration   INTEGER NOT NULL, -- nanoseconds
    sent       BOOLEAN NOT NULL,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_attempts_by_scope ON webhook_attempts (env, business, created_at, id);
CREATE INDEX webhook_attempts_by_event ON webhook_attempts (env, business, event, created_at, id);
