//go:build race

package hosted_test

// The race detector makes reading a page several times as long, and what is typed makes no races.
func init() { oneOf = 8 }
