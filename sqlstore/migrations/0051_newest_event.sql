-- +goose Up

-- The newest event of a resource is found at once.
CREATE UNIQUE INDEX events_by_resource ON events (env, business, resource, sequence);
