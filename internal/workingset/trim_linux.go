// Package workingset is for programs that serve. Their start runs through most of the program once; a
// server that waits needs a fifth of these pages.
package workingset

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// Trim gives the pages of the program itself that are in memory back to the system, which keeps them in its
// cache until it has a better use for them. A page that is needed again comes back within microseconds,
// or is read from the disk. Where the system does not say which pages these are, Trim does nothing; only
// Linux says it.
func Trim() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	for _, m := range mappingsOf(program, file) {
		if m.unchanged() {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
		}
	}
}

// mapping is a part of a file in the memory of a process.
type mapping struct {
	start, end uintptr
	rights     string
	// written is how many kilobytes were written, so they are not what the file has, and swapped how many
	// of these are in swap.
	written, swapped int
}

// unchanged reports whether all of a mapping can be read from its file again, now and later.
func (m mapping) unchanged() bool {
	return !strings.Contains(m.rights, "w") && m.written == 0 && m.swapped == 0
}

// mappingsOf reads the mappings of one file from the form of /proc/self/smaps: a line that names a mapping,
// then lines with a name and a size each.
func mappingsOf(path string, smaps io.Reader) (found []mapping) {
	const unknown = -1 // no line has said how much
	of := false
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		line := lines.Text()
		m := mapping{written: unknown, swapped: unknown}
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &m.start, &m.end, &m.rights); n == 3 {
			if of = strings.HasSuffix(line, " "+path); of {
				found = append(found, m)
			}
		} else if of {
			_, _ = fmt.Sscanf(line, "Anonymous: %d kB", &found[len(found)-1].written)
			_, _ = fmt.Sscanf(line, "Swap: %d kB", &found[len(found)-1].swapped)
		}
	}
	return found
}
