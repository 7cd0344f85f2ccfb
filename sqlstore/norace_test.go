//go:build !race

package sqlstore_test

// everyKind is which kinds of rows the contract has here: all.
const everyKind = 1
