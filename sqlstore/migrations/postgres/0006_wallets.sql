-- +goose Up

CREATE TABLE wallets (
    id              TEXT COLLATE "C" PRIMARY KEY,
    env             TEXT COLLATE "C" NOT NULL,
    business        TEXT COLLATE "C" NOT NULL,
    reference       TEXT COLLATE "C" NOT NULL,
    label           TEXT COLLATE "C" NOT NULL,
    status          TEXT COLLATE "C" NOT NULL,
    primary_id      TEXT COLLATE "C" NOT NULL,
    primary_address TEXT COLLATE "C" NOT NULL,
    customer        TEXT COLLATE "C",
    metadata        TEXT COLLATE "C",
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT,
    version         BIGINT NOT NULL,
    UNIQUE (env, business, reference)
);
CREATE INDEX wallets_by_scope ON wallets (env, business, created_at, id);
CREATE INDEX wallets_by_status ON wallets (env, business, status, created_at, id);
CREATE INDEX wallets_by_customer ON wallets (env, business, customer, created_at, id) WHERE customer IS NOT NULL;

CREATE TABLE addresses (
    id               TEXT COLLATE "C" PRIMARY KEY,
    env              TEXT COLLATE "C" NOT NULL,
    business         TEXT COLLATE "C" NOT NULL,
    wallet           TEXT COLLATE "C" NOT NULL,
    wallet_reference TEXT COLLATE "C" NOT NULL,
    address          TEXT COLLATE "C" NOT NULL,
    label            TEXT COLLATE "C" NOT NULL,
    status           TEXT COLLATE "C" NOT NULL,
    is_primary       BOOLEAN NOT NULL,
    metadata         TEXT COLLATE "C",
    total_received   BIGINT NOT NULL CHECK (total_received >= 0),
    deposit_count    BIGINT NOT NULL CHECK (deposit_count >= 0),
    last_deposit_at  BIGINT,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT,
    version          BIGINT NOT NULL,
    UNIQUE (env, address)
);
CREATE INDEX addresses_by_scope ON addresses (env, business, created_at, id);
CREATE INDEX addresses_by_status ON addresses (env, business, status, created_at, id);
CREATE INDEX addresses_by_wallet ON addresses (env, business, wallet, created_at, id);
CREATE INDEX addresses_by_wallet_status ON addresses (env, business, wallet, status, created_at, id);

-- Sealed keys. Who loses one loses what is on the address.
CREATE TABLE address_keys (
    id          TEXT COLLATE "C" PRIMARY KEY REFERENCES addresses (id),
    env         TEXT COLLATE "C" NOT NULL,
    business    TEXT COLLATE "C" NOT NULL,
    wallet      TEXT COLLATE "C" NOT NULL,
    public_key  TEXT COLLATE "C" NOT NULL,
    key_version BIGINT NOT NULL,
    sealed      BYTEA NOT NULL,
    created_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL
);

CREATE TRIGGER address_keys_remain BEFORE DELETE ON address_keys
    FOR EACH ROW EXECUTE FUNCTION refuse_change('keys are never removed');
CREATE TRIGGER address_keys_abide BEFORE TRUNCATE ON address_keys
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('keys are never removed');

-- committed may be more than on_chain: when money leaves an address without the
-- engine, what was promised from it stays promised, and the audit tells.
CREATE TABLE custodies (
    id         TEXT COLLATE "C" PRIMARY KEY REFERENCES addresses (id),
    env        TEXT COLLATE "C" NOT NULL,
    business   TEXT COLLATE "C" NOT NULL,
    wallet     TEXT COLLATE "C" NOT NULL,
    address    TEXT COLLATE "C" NOT NULL,
    cursor     TEXT COLLATE "C" NOT NULL,
    mark       TEXT COLLATE "C" NOT NULL,
    doubt      TEXT COLLATE "C" NOT NULL,
    looks      BIGINT NOT NULL,
    scanned_at BIGINT,
    on_chain   BIGINT NOT NULL,
    committed  BIGINT NOT NULL CHECK (committed >= 0),
    version    BIGINT NOT NULL
);
CREATE INDEX custodies_by_env ON custodies (env, id);
CREATE INDEX custodies_by_surplus ON custodies (env, (on_chain - committed), id) WHERE on_chain > committed;
CREATE INDEX custodies_of_business ON custodies (env, business, (on_chain - committed), id) WHERE on_chain > committed;

CREATE TABLE wallet_transfers (
    id               TEXT COLLATE "C" PRIMARY KEY,
    env              TEXT COLLATE "C" NOT NULL,
    business         TEXT COLLATE "C" NOT NULL, -- empty for a treasury transfer
    reference        TEXT COLLATE "C" NOT NULL,
    kind             TEXT COLLATE "C" NOT NULL CHECK (kind IN ('internal', 'external', 'treasury')),
    wallet           TEXT COLLATE "C" NOT NULL,
    wallet_reference TEXT COLLATE "C" NOT NULL,
    from_id          TEXT COLLATE "C" NOT NULL,
    from_address     TEXT COLLATE "C" NOT NULL,
    to_address       TEXT COLLATE "C" NOT NULL,
    to_id            TEXT COLLATE "C" NOT NULL,
    amount           BIGINT NOT NULL CHECK (amount >= 0),
    fee              BIGINT NOT NULL CHECK (fee >= 0),
    memo             TEXT COLLATE "C" NOT NULL,
    metadata         TEXT COLLATE "C",
    status           TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'success', 'failed')),
    failure          TEXT COLLATE "C" NOT NULL,
    attempts         BIGINT NOT NULL CHECK (attempts >= 0),
    signature        TEXT COLLATE "C" NOT NULL,
    waits_for        TEXT COLLATE "C" NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT,
    confirmed_at     BIGINT,
    version          BIGINT NOT NULL,
    UNIQUE (env, business, reference)
);
CREATE INDEX wallet_transfers_pending ON wallet_transfers (env, id) WHERE status = 'pending';

-- Signed bytes that may move money, never changed and never removed. sources is
-- JSON with amounts in minor units.
CREATE TABLE transfer_attempts (
    env               TEXT COLLATE "C" NOT NULL,
    business          TEXT COLLATE "C" NOT NULL,
    transfer          TEXT COLLATE "C" NOT NULL,
    number            BIGINT NOT NULL,
    signature         TEXT COLLATE "C" NOT NULL,
    bytes             BYTEA,
    blockhash         TEXT COLLATE "C" NOT NULL,
    last_valid_height BIGINT NOT NULL CHECK (last_valid_height >= 0),
    memo              TEXT COLLATE "C" NOT NULL,
    sources           TEXT COLLATE "C",
    to_id             TEXT COLLATE "C" NOT NULL,
    state             TEXT COLLATE "C" NOT NULL CHECK (state IN ('live', 'landed', 'failed', 'expired')),
    seen              BOOLEAN NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT,
    version           BIGINT NOT NULL,
    PRIMARY KEY (env, signature)
);
CREATE UNIQUE INDEX transfer_attempts_live ON transfer_attempts (transfer) WHERE state = 'live';
CREATE INDEX transfer_attempts_by_transfer ON transfer_attempts (transfer, number);

CREATE TRIGGER transfer_attempts_stay BEFORE UPDATE ON transfer_attempts
    FOR EACH ROW WHEN (NEW.bytes IS DISTINCT FROM OLD.bytes OR OLD.state <> 'live' AND NEW.state = 'live')
    EXECUTE FUNCTION refuse_change('what was signed is never changed');
CREATE TRIGGER transfer_attempts_remain BEFORE DELETE ON transfer_attempts
    FOR EACH ROW EXECUTE FUNCTION refuse_change('what was signed is never removed');
CREATE TRIGGER transfer_attempts_abide BEFORE TRUNCATE ON transfer_attempts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what was signed is never removed');

-- Lines of statements. One without a transfer is a deposit.
CREATE TABLE wallet_transactions (
    id               TEXT COLLATE "C" PRIMARY KEY,
    env              TEXT COLLATE "C" NOT NULL,
    business         TEXT COLLATE "C" NOT NULL,
    reference        TEXT COLLATE "C" NOT NULL,
    direction        TEXT COLLATE "C" NOT NULL CHECK (direction IN ('IN', 'OUT')),
    wallet           TEXT COLLATE "C" NOT NULL,
    wallet_reference TEXT COLLATE "C" NOT NULL,
    address          TEXT COLLATE "C" NOT NULL,
    transfer         TEXT COLLATE "C",
    from_address     TEXT COLLATE "C" NOT NULL,
    to_address       TEXT COLLATE "C" NOT NULL,
    amount           BIGINT NOT NULL CHECK (amount >= 0),
    fee              BIGINT NOT NULL CHECK (fee >= 0),
    status           TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'success', 'failed')),
    signature        TEXT COLLATE "C" NOT NULL,
    posting          TEXT COLLATE "C",
    leg              BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    confirmed_at     BIGINT,
    version          BIGINT NOT NULL
);
CREATE UNIQUE INDEX wallet_deposits ON wallet_transactions (address, signature) WHERE transfer IS NULL;
CREATE INDEX wallet_transactions_by_scope ON wallet_transactions (env, business, created_at, id);
CREATE INDEX wallet_transactions_by_status ON wallet_transactions (env, business, status, created_at, id);
CREATE INDEX wallet_transactions_by_wallet ON wallet_transactions (env, business, wallet, created_at, id);
CREATE INDEX wallet_transactions_by_wallet_status ON wallet_transactions (env, business, wallet, status, created_at, id);

-- Movements on managed addresses that were not credited.
CREATE TABLE wallet_anomalies (
    env        TEXT COLLATE "C" NOT NULL,
    business   TEXT COLLATE "C" NOT NULL,
    wallet     TEXT COLLATE "C" NOT NULL,
    address    TEXT COLLATE "C" NOT NULL,
    signature  TEXT COLLATE "C" NOT NULL,
    mint       TEXT COLLATE "C" NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL,
    delta      BIGINT NOT NULL,
    created_at BIGINT,
    version    BIGINT NOT NULL,
    PRIMARY KEY (address, signature, mint)
);
