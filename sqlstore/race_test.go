//go:build race

package sqlstore_test

// everyKind is which kinds of rows the contract has here: every fourth, because under the race detector
// all of them take most of an hour. make told runs all of them without it.
const everyKind = 4
