-- +goose Up

-- What came in is found by the signature of the chain, on whatever addresses, and by the session of the bank.
-- The index that is replaced goes last: who drops it keeps readers of its table waiting.
CREATE UNIQUE INDEX wallet_deposits_by_signature ON wallet_transactions (signature, address) WHERE transfer IS NULL;
CREATE INDEX wallet_anomalies_by_signature ON wallet_anomalies (signature, id);
CREATE INDEX receipts_by_source ON receipts (source, id);
DROP INDEX wallet_deposits;
