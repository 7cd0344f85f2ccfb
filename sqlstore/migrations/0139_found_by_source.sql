-- +goose Up

-- What came in is found by the signature of the chain, on whatever addresses, and by the session of the bank.
DROP INDEX wallet_deposits;
CREATE UNIQUE INDEX wallet_deposits ON wallet_transactions (signature, address) WHERE transfer IS NULL;
CREATE INDEX wallet_anomalies_by_signature ON wallet_anomalies (signature, id);
CREATE INDEX receipts_by_source ON receipts (source, id);
