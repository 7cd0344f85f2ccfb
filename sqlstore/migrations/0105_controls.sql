-- +goose Up

-- How a person ended a payment of which the bank reports another amount or account than it was
-- told. The id is that of the payout item, the fiat transfer or the refund.
CREATE TABLE disburse_resolutions (
    id           TEXT PRIMARY KEY,
    env          TEXT NOT NULL,
    business     TEXT NOT NULL,
    decision     TEXT NOT NULL CHECK (decision IN ('paid', 'not-paid')),
    bank_session TEXT NOT NULL,
    decided_by   TEXT NOT NULL,
    reason       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    version      INTEGER NOT NULL
) STRICT;
CREATE INDEX disburse_resolutions_by_env ON disburse_resolutions (env, id);

-- A payout is found by the bank's session of an item.
CREATE INDEX payout_items_by_session ON payout_items (env, business, bank_session, id);

-- An approval of the time before these had an end has one now: 72 hours after it was asked for.
INSERT INTO due_work (queue, key, due, round)
SELECT 'outflow.approval/' || env, env || '/' || business || '/' || id, created_at + 259200000000, 1
FROM outflow_approvals WHERE status = 'pending' AND expires_at IS NULL;
UPDATE outflow_approvals SET expires_at = created_at + 259200000000 WHERE status = 'pending' AND expires_at IS NULL;
