//go:build !linux

package workingset

// Trim does nothing: this system does not say which pages of the program are in memory.
func Trim() {}
