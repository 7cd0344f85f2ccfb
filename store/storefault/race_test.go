//go:build race

package storefault_test

// everyKind is which kinds of rows the contract of decorated stores has here: every eighth, as a decorator
// knows no kinds. make told runs all of them without the race detector.
const everyKind = 8
