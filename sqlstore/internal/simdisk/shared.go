package simdisk

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// sharedMemory is the index of a write-ahead log, which all handles of a file have in common. A cut of
// the power leaves nothing of it.
type sharedMemory struct {
	regions []uintptr
	users   int
	// locks says who has each lock: -1 one handle alone, else so many in common.
	locks [sqlite3.SQLITE_SHM_NLOCK]int
}

// region returns the memory of a region, or nothing when it is not there and is not to be made.
func (s *sharedMemory) region(tls *libc.TLS, h *handle, n, size int, extend bool) (memory uintptr, ok bool) {
	if !h.shares {
		h.shares = true
		s.users++
	}
	for extend && len(s.regions) <= n {
		memory := sqlite3.Xsqlite3_malloc(tls, int32(size)) //nolint:gosec // SQLite's own size
		if memory == 0 {
			return 0, false
		}
		clear(bytesAt(memory, size))
		s.regions = append(s.regions, memory)
	}
	if n < len(s.regions) {
		memory = s.regions[n]
	}
	return memory, true
}

// lock takes some locks, alone or in common with others, and reports whether it could.
func (s *sharedMemory) lock(h *handle, from, n int, alone bool) bool {
	if !alone {
		switch {
		case h.reads[from] || h.writes[from]:
			return true
		case s.locks[from] < 0:
			return false
		}
		s.locks[from]++
		h.reads[from] = true
		return true
	}
	for i := from; i < from+n; i++ {
		if s.locks[i] != 0 && !h.writes[i] {
			return false
		}
	}
	for i := from; i < from+n; i++ {
		s.locks[i] = -1
		h.writes[i] = true
	}
	return true
}

func (s *sharedMemory) unlock(h *handle, from, n int) {
	for i := from; i < from+n; i++ {
		switch {
		case h.writes[i]:
			s.locks[i] = 0
		case h.reads[i]:
			s.locks[i]--
		}
		h.writes[i], h.reads[i] = false, false
	}
}

// leave ends what a handle has of the memory. The last one gives it back.
func (s *sharedMemory) leave(tls *libc.TLS, h *handle) {
	if !h.shares {
		return
	}
	s.unlock(h, 0, len(s.locks))
	h.shares = false
	if s.users--; s.users > 0 {
		return
	}
	for _, memory := range s.regions {
		sqlite3.Xsqlite3_free(tls, memory)
	}
	s.regions = nil
}
