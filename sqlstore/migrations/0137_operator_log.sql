-- +goose Up

-- Who of the operator's people looked at what of a business, and what they had sent again, and why.
CREATE TABLE operator_log (
    id         TEXT PRIMARY KEY,
    env        TEXT NOT NULL,
    business   TEXT NOT NULL,
    done_by    TEXT NOT NULL,
    act        TEXT NOT NULL CHECK (act IN ('read', 'resend', 'replay')),
    subject    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT;
CREATE INDEX operator_log_by_scope ON operator_log (env, business, created_at, id);
CREATE INDEX operator_log_by_env ON operator_log (env, id);
