-- +goose Up

-- Until when a request asks the provider to send the one-time password; NULL while
-- none does.
ALTER TABLE identities ADD COLUMN asked_until INTEGER;
