package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// tailLength is how many lines of a trace are kept for whoever reads a failure.
const tailLength = 60

// trace is what happened in a run, line by line. Two runs are the same when their hashes are.
type trace struct {
	hash hash.Hash
	tail []string
	all  io.Writer // where all lines go, or nil
}

func newTrace(all io.Writer) *trace { return &trace{hash: sha256.New(), all: all} }

// note adds a line.
func (t *trace) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	t.hash.Write([]byte(line)) //nolint:errcheck // a hash never fails
	t.hash.Write([]byte{'\n'}) //nolint:errcheck // a hash never fails
	if t.all != nil {
		fmt.Fprintln(t.all, line) //nolint:errcheck // whoever reads it sees that it ends
	}
	if len(t.tail) == tailLength {
		t.tail = t.tail[:copy(t.tail, t.tail[1:])]
	}
	t.tail = append(t.tail, line)
}

// sum is the hash of all lines so far.
func (t *trace) sum() string { return hex.EncodeToString(t.hash.Sum(nil)[:16]) }
