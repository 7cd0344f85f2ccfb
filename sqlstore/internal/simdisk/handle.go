package simdisk

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// handle is a file that is open.
type handle struct {
	disk    *Disk
	name    string
	file    *file
	removes bool // the file goes when it is closed
	cuts    int  // of the disk when it was opened

	level         int32 // of its lock
	shares        bool  // the shared memory
	reads, writes [sqlite3.SQLITE_SHM_NLOCK]bool
}

// methods is the address of the functions by which SQLite works on open files.
var methods = sync.OnceValue(func() uintptr {
	address := sqlite3.Xsqlite3_malloc(libc.NewTLS(), int32(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))
	*at[sqlite3.Tsqlite3_io_methods](address) = sqlite3.Tsqlite3_io_methods{
		FiVersion: 2, //nolint:mnd // with shared memory
		FxClose:   function(fileClose), FxRead: function(fileRead), FxWrite: function(fileWrite), FxTruncate: function(fileTruncate),
		FxSync: function(fileSync), FxFileSize: function(fileSize), FxLock: function(fileLock), FxUnlock: function(fileUnlock),
		FxCheckReservedLock: function(fileCheckReservedLock), FxFileControl: function(fileControl), FxSectorSize: function(fileSectorSize),
		FxDeviceCharacteristics: function(fileCharacteristics), FxShmMap: function(fileShmMap), FxShmLock: function(fileShmLock),
		FxShmBarrier: function(fileShmBarrier), FxShmUnmap: function(fileShmUnmap),
	}
	return address
})

// locked returns an open file, whose disk nobody else works on until done is called.
func locked(address uintptr) (h *handle, done func()) {
	registered.Lock()
	h = registered.handles[address]
	registered.Unlock()
	h.disk.mu.Lock()
	return h, h.disk.mu.Unlock
}

// fails reports whether the power is cut, or was since the file was opened.
func (h *handle) fails() bool { return h.disk.dark || h.disk.cuts != h.cuts }

func fileClose(tls *libc.TLS, address uintptr) int32 {
	h, done := locked(address)
	defer done()
	h.file.shared.leave(tls, h)
	h.file.locks.unlock(h, sqlite3.SQLITE_LOCK_NONE)
	if h.removes && !h.fails() {
		h.disk.folder.remove(h.name)
	}
	registered.Lock()
	delete(registered.handles, address)
	registered.Unlock()
	return sqlite3.SQLITE_OK
}

func fileRead(_ *libc.TLS, address, buffer uintptr, n int32, from int64) int32 {
	h, done := locked(address)
	defer done()
	into := bytesAt(buffer, int(n))
	if h.fails() {
		return sqlite3.SQLITE_IOERR_READ
	}
	read := copy(into, h.file.now[min(from, int64(len(h.file.now))):])
	if read == len(into) {
		return sqlite3.SQLITE_OK
	}
	clear(into[read:])
	return sqlite3.SQLITE_IOERR_SHORT_READ
}

// alter does something to a file. What is done when the power is cut may be done in part.
func alter(address uintptr, failed int32, do func(*handle)) int32 {
	h, done := locked(address)
	defer done()
	if h.fails() {
		return failed
	}
	do(h)
	if h.name != "" && !h.disk.change() {
		return failed
	}
	return sqlite3.SQLITE_OK
}

func fileWrite(_ *libc.TLS, address, buffer uintptr, n int32, to int64) int32 {
	return alter(address, sqlite3.SQLITE_IOERR_WRITE, func(h *handle) { h.file.write(to, bytesAt(buffer, int(n))) })
}

func fileTruncate(_ *libc.TLS, address uintptr, size int64) int32 {
	return alter(address, sqlite3.SQLITE_IOERR_TRUNCATE, func(h *handle) { h.file.truncate(size) })
}

// fileSync makes a file last. One in whose course the power is cut has not.
func fileSync(_ *libc.TLS, address uintptr, _ int32) int32 {
	h, done := locked(address)
	defer done()
	if h.fails() || !h.disk.change() {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	if !h.disk.lies {
		h.disk.folder.syncFile(h.file)
	}
	return sqlite3.SQLITE_OK
}

func fileSize(_ *libc.TLS, address, out uintptr) int32 {
	h, done := locked(address)
	defer done()
	if h.fails() {
		return sqlite3.SQLITE_IOERR_FSTAT
	}
	*at[int64](out) = int64(len(h.file.now))
	return sqlite3.SQLITE_OK
}

func fileLock(_ *libc.TLS, address uintptr, level int32) int32 {
	h, done := locked(address)
	defer done()
	switch {
	case h.fails():
		return sqlite3.SQLITE_IOERR_LOCK
	case !h.file.locks.lock(h, level):
		return sqlite3.SQLITE_BUSY
	}
	return sqlite3.SQLITE_OK
}

func fileUnlock(_ *libc.TLS, address uintptr, level int32) int32 {
	h, done := locked(address)
	defer done()
	h.file.locks.unlock(h, level)
	return sqlite3.SQLITE_OK
}

func fileCheckReservedLock(_ *libc.TLS, address, out uintptr) int32 {
	h, done := locked(address)
	defer done()
	if h.fails() {
		return sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK
	}
	*at[int32](out) = libc.Bool32(h.file.locks.writer != nil)
	return sqlite3.SQLITE_OK
}

func fileControl(*libc.TLS, uintptr, int32, uintptr) int32 { return sqlite3.SQLITE_NOTFOUND }

// fileSectorSize and fileCharacteristics are what SQLite believes of the disks of Unix.
func fileSectorSize(*libc.TLS, uintptr) int32 { return 4096 }

func fileCharacteristics(*libc.TLS, uintptr) int32 { return sqlite3.SQLITE_IOCAP_POWERSAFE_OVERWRITE }

func fileShmMap(tls *libc.TLS, address uintptr, region, size, extend int32, out uintptr) int32 {
	h, done := locked(address)
	defer done()
	*at[uintptr](out) = 0
	if h.fails() {
		return sqlite3.SQLITE_IOERR_SHMMAP
	}
	memory, ok := h.file.shared.region(tls, h, int(region), int(size), extend != 0)
	if !ok {
		return sqlite3.SQLITE_NOMEM
	}
	*at[uintptr](out) = memory
	return sqlite3.SQLITE_OK
}

func fileShmLock(_ *libc.TLS, address uintptr, from, n, flags int32) int32 {
	h, done := locked(address)
	defer done()
	switch {
	case flags&sqlite3.SQLITE_SHM_UNLOCK != 0:
		h.file.shared.unlock(h, int(from), int(n))
	case h.fails():
		return sqlite3.SQLITE_IOERR_SHMLOCK
	case !h.file.shared.lock(h, int(from), int(n), flags&sqlite3.SQLITE_SHM_EXCLUSIVE != 0):
		return sqlite3.SQLITE_BUSY
	}
	return sqlite3.SQLITE_OK
}

// fileShmBarrier orders what was done to the shared memory before what follows.
func fileShmBarrier(_ *libc.TLS, address uintptr) {
	_, done := locked(address)
	done()
}

func fileShmUnmap(tls *libc.TLS, address uintptr, _ int32) int32 {
	h, done := locked(address)
	defer done()
	h.file.shared.leave(tls, h)
	return sqlite3.SQLITE_OK
}
