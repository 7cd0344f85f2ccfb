// Package sqlstore is the durable store: a SQL database behind the ports of
// package store. Open of package postgres keeps everything in a PostgreSQL
// database, for any number of processes; Open of package sqlite in one file, for one
// process. A program is linked only with the one that it imports.
//
// What a program needs:
//
//   - Open of package sqlite or postgres: a [Store] for engine.Config
//   - [Store.World]: where the simulated world is kept, for sandbox.Config
//   - [Store.Close]: after the last unit of work
//   - [Store.Define] and [OwnOf]: rows of its own tables in the same transaction, with [Own]
//   - [ErrOutcomeUnknown]: it is not known whether a unit was committed
//
// [Open] is for packages sqlite and postgres.
//
// # How a unit runs
//
// A unit buffers. Its body reads from a snapshot and collects what to write in a
// batch: guards (what was read is still so) and steps (statements, each of which
// must touch a row or is refused with an error of its own). When the body
// returns nil, the batch goes to the committer: one goroutine that takes all
// batches that wait, commits them in one transaction, and tells each its own
// verdict. One fsync then serves them all. How the two kinds of database read a
// snapshot and commit a group is in packages sqlite and postgres, behind the interface
// sqldb.Database of the internal package that also has the committer.
//
//   - A guard that does not hold: the body runs again, on a new snapshot. After
//     the third run it runs while no other unit commits.
//   - A refused step: when a guard does not hold either, the body runs again;
//     else the step's error is the unit's. So a unique key that was taken
//     meanwhile is the named error, and a shortage comes with its figures.
//   - Money moves by conditional updates, leases by steps that name their fence,
//     and events get their numbers from the commit. None is read first, so busy
//     accounts, queues and streams of events do not conflict.
//   - The end of a caller's context takes back a batch that waits, never the
//     transaction that others share.
//
// Within a unit, reads by key see its own writes: the unit keeps every row that
// it has read or written by key, and finds its own rows by their unique columns
// too. Lists show the snapshot.
//
// # How rows are kept
//
// Rows of a kind that a domain declares with package records need a migration and no code:
// table.go writes the statements of a kind when it is first used. Reservations are such
// rows, too, which this package declares itself. Only the numbers of events are given by
// the store: webhooks.go.
//
// A migration is migrations/NNNN_name.sql, which both kinds of database read in
// their own words: see migrations.go. Tables have a column version, amounts
// in minor units, instants in microseconds since 1970, CHECKs where they
// protect money. A migration that was released is never edited. What SQL
// cannot say is a migration in Go: see migrate.go.
//
// The total of a counted list is kept in the table "counters", and the index on its
// columns must end with created_at, id. A filter that is exactly such a list says so
// with counted.
//
// What one statement can say needs no row: see leases.go for do and ask. SQL is
// what SQLite and PostgreSQL both understand, with ? for parameters, with sums
// CAST to BIGINT, and never relies on the text of a database's error: inserts say
// ON CONFLICT DO NOTHING, and a refused unit asks why.
package sqlstore
