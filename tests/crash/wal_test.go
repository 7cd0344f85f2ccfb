package crash_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestALogThatIsCutIsABeginningOfWhatHappened cuts and spoils the log of a store
// in a file at random places, as a power cut may: what is left is a state that
// the store once had, with books that balance.
func TestALogThatIsCutIsABeginningOfWhatHappened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	r := newRun(t, sqliteFile{filepath.Join(folder, "ferry.db")})
	r.newStore()
	left := r.writeAndDie()
	for tries := 1; left.to-left.from < worthACut && tries < 10; tries++ {
		left = r.writeAndDie() // most of the log was just moved into the file
	}
	require.GreaterOrEqual(t, left.to-left.from, worthACut)
	random := rand.New(rand.NewPCG(*seed, 1))
	least := math.MaxInt
	for i := range 20 {
		at := left.from + random.IntN(left.to-left.from)
		log := left.log[:at]
		if i%2 == 1 {
			log = slices.Clone(left.log)
			log[at] ^= 0x10
		}
		least = min(least, r.checkBeginning(filepath.Join(folder, fmt.Sprintf("cut-%d.db", i)), left.file, log, at))
	}
	whole := r.checkBeginning(filepath.Join(folder, "whole.db"), left.file, left.log, left.to)
	require.Equal(t, len(r.acknowledged()), whole)
	require.Less(t, least, whole, "what was cut off is missing")
}

// worthACut is as much log as holds writes of many clients.
const worthACut = 1 << 20

// newStore makes a store with a wallet that has money for each client.
func (r *run) newStore() {
	r.t.Helper()
	r.start()
	r.together(func(c *client) {
		c.do(r.t.Context(), c.makeWallet())
		c.do(r.t.Context(), c.deposit())
	})
	r.settle()
	r.together(func(c *client) { c.answered = nil })
	s := r.up()
	require.NoError(r.t, s.cmd.Process.Signal(syscall.SIGTERM))
	<-s.gone
	r.shut(s)
	require.NoFileExists(r.t, r.subject.(sqliteFile).path+"-wal")
}

// remains are what a server leaves that is killed: the file, and the log whose
// bytes in [from, to) are not yet in it.
type remains struct {
	file, log []byte
	from, to  int
}

// writeAndDie lets all clients write at once, each one thing after the other, and
// kills the server.
func (r *run) writeAndDie() (left remains) {
	r.t.Helper()
	r.start()
	r.together(func(c *client) {
		for range 6 {
			next := []func() *keyedRequest{c.makeCustomer, c.makeWallet, func() *keyedRequest { return c.transfer(r.anyAddress(c.random)) }}
			c.do(r.t.Context(), next[c.random.IntN(len(next))]())
		}
	})
	r.kill()
	path := r.subject.(sqliteFile).path
	var err error
	left.file, err = os.ReadFile(path)
	require.NoError(r.t, err)
	left.log, err = os.ReadFile(path + "-wal")
	require.NoError(r.t, err)
	index, err := os.ReadFile(path + "-shm")
	require.NoError(r.t, err)
	left.from, left.to = pendingPart(index)
	return left
}

// pendingPart reads the index of a log as SQLite lays it out: the size of a page
// at 14, the number of frames at 16, and at 128 how many of them may be in the
// file by now. A frame is a page and 24 bytes; 32 bytes come before the first.
func pendingPart(index []byte) (from, to int) {
	frame := 24 + int(binary.NativeEndian.Uint16(index[14:]))
	place := func(frames uint32) int { return 32 + int(frames)*frame }
	return place(binary.NativeEndian.Uint32(index[128:])), place(binary.NativeEndian.Uint32(index[16:]))
}

// checkBeginning starts a server on a file with a log, and returns how many of
// the acknowledged requests it knows: for each client the first ones, and none after
// one that is not there.
func (r *run) checkBeginning(path string, base, log []byte, at int) (known int) {
	r.t.Helper()
	require.NoError(r.t, os.WriteFile(path, base, 0o600))
	require.NoError(r.t, os.WriteFile(path+"-wal", log, 0o600))
	s := start(r.t, "sqlite:"+path, r.log, death{})
	require.NotNil(r.t, s)
	defer s.kill(r.t)
	var audit struct{ Data struct{ Clean bool } }
	answer, err := r.must(s, http.MethodGet, "/v1/test_helpers/audit", nil)
	require.NoError(r.t, err)
	require.NoError(r.t, decode(answer.raw, &audit))
	require.True(r.t, audit.Data.Clean, "log spoilt at %d: %s", at, answer.raw)
	var mu sync.Mutex
	r.together(func(c *client) {
		there, missing := 0, false
		for _, d := range c.answered {
			switch {
			case !d.acknowledged():
			case !r.isThere(s, d):
				missing = true
			case missing:
				r.t.Errorf("seed %d: log spoilt at %d: %s %v is there, and one before it is not", *seed, at, d.path, d.body)
			default:
				there++
			}
		}
		mu.Lock()
		defer mu.Unlock()
		known += there
	})
	return known
}

// isThere reports whether a server knows what a request has made.
func (r *run) isThere(s *server, d *keyedRequest) bool {
	path := "/v1/wallets?reference="
	name, _ := d.body["reference"].(string)
	switch d.path {
	case "/v1/wallets/transfer":
		path = "/v1/wallets/transfers?transfer_reference="
	case "/v1/customers":
		path, name = "/v1/customers?email=", d.body["email"].(string)
	}
	answer, err := send(r.t.Context(), r.web, s, http.MethodGet, path+url.QueryEscape(name), "", nil)
	if err != nil || !answer.ok() && answer.status != http.StatusNotFound {
		r.t.Errorf("%s: %v %s", path, err, answer.raw)
	}
	return answer.ok() && bytes.Contains(answer.raw, []byte(`"`+name+`"`))
}
