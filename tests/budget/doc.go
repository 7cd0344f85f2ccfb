// Package budget counts the round trips between a server and PostgreSQL, and the statements
// on SQLite. A request that takes more than its budget fails the test, which prints the
// statements.
package budget
