package pgtest

import "syscall"

// roomy reports whether a directory is there and has a gibibyte to spare: containers
// often have a small one.
func roomy(dir string) bool {
	var fs syscall.Statfs_t
	return syscall.Statfs(dir, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= 1<<30
}
