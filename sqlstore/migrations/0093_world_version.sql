-- +goose Up

-- The version of the simulated world, which every change raises, whichever release makes it. A
-- server that has read something of a version knows it until there is another one.
CREATE TABLE world_version (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL
) STRICT;
INSERT INTO world_version (one, version) VALUES (1, 0);

-- +sqlite
-- +goose StatementBegin
CREATE TRIGGER world_inserted AFTER INSERT ON world BEGIN UPDATE world_version SET version = version + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER world_updated AFTER UPDATE ON world BEGIN UPDATE world_version SET version = version + 1; END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER world_deleted AFTER DELETE ON world BEGIN UPDATE world_version SET version = version + 1; END;
-- +goose StatementEnd
-- +postgres
-- +goose StatementBegin
CREATE FUNCTION raise_world_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN UPDATE world_version SET version = version + 1; RETURN NULL; END $$;
-- +goose StatementEnd
CREATE TRIGGER world_changed AFTER INSERT OR UPDATE OR DELETE ON world
    FOR EACH STATEMENT EXECUTE FUNCTION raise_world_version();
