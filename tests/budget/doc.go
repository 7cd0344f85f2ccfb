// Package budget counts the round trips between a server and PostgreSQL, and the statements
// that it runs on SQLite. A test fails when something takes more of them than its budget, and
// prints the statements.
package budget
