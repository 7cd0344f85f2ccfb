-- +goose Up

-- Counted lists of wallets and of their transactions are named like those of other
-- rows: a status stands before a customer, and no slash at the end.
DELETE FROM counters WHERE list LIKE 'wallets/%//%';
INSERT INTO counters (list, rows)
    SELECT 'wallets/' || env || '/' || business || '//' || customer, count(*)
    FROM wallets WHERE customer IS NOT NULL GROUP BY env, business, customer;
INSERT INTO counters (list, rows)
    SELECT 'wallets/' || env || '/' || business || '/' || status || '/' || customer, count(*)
    FROM wallets WHERE customer IS NOT NULL GROUP BY env, business, status, customer;
UPDATE counters SET list = rtrim(list, '/') WHERE list LIKE 'wallet_transactions/%/';
