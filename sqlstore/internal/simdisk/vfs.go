package simdisk

import (
	"errors"
	"sync"
	"time"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// registration is what SQLite keeps of a disk.
type registration struct {
	tls       *libc.TLS
	vfs, name uintptr
}

// registered has the disks by the address of their VFS, and the open files by that of what SQLite
// keeps of them.
var registered struct {
	sync.Mutex
	disks   map[uintptr]*Disk
	handles map[uintptr]*handle
}

// longestName is how long the name of a file may be.
const longestName = 512

var errRegister = errors.New("simdisk: SQLite takes no further VFS")

// register makes the disk known to SQLite.
func (d *Disk) register() error {
	tls := libc.NewTLS()
	name, err := libc.CString(d.name)
	if err != nil {
		return err
	}
	vfs := sqlite3.Xsqlite3_malloc(tls, int32(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
	if vfs == 0 {
		return errRegister
	}
	*at[sqlite3.Tsqlite3_vfs](vfs) = sqlite3.Tsqlite3_vfs{
		FiVersion: 2, FszOsFile: int32(unsafe.Sizeof(sqlite3.Tsqlite3_file{})), FmxPathname: longestName, FzName: name, //nolint:mnd // with CurrentTimeInt64
		FxOpen: function(vfsOpen), FxDelete: function(vfsDelete), FxAccess: function(vfsAccess), FxFullPathname: function(vfsFullPathname),
		FxRandomness: function(vfsRandomness), FxSleep: function(vfsSleep), FxGetLastError: function(vfsGetLastError),
		FxCurrentTime: function(vfsCurrentTime), FxCurrentTimeInt64: function(vfsCurrentTimeInt64),
	}
	d.vfs = registration{tls, vfs, name}
	registered.Lock()
	if registered.disks == nil {
		registered.disks, registered.handles = map[uintptr]*Disk{}, map[uintptr]*handle{}
	}
	registered.disks[vfs] = d
	registered.Unlock()
	if sqlite3.Xsqlite3_vfs_register(tls, vfs, 0) != sqlite3.SQLITE_OK {
		return errRegister
	}
	return nil
}

// Close forgets the disk. Nothing of it may be open.
func (d *Disk) Close() {
	sqlite3.Xsqlite3_vfs_unregister(d.vfs.tls, d.vfs.vfs)
	registered.Lock()
	delete(registered.disks, d.vfs.vfs)
	registered.Unlock()
	sqlite3.Xsqlite3_free(d.vfs.tls, d.vfs.vfs)
	libc.Xfree(d.vfs.tls, d.vfs.name)
	d.vfs.tls.Close()
}

// diskOf is the disk of a VFS.
func diskOf(vfs uintptr) *Disk {
	registered.Lock()
	defer registered.Unlock()
	return registered.disks[vfs]
}

func vfsOpen(_ *libc.TLS, vfs, name, into uintptr, flags int32, outFlags uintptr) int32 {
	at[sqlite3.Tsqlite3_file](into).FpMethods = 0
	d := diskOf(vfs)
	h := &handle{disk: d, removes: flags&sqlite3.SQLITE_OPEN_DELETEONCLOSE != 0}
	if name != 0 { // one without a name is for SQLite's own use while it works
		h.name = libc.GoString(name)
	}
	if !d.open(h, flags&sqlite3.SQLITE_OPEN_CREATE != 0) {
		return sqlite3.SQLITE_CANTOPEN
	}
	registered.Lock()
	registered.handles[into] = h
	registered.Unlock()
	if outFlags != 0 {
		*at[int32](outFlags) = flags
	}
	at[sqlite3.Tsqlite3_file](into).FpMethods = methods()
	return sqlite3.SQLITE_OK
}

// open opens the file of a handle, and reports whether it could: whether it is there, or is to be made.
func (d *Disk) open(h *handle, create bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	h.cuts, h.file = d.cuts, d.folder.now[h.name]
	switch {
	case d.dark || h.file == nil && !create:
		return false
	case h.file != nil:
		return true
	}
	h.file = &file{}
	if h.name == "" {
		return true
	}
	d.folder.put(h.name, h.file)
	return d.change()
}

func vfsDelete(_ *libc.TLS, vfs, name uintptr, syncs int32) int32 {
	d, called := diskOf(vfs), libc.GoString(name)
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.dark:
		return sqlite3.SQLITE_IOERR_DELETE
	case d.folder.now[called] == nil:
		return sqlite3.SQLITE_IOERR_DELETE_NOENT
	}
	d.folder.remove(called)
	if !d.change() {
		return sqlite3.SQLITE_IOERR_DELETE
	}
	if syncs != 0 && !d.lies {
		d.folder.sync()
	}
	return sqlite3.SQLITE_OK
}

// vfsAccess says whether a file is there. As on Unix, SQLite does not see one that is empty.
func vfsAccess(_ *libc.TLS, vfs, name uintptr, flags int32, out uintptr) int32 {
	d, called := diskOf(vfs), libc.GoString(name)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dark {
		return sqlite3.SQLITE_IOERR_ACCESS
	}
	f := d.folder.now[called]
	*at[int32](out) = libc.Bool32(f != nil && (flags != sqlite3.SQLITE_ACCESS_EXISTS || len(f.now) > 0))
	return sqlite3.SQLITE_OK
}

func vfsFullPathname(_ *libc.TLS, _, name uintptr, size int32, out uintptr) int32 {
	called := libc.GoString(name)
	if len(called) >= int(size) {
		return sqlite3.SQLITE_CANTOPEN
	}
	copy(bytesAt(out, int(size)), called+"\x00")
	return sqlite3.SQLITE_OK
}

func vfsRandomness(_ *libc.TLS, vfs uintptr, n int32, out uintptr) int32 {
	d := diskOf(vfs)
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _ = d.random.Read(bytesAt(out, int(n))) // it never fails
	return n
}

// vfsSleep waits for others of the process in the machine's time: the clock stands still meanwhile.
func vfsSleep(_ *libc.TLS, _ uintptr, micros int32) int32 {
	time.Sleep(time.Duration(micros) * time.Microsecond)
	return micros
}

func vfsGetLastError(*libc.TLS, uintptr, int32, uintptr) int32 { return 0 }

// epoch is the beginning of Unix time in milliseconds of the Julian calendar.
const epoch = 210_866_760_000_000

func vfsCurrentTimeInt64(_ *libc.TLS, vfs, out uintptr) int32 {
	*at[int64](out) = diskOf(vfs).now().UnixMilli() + epoch
	return sqlite3.SQLITE_OK
}

func vfsCurrentTime(_ *libc.TLS, vfs, out uintptr) int32 {
	*at[float64](out) = float64(diskOf(vfs).now().UnixMilli()+epoch) / float64((24 * time.Hour).Milliseconds())
	return sqlite3.SQLITE_OK
}
