// Package budget counts the round trips between a server and PostgreSQL. A request that
// takes more than its budget fails the test, which prints the statements.
package budget
