-- +goose Up

-- The counted lists of all payments and all transactions of a scope are named like those
-- of other rows, without a slash at the end.
UPDATE counters SET list = substr(list, 1, length(list) - 1)
WHERE (list LIKE 'payments/%' OR list LIKE 'transactions/%') AND list LIKE '%/';
