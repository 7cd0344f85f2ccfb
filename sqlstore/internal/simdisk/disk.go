// Package simdisk is a disk in memory, for SQLite in tests. It belongs to a simulation: it tells the
// time of the simulation's clock, and its power can be cut.
//
// A program reads what it wrote, as from any disk. When the power is cut, each file falls back to what
// was synced, and of what was changed since then a part is drawn. A write has reached the disk whole,
// or not at all, or torn: some of its sectors have, others have not. A file that was made, removed or
// cut to a size may be as before. One change is drawn independently of another, so a late one may be
// there without an early one.
//
// It is kinder than a real disk in two ways: a sector of 512 bytes is written whole or not at all, and
// nothing is lost that a program did not change.
package simdisk

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Disk is a disk. SQLite reaches it as a VFS. It is safe for concurrent use.
type Disk struct {
	name string
	now  func() time.Time
	vfs  registration

	mu     sync.Mutex
	random *rand.ChaCha8
	folder folder
	lies   bool
	// left is how many changes the power lasts for; less than none for one that does not fail.
	left int
	dark bool
	cuts int
	// changes counts what was changed and synced.
	changes int
}

// disks counts those of the process: each VFS has a name of its own.
var disks atomic.Int64

// New returns an empty disk. What SQLite draws from it follows from seed.
func New(now func() time.Time, seed uint64) (*Disk, error) {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	d := &Disk{name: fmt.Sprintf("simdisk%d", disks.Add(1)), now: now, left: -1, folder: newFolder(), random: rand.NewChaCha8(key)}
	return d, d.register()
}

// VFS is the name by which SQLite knows the disk.
func (d *Disk) VFS() string { return d.name }

// Put makes a file, or replaces it. It is synced.
func (d *Disk) Put(name string, content []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.folder.put(name, &file{now: append([]byte(nil), content...), synced: append([]byte(nil), content...)})
	d.folder.sync()
}

// Content is the bytes of a file, as programs read them.
func (d *Disk) Content(name string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.folder.now[name]; f != nil {
		return append([]byte(nil), f.now...)
	}
	return nil
}

// Lie makes the disk say that it has synced, and not do so, as some disks do.
func (d *Disk) Lie() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lies = true
}

// Changes is how often something was changed or synced.
func (d *Disk) Changes() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changes
}

// CutAfter cuts the power in the midst of the change that comes after so many others. A sync is a
// change, too.
func (d *Disk) CutAfter(changes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = changes
}

// Dark reports whether the power is cut. Then everything fails.
func (d *Disk) Dark() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dark
}

// Restore cuts the power, if it is not, and brings it back. What is left of changes that were not
// synced is drawn. What was open before fails forever.
func (d *Disk) Restore(draw *rand.Rand) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.folder = d.folder.left(luck{draw, draw.IntN(kindsOfLuck)})
	d.dark, d.left = false, -1
	d.cuts++
}

// change counts a change, and reports whether the power has lasted for it.
func (d *Disk) change() bool {
	d.changes++
	if d.left == 0 {
		d.dark = true
	}
	d.left--
	return !d.dark
}
