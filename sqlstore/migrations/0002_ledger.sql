-- +goose Up

-- posted and reserved stay 0 for an uncounted account. A control account sums
-- its subsidiaries, the accounts that name it as control.
CREATE TABLE accounts (
    no         INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    asset      TEXT NOT NULL,
    uncounted  BOOLEAN NOT NULL,
    control    INTEGER REFERENCES accounts (no),
    is_control BOOLEAN NOT NULL DEFAULT FALSE,
    posted     INTEGER NOT NULL DEFAULT 0,
    reserved   INTEGER NOT NULL DEFAULT 0,
    CHECK (0 <= reserved AND reserved <= posted),
-- +sqlite
    CHECK (uncounted = 0 OR posted = 0)
) STRICT;
-- +postgres
    CHECK (NOT uncounted OR posted = 0)
) WITH (fillfactor = 50);
-- +both
CREATE INDEX accounts_by_env ON accounts (env, id);
CREATE INDEX accounts_by_scope ON accounts (env, business);

CREATE TABLE postings (
    no   INTEGER PRIMARY KEY,
    id   TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    ref  TEXT NOT NULL,
    at   INTEGER
) STRICT;

-- The legs of postings, never changed and never removed. The order of an
-- account's entries is that of their numbers. balance_after is NULL for an
-- uncounted account, control_after where there is no control account.
CREATE TABLE entries (
    no            INTEGER PRIMARY KEY,
    posting       INTEGER NOT NULL REFERENCES postings (no),
    leg           INTEGER NOT NULL,
    account       INTEGER NOT NULL REFERENCES accounts (no),
    amount        INTEGER NOT NULL CHECK (amount <> 0),
    balance_after INTEGER,
    control_after INTEGER,
    UNIQUE (posting, leg)
) STRICT;
CREATE INDEX entries_by_account ON entries (account, no);

-- +sqlite
-- +goose StatementBegin
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;
-- +goose StatementEnd
-- +postgres
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change('entries are never changed');
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change('entries are never removed');
CREATE TRIGGER entries_abide BEFORE TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('entries are never removed');
-- +both

CREATE TABLE reservations (
    id      TEXT PRIMARY KEY,
    env     TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id),
    asset   TEXT NOT NULL,
    amount  INTEGER NOT NULL CHECK (amount > 0),
    state   TEXT NOT NULL CHECK (state IN ('open', 'settled', 'released')),
    settled INTEGER NOT NULL CHECK (0 <= settled AND settled <= amount),
    at      INTEGER,
    version INTEGER NOT NULL,
    CHECK (state = 'settled' OR settled = 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX reservations_open ON reservations (env, id) WHERE state = 'open';
