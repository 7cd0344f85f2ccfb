//go:build !unix

package main

// disableCoreDumps does nothing: this system writes no core files.
func disableCoreDumps() error { return nil }
