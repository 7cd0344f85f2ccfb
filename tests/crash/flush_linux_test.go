package crash_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEveryAcknowledgementOnSQLiteFollowsAFlush watches the system calls of a
// server: between a request and its answer the log of the database, and nothing
// less, must have been flushed to the disk.
func TestEveryAcknowledgementOnSQLiteFollowsAFlush(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ferry.db")
	log, err := os.Create(filepath.Join(t.TempDir(), "server.log"))
	require.NoError(t, err)
	trace := filepath.Join(t.TempDir(), "trace")
	s := start(t, "sqlite:"+file, log, death{}, // make deps brings strace
		"strace", "-D", "-f", "-ttt", "-T", "-y", "-e", "trace=fsync,fdatasync", "-o", trace)
	require.NotNil(t, s)
	type span struct{ from, to time.Time }
	var spans []span
	for i := range 50 {
		begun := time.Now()
		answer, err := send(t.Context(), http.DefaultClient, s, http.MethodPost, "/v1/customers", "", object{
			"type": "individual", "first_name": "Ada", "last_name": "Obi",
			"email": fmt.Sprintf("ada%d@example.com", i), "phone": fmt.Sprintf("+23480%08d", i),
		})
		require.NoError(t, err)
		require.True(t, answer.ok(), "%s", answer.raw)
		spans = append(spans, span{begun, time.Now()})
	}
	s.kill(t)
	flushes := readFlushes(t, trace, file+"-wal", spans[0].from)
	for i, span := range spans {
		require.True(t, func() bool {
			for _, at := range flushes {
				if at.After(span.from) && at.Before(span.to) {
					return true
				}
			}
			return false
		}(), "write %d of %d was acknowledged without a flush; there were %d", i, len(spans), len(flushes))
	}
	require.Less(t, len(flushes), 2*len(spans), "the flushes are those of the writes")
}

// flushed matches a call of the trace that has succeeded, at once or resumed: its
// thread, when it was noted, what it is of, and how long it took.
var (
	flushed = regexp.MustCompile(`^(\d+) +(\d+\.\d+) f(?:data)?sync\(\d+<([^>]*)>\) += 0 <([\d.]+)>`)
	begun   = regexp.MustCompile(`^(\d+) +(\d+\.\d+) f(?:data)?sync\(\d+<([^>]*)> <unfinished`)
	resumed = regexp.MustCompile(`^(\d+) +(\d+\.\d+) <\.\.\. f(?:data)?sync resumed>\) += 0 `)
)

// readFlushes returns when flushes of a file had ended, after an instant.
func readFlushes(t *testing.T, trace, file string, after time.Time) (ends []time.Time) {
	t.Helper()
	var text []byte
	require.Eventually(t, func() (ended bool) {
		text, _ = os.ReadFile(trace)
		return strings.Contains(string(text), "+++ killed by SIGKILL +++")
	}, 10*time.Second, 10*time.Millisecond, "the trace is written to the end")
	under := map[string]string{} // file by thread
	for line := range strings.Lines(string(text)) {
		if m := flushed.FindStringSubmatch(line); m != nil && m[3] == file {
			ends = append(ends, seconds(t, m[2]).Add(seconds(t, m[4]).Sub(time.Unix(0, 0))))
		} else if m := begun.FindStringSubmatch(line); m != nil {
			under[m[1]] = m[3]
		} else if m := resumed.FindStringSubmatch(line); m != nil && under[m[1]] == file {
			ends = append(ends, seconds(t, m[2]))
		}
	}
	return slices.DeleteFunc(ends, func(at time.Time) bool { return at.Before(after) })
}

func seconds(t *testing.T, text string) time.Time {
	t.Helper()
	whole, micros, _ := strings.Cut(text, ".")
	s, err := strconv.ParseInt(whole, 10, 64)
	require.NoError(t, err)
	us, err := strconv.ParseInt(micros, 10, 64)
	require.NoError(t, err)
	return time.Unix(s, us*1000)
}
