-- +goose Up

-- What a secret key may do: a JSON list; NULL is everything.
ALTER TABLE api_keys ADD COLUMN scopes TEXT;
