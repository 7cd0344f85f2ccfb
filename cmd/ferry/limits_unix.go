//go:build unix

package main

import "syscall"

// disableCoreDumps keeps keys out of core files.
func disableCoreDumps() error {
	return syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}
