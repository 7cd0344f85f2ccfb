-- +goose Up

-- Whose a key is: it up to its second slash, or nothing. So what is due of one owner is
-- found past any number of keys of others.
-- +sqlite
ALTER TABLE due_work ADD COLUMN owner TEXT NOT NULL GENERATED ALWAYS AS (
    CASE WHEN instr(substr(key, instr(key, '/') + 1), '/') = 0 OR instr(key, '/') = 0 THEN ''
         ELSE substr(key, 1, instr(key, '/') + instr(substr(key, instr(key, '/') + 1), '/')) END) VIRTUAL;
-- +postgres
ALTER TABLE due_work ADD COLUMN owner TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    CASE WHEN key LIKE '%/%/%' THEN split_part(key, '/', 1) || '/' || split_part(key, '/', 2) || '/' ELSE '' END) STORED;
-- +both
CREATE INDEX due_work_owned ON due_work (queue, owner, due, key) WHERE fence = 0;
