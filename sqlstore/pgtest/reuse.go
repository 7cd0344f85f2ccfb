//go:build unix

package pgtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// template is a database that others are copies of, and copies that no test uses at present.
type template struct {
	database string
	schema   string // what it looks like
	free     []string
}

// keep notes what the tables and sequences of a template have, in a schema of its own. A copy has it, too.
const keep = `
CREATE SCHEMA pgtest;
DO $$
DECLARE t record; filled boolean;
BEGIN
	FOR t IN SELECT c.oid::regclass AS name, c.relname FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace LOOP
		EXECUTE format('SELECT EXISTS (SELECT FROM %s)', t.name) INTO filled;
		IF filled THEN
			EXECUTE format('CREATE TABLE pgtest.%I AS TABLE %s', t.relname, t.name);
		END IF;
	END LOOP;
END $$;
CREATE TABLE pgtest.counted AS SELECT format('%I.%I', schemaname, sequencename) AS name,
	coalesce(last_value, start_value) AS value, last_value IS NOT NULL AS called FROM pg_sequences;
`

// restore ends all other connections, and gives tables and sequences what the template has. A big
// table is truncated: deleted rows would slow the tests that follow.
const restore = `
DO $$
DECLARE t record;
BEGIN
	PERFORM pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
	SET LOCAL session_replication_role = replica;
	FOR t IN SELECT c.oid::regclass AS name, pg_relation_size(c.oid) AS size FROM pg_class c
			WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace LOOP
		IF t.size > 131072 THEN
			EXECUTE format('TRUNCATE %s CASCADE', t.name);
		ELSIF t.size > 0 THEN
			EXECUTE format('DELETE FROM %s', t.name);
		END IF;
	END LOOP;
	FOR t IN SELECT c.oid::regclass AS name, k.oid::regclass AS kept FROM pg_class c JOIN pg_class k USING (relname)
			WHERE c.relnamespace = 'public'::regnamespace AND k.relnamespace = 'pgtest'::regnamespace AND c.relkind = 'r' AND k.relkind = 'r' LOOP
		EXECUTE format('INSERT INTO %s OVERRIDING SYSTEM VALUE TABLE %s', t.name, t.kept);
	END LOOP;
	PERFORM setval(name::regclass, value, called) FROM pgtest.counted;
END $$;
`

// shape describes all that tests can make beside rows.
const shape = `
SELECT md5(string_agg(line, E'\n' ORDER BY line)) FROM (
	SELECT format('%s %s %s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull, attisdropped) FROM pg_attribute
		JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace
	UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
	UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
	UNION ALL SELECT prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
	UNION ALL SELECT format('%s %s %s %s', relname, relkind, relacl, reloptions) FROM pg_class WHERE relnamespace = 'public'::regnamespace
	UNION ALL SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'
	UNION ALL SELECT format('%s %s', tgrelid::regclass, tgname) FROM pg_trigger WHERE NOT tgisinternal
) AS lines (line)`

// copyOf returns the URL of a copy of a template. When the test ends, the copy is the template again and
// waits for the next test, or it is dropped when the test failed or left more than rows.
func (s *server) copyOf(t testing.TB, from *template) string {
	t.Helper()
	return s.lend(t,
		func() (string, error) { return s.take(from) },
		func(name string) error { return s.giveBack(from, name, !t.Failed()) })
}

// take returns a copy that waits, or a new one.
func (s *server) take(from *template) (name string, err error) {
	s.mu.Lock()
	if n := len(from.free) - 1; n >= 0 {
		name, from.free = from.free[n], from.free[:n]
	}
	s.mu.Unlock()
	if name != "" {
		return name, nil
	}
	return s.create(from.database)
}

// giveBack lets a copy wait for the next test. It drops one that a failed test used, or that cannot be
// restored, as by a role without the right to it.
func (s *server) giveBack(to *template, name string, passed bool) error {
	if !passed {
		return s.drop(name)
	}
	if now, err := s.after(restore, name); err != nil || now != to.schema {
		return s.drop(name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to.free = append(to.free, name)
	return nil
}

// after runs a statement in a database, and returns what that looks like then.
func (s *server) after(statement, name string) (schema string, err error) {
	err = on(s.database(name), func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("pgtest: %s: %w", name, err)
		}
		return conn.QueryRow(ctx, shape).Scan(&schema)
	})
	return schema, err
}
