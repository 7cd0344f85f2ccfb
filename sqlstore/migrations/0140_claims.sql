-- +goose Up

-- A claim changes no column of an index. So PostgreSQL writes the claimed row beside the one that waits, as
-- long as the page has room, and touches no index. Due keys are found by the same indexes as before, whose
-- first keys may be claimed. All keys are in them, in spite of the condition: see sqldb.ByDue.
-- +sqlite
CREATE INDEX due_work_by_due ON due_work (queue, due, key);
CREATE INDEX due_work_by_owner ON due_work (queue, owner, due, key);
-- +postgres
CREATE INDEX due_work_by_due ON due_work (queue, due, key) WHERE due > -9000000000000000000;
CREATE INDEX due_work_by_owner ON due_work (queue, owner, due, key) WHERE due > -9000000000000000000;
ALTER TABLE due_work SET (fillfactor = 50);
-- +both
DROP INDEX due_work_leased;
DROP INDEX due_work_waiting;
DROP INDEX due_work_owned;
