//go:build unix && !linux

package pgtest

// roomy reports that there is no such directory.
func roomy(string) bool { return false }
