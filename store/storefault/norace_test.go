//go:build !race

package storefault_test

// everyKind is which kinds of rows the contract of decorated stores has here: all.
const everyKind = 1
