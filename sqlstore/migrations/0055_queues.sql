-- +goose Up

-- Each environment has queues of its own, because its clock says when a key is due.
UPDATE due_work SET queue = queue || '/live' WHERE key = 'live' OR substr(key, 1, 5) = 'live/';
UPDATE due_work SET queue = queue || '/test' WHERE key = 'test' OR substr(key, 1, 5) = 'test/';

-- Client keys are forgotten by the clock of their environment.
DROP INDEX idempotency_keys_by_age;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (env, created_at);
