//go:build race

package stories_test

// The race detector makes a story several times as long; a few show what races there are.
func init() { fewest = 6 }
