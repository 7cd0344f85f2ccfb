-- +goose Up

-- Lists of wallets: what a search looks in, as in the other tables that have one (the
-- next migration, in Go, fills it), and counted lists of the wallets of a customer.
ALTER TABLE wallets ADD COLUMN search TEXT;
CREATE INDEX wallets_by_customer_status ON wallets (env, business, customer, status, created_at, id) WHERE customer IS NOT NULL;
INSERT INTO counters (list, rows)
    SELECT 'wallets/' || env || '/' || business || '//' || customer || '/', count(*)
    FROM wallets WHERE customer IS NOT NULL GROUP BY env, business, customer;
INSERT INTO counters (list, rows)
    SELECT 'wallets/' || env || '/' || business || '//' || customer || '/' || status, count(*)
    FROM wallets WHERE customer IS NOT NULL GROUP BY env, business, customer, status;
