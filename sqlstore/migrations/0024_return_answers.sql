-- +goose Up

-- What the bank said of a return that it does not accept, and how often in a row.
ALTER TABLE returns ADD COLUMN answer TEXT NOT NULL DEFAULT ''
    CHECK (answer IN ('', 'unavailable', 'unknown_session', 'too_much'));
ALTER TABLE returns ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
CREATE INDEX returns_listed ON returns (env, id);
