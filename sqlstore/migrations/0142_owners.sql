-- +goose Up

-- All keys are in it, in spite of the condition: see sqldb.ByOwner.
DROP INDEX due_work_by_owner;
-- +sqlite
CREATE INDEX due_work_by_owner ON due_work (queue, owner, due, key);
-- +postgres
CREATE INDEX due_work_by_owner ON due_work (queue, owner, due, key) WHERE owner >= '';
