-- +goose Up

CREATE TABLE wallets (
    id              TEXT PRIMARY KEY,
    env             TEXT NOT NULL,
    business        TEXT NOT NULL,
    reference       TEXT NOT NULL,
    label           TEXT NOT NULL,
    status          TEXT NOT NULL,
    primary_id      TEXT NOT NULL,
    primary_address TEXT NOT NULL,
    customer        TEXT,
    metadata        TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER,
    version         INTEGER NOT NULL,
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX wallets_by_scope ON wallets (env, business, created_at, id);
CREATE INDEX wallets_by_status ON wallets (env, business, status, created_at, id);
CREATE INDEX wallets_by_customer ON wallets (env, business, customer, created_at, id) WHERE customer IS NOT NULL;

CREATE TABLE addresses (
    id               TEXT PRIMARY KEY,
    env              TEXT NOT NULL,
    business         TEXT NOT NULL,
    wallet           TEXT NOT NULL,
    wallet_reference TEXT NOT NULL,
    address          TEXT NOT NULL,
    label            TEXT NOT NULL,
    status           TEXT NOT NULL,
    is_primary       BOOLEAN NOT NULL,
    metadata         TEXT,
    total_received   INTEGER NOT NULL CHECK (total_received >= 0),
    deposit_count    INTEGER NOT NULL CHECK (deposit_count >= 0),
    last_deposit_at  INTEGER,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER,
    version          INTEGER NOT NULL,
    UNIQUE (env, address)
) STRICT;
CREATE INDEX addresses_by_scope ON addresses (env, business, created_at, id);
CREATE INDEX addresses_by_status ON addresses (env, business, status, created_at, id);
CREATE INDEX addresses_by_wallet ON addresses (env, business, wallet, created_at, id);
CREATE INDEX addresses_by_wallet_status ON addresses (env, business, wallet, status, created_at, id);

-- Sealed keys. Who loses one loses what is on the address.
CREATE TABLE address_keys (
    id          TEXT PRIMARY KEY REFERENCES addresses (id),
    env         TEXT NOT NULL,
    business    TEXT NOT NULL,
    wallet      TEXT NOT NULL,
    public_key  TEXT NOT NULL,
    key_version INTEGER NOT NULL,
    sealed      BLOB NOT NULL,
    created_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL
) STRICT;

-- +sqlite
-- +goose StatementBegin
CREATE TRIGGER address_keys_remain BEFORE DELETE ON address_keys
BEGIN SELECT RAISE(ABORT, 'keys are never removed'); END;
-- +goose StatementEnd
-- +postgres
CREATE TRIGGER address_keys_remain BEFORE DELETE ON address_keys
    FOR EACH ROW EXECUTE FUNCTION refuse_change('keys are never removed');
CREATE TRIGGER address_keys_abide BEFORE TRUNCATE ON address_keys
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('keys are never removed');
-- +both

-- committed may be more than on_chain: when money leaves an address without the
-- engine, what was promised from it stays promised, and the audit tells.
CREATE TABLE custodies (
    id         TEXT PRIMARY KEY REFERENCES addresses (id),
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    wallet     TEXT NOT NULL,
    address    TEXT NOT NULL,
    cursor     TEXT NOT NULL,
    mark       TEXT NOT NULL,
    doubt      TEXT NOT NULL,
    looks      INTEGER NOT NULL,
    scanned_at INTEGER,
    on_chain   INTEGER NOT NULL,
    committed  INTEGER NOT NULL CHECK (committed >= 0),
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX custodies_by_env ON custodies (env, id);
-- +sqlite
CREATE INDEX custodies_by_surplus ON custodies (env, on_chain - committed, id) WHERE on_chain > committed;
CREATE INDEX custodies_of_business ON custodies (env, business, on_chain - committed, id) WHERE on_chain > committed;
-- +postgres
CREATE INDEX custodies_by_surplus ON custodies (env, (on_chain - committed), id) WHERE on_chain > committed;
CREATE INDEX custodies_of_business ON custodies (env, business, (on_chain - committed), id) WHERE on_chain > committed;
-- +both

CREATE TABLE wallet_transfers (
    id               TEXT PRIMARY KEY,
    env              TEXT NOT NULL,
    business         TEXT NOT NULL, -- empty for a treasury transfer
    reference        TEXT NOT NULL,
    kind             TEXT NOT NULL CHECK (kind IN ('internal', 'external', 'treasury')),
    wallet           TEXT NOT NULL,
    wallet_reference TEXT NOT NULL,
    from_id          TEXT NOT NULL,
    from_address     TEXT NOT NULL,
    to_address       TEXT NOT NULL,
    to_id            TEXT NOT NULL,
    amount           INTEGER NOT NULL CHECK (amount >= 0),
    fee              INTEGER NOT NULL CHECK (fee >= 0),
    memo             TEXT NOT NULL,
    metadata         TEXT,
    status           TEXT NOT NULL CHECK (status IN ('pending', 'success', 'failed')),
    failure          TEXT NOT NULL,
    attempts         INTEGER NOT NULL CHECK (attempts >= 0),
    signature        TEXT NOT NULL,
    waits_for        TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER,
    confirmed_at     INTEGER,
    version          INTEGER NOT NULL,
    UNIQUE (env, business, reference)
) STRICT;
CREATE INDEX wallet_transfers_pending ON wallet_transfers (env, id) WHERE status = 'pending';

-- Signed bytes that may move money, never changed and never removed. sources is
-- JSON with amounts in minor units.
CREATE TABLE transfer_attempts (
    env               TEXT NOT NULL,
    business          TEXT NOT NULL,
    transfer          TEXT NOT NULL,
    number            INTEGER NOT NULL,
    signature         TEXT NOT NULL,
    bytes             BLOB,
    blockhash         TEXT NOT NULL,
    last_valid_height INTEGER NOT NULL CHECK (last_valid_height >= 0),
    memo              TEXT NOT NULL,
    sources           TEXT,
    to_id             TEXT NOT NULL,
    state             TEXT NOT NULL CHECK (state IN ('live', 'landed', 'failed', 'expired')),
    seen              BOOLEAN NOT NULL,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER,
    version           INTEGER NOT NULL,
    PRIMARY KEY (env, signature)
) STRICT;
CREATE UNIQUE INDEX transfer_attempts_live ON transfer_attempts (transfer) WHERE state = 'live';
CREATE INDEX transfer_attempts_by_transfer ON transfer_attempts (transfer, number);

-- +sqlite
-- +goose StatementBegin
CREATE TRIGGER transfer_attempts_stay BEFORE UPDATE ON transfer_attempts
WHEN NEW.bytes IS NOT OLD.bytes OR OLD.state <> 'live' AND NEW.state = 'live'
BEGIN SELECT RAISE(ABORT, 'what was signed is never changed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER transfer_attempts_remain BEFORE DELETE ON transfer_attempts
BEGIN SELECT RAISE(ABORT, 'what was signed is never removed'); END;
-- +goose StatementEnd
-- +postgres
CREATE TRIGGER transfer_attempts_stay BEFORE UPDATE ON transfer_attempts
    FOR EACH ROW WHEN (NEW.bytes IS DISTINCT FROM OLD.bytes OR OLD.state <> 'live' AND NEW.state = 'live')
    EXECUTE FUNCTION refuse_change('what was signed is never changed');
CREATE TRIGGER transfer_attempts_remain BEFORE DELETE ON transfer_attempts
    FOR EACH ROW EXECUTE FUNCTION refuse_change('what was signed is never removed');
CREATE TRIGGER transfer_attempts_abide BEFORE TRUNCATE ON transfer_attempts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what was signed is never removed');
-- +both

-- Lines of statements. One without a transfer is a deposit.
CREATE TABLE wallet_transactions (
    id               TEXT PRIMARY KEY,
    env              TEXT NOT NULL,
    business         TEXT NOT NULL,
    reference        TEXT NOT NULL,
    direction        TEXT NOT NULL CHECK (direction IN ('IN', 'OUT')),
    wallet           TEXT NOT NULL,
    wallet_reference TEXT NOT NULL,
    address          TEXT NOT NULL,
    transfer         TEXT,
    from_address     TEXT NOT NULL,
    to_address       TEXT NOT NULL,
    amount           INTEGER NOT NULL CHECK (amount >= 0),
    fee              INTEGER NOT NULL CHECK (fee >= 0),
    status           TEXT NOT NULL CHECK (status IN ('pending', 'success', 'failed')),
    signature        TEXT NOT NULL,
    posting          TEXT,
    leg              INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    confirmed_at     INTEGER,
    version          INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX wallet_deposits ON wallet_transactions (address, signature) WHERE transfer IS NULL;
CREATE INDEX wallet_transactions_by_scope ON wallet_transactions (env, business, created_at, id);
CREATE INDEX wallet_transactions_by_status ON wallet_transactions (env, business, status, created_at, id);
CREATE INDEX wallet_transactions_by_wallet ON wallet_transactions (env, business, wallet, created_at, id);
CREATE INDEX wallet_transactions_by_wallet_status ON wallet_transactions (env, business, wallet, status, created_at, id);

-- Movements on managed addresses that were not credited.
CREATE TABLE wallet_anomalies (
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    wallet     TEXT NOT NULL,
    address    TEXT NOT NULL,
    signature  TEXT NOT NULL,
    mint       TEXT NOT NULL,
    kind       TEXT NOT NULL,
    delta      INTEGER NOT NULL,
    created_at INTEGER,
    version    INTEGER NOT NULL,
    PRIMARY KEY (address, signature, mint)
) STRICT, WITHOUT ROWID;
