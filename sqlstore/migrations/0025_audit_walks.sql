-- +goose Up

-- What the audit walks: successful payments by a means, and receipts in a state.
CREATE INDEX payments_paid ON payments (env, method, id) WHERE status = 'success';
CREATE INDEX receipts_by_state ON receipts (env, state, id);
