-- +goose Up

-- Counted lists of addresses are named like those of other rows, without a slash at the
-- end. Those of a wallet and a status at once are no longer counted.
DELETE FROM counters WHERE list LIKE 'addresses/%' AND list NOT LIKE '%/' AND list NOT LIKE '%//%';
UPDATE counters SET list = rtrim(list, '/') WHERE list LIKE 'addresses/%/';
