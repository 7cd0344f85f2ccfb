-- +goose Up

-- How long an operation waits for its approval, and until when. 0 hours is the default; an
-- approval without an end is of the time before.
ALTER TABLE outflow_rules ADD COLUMN approval_hours INTEGER NOT NULL DEFAULT 0 CHECK (approval_hours >= 0);
ALTER TABLE outflow_approvals ADD COLUMN expires_at INTEGER;

-- What an operation waits for before anything is sent.
ALTER TABLE fiat_transfers ADD COLUMN stage TEXT NOT NULL DEFAULT '' CHECK (stage IN ('', 'pending_approval'));
ALTER TABLE refunds ADD COLUMN stage TEXT NOT NULL DEFAULT '' CHECK (stage IN ('', 'pending_approval'));
