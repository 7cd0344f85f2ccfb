package simdisk

import sqlite3 "modernc.org/sqlite/lib"

// locks are those of a file, of which SQLite has five levels. One may write, others may read until it
// wants to be alone.
type locks struct {
	readers int     // all that have a level but none, the writer too
	writer  *handle // that has reserved the file, or more
	pending bool    // the writer lets no new reader in
}

// lock raises the level of a handle, and reports whether it may have it.
func (l *locks) lock(h *handle, level int32) bool {
	if h.level >= level {
		return true
	}
	if level == sqlite3.SQLITE_LOCK_SHARED {
		if l.pending {
			return false
		}
		l.readers++
		h.level = level
		return true
	}
	if l.writer != nil && l.writer != h {
		return false
	}
	l.writer = h
	if level == sqlite3.SQLITE_LOCK_EXCLUSIVE {
		l.pending = true
		if l.readers > 1 {
			h.level = sqlite3.SQLITE_LOCK_PENDING
			return false
		}
	}
	h.level = level
	return true
}

// unlock lowers the level of a handle to that of a reader, or to none.
func (l *locks) unlock(h *handle, level int32) {
	if h.level <= level {
		return
	}
	if l.writer == h {
		l.writer, l.pending = nil, false
	}
	if level == sqlite3.SQLITE_LOCK_NONE {
		l.readers--
	}
	h.level = level
}
