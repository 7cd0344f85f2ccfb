package simdisk

import (
	"maps"
	"slices"
)

// folder is the names of files.
type folder struct {
	now    map[string]*file // as a program sees them
	synced map[string]*file // as they are after a cut of the power in any case
	later  []naming         // what was done since the last sync, in its order
}

// naming is that a name was given to a file, or taken away when there is none.
type naming struct {
	name string
	file *file
}

func newFolder() folder { return folder{now: map[string]*file{}, synced: map[string]*file{}} }

func (n naming) apply(to map[string]*file) {
	if n.file == nil {
		delete(to, n.name)
		return
	}
	to[n.name] = n.file
}

func (d *folder) do(n naming) {
	n.apply(d.now)
	d.later = append(d.later, n)
}

func (d *folder) put(name string, f *file) { d.do(naming{name, f}) }
func (d *folder) remove(name string)       { d.do(naming{name: name}) }

// sync makes all names last.
func (d *folder) sync() {
	for _, n := range d.later {
		n.apply(d.synced)
	}
	d.later = nil
}

// syncFile makes a file last, with its name.
func (d *folder) syncFile(f *file) {
	f.sync()
	for _, n := range d.later {
		if n.file == f {
			d.sync() // SQLite syncs the folder of a file that it has made, with all that is in it
			return
		}
	}
}

// left returns the folder as a cut of the power leaves it.
func (d *folder) left(l luck) folder {
	names := d.synced
	for _, n := range d.later {
		if l.fate() == whole {
			n.apply(names)
		}
	}
	kept := newFolder()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		kept.now[name] = names[name].left(l)
	}
	maps.Copy(kept.synced, kept.now)
	return kept
}
