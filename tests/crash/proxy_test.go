//go:build postgres

package crash_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// cut says where a connection is cut in a commit.
type cut int

const (
	notCut cut = iota
	// cutBefore lets the server have everything but the word to commit.
	cutBefore
	// cutAfter lets it have that too, and closes at once.
	cutAfter
	// cutAnswer lets it commit, and keeps its answer back.
	cutAnswer
)

// proxy stands between servers and PostgreSQL, and reads what they say.
type proxy struct {
	folder, behind string // where it listens, and whom it forwards to

	mu    sync.Mutex
	armed cut
	skip  int           // commits to let by before
	done  chan struct{} // closed at the cut
}

// socket is the name of a PostgreSQL socket in its folder.
const socket = ".s.PGSQL.5432"

// newProxy returns a proxy for the PostgreSQL that listens in a folder.
func newProxy(t *testing.T, behind string) *proxy {
	t.Helper()
	folder, err := os.MkdirTemp("", "ferry-cut-*") // names of sockets are short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	listener, err := net.Listen("unix", filepath.Join(folder, socket))
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	p := &proxy{folder: folder, behind: behind}
	go func() {
		for {
			front, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(front)
		}
	}()
	return p
}

// arm has a later commit cut; the channel is closed when it was.
func (p *proxy) arm(how cut, skip int) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed, p.skip, p.done = how, skip, make(chan struct{})
	return p.done
}

// commits is asked at each commit how to cut it.
func (p *proxy) commits() cut {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.armed == notCut {
		return notCut
	}
	if p.skip--; p.skip >= 0 {
		return notCut
	}
	how := p.armed
	p.armed = notCut
	close(p.done)
	return how
}

// errCut ends a connection.
var errCut = errors.New("cut")

func (p *proxy) serve(front net.Conn) {
	defer func() { _ = front.Close() }()
	back, err := net.Dial("unix", filepath.Join(p.behind, socket))
	if err != nil {
		return
	}
	defer func() { _ = back.Close() }()
	mute := make(chan struct{}) // closed when answers are kept back
	go func() {
		defer func() { _ = front.Close() }()
		buffer := make([]byte, 32<<10)
		for {
			n, err := back.Read(buffer)
			select {
			case <-mute:
				return
			default:
			}
			if err != nil {
				return
			}
			if _, err := front.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	_ = p.forward(front, back, mute)
}

// forward copies what a server says to PostgreSQL, message by message.
func (p *proxy) forward(front io.Reader, back io.Writer, mute chan struct{}) error {
	commits := false // the connection commits units
	if err := forwardStartup(front, back); err != nil {
		return err
	}
	for {
		message, err := readMessage(front)
		if err != nil {
			return err
		}
		commits = commits || message[0] == 'P' && bytes.Contains(message, []byte("INSERT INTO committers"))
		how := notCut
		if commits && message[0] == 'S' || message[0] == 'Q' && bytes.EqualFold(message[5:len(message)-1], []byte("commit")) {
			how = p.commits()
		}
		switch how {
		case cutBefore:
			return errCut
		case cutAnswer:
			close(mute)
		}
		if _, err := back.Write(message); err != nil || how == cutAfter {
			return errors.Join(err, errCut)
		}
	}
}

// forwardStartup copies the first message, which has no type.
func forwardStartup(front io.Reader, back io.Writer) error {
	var length [4]byte
	if _, err := io.ReadFull(front, length[:]); err != nil {
		return err
	}
	if _, err := back.Write(length[:]); err != nil {
		return err
	}
	_, err := io.CopyN(back, front, int64(binary.BigEndian.Uint32(length[:]))-4)
	return err
}

// readMessage reads a message: its type, its length and its content.
func readMessage(from io.Reader) ([]byte, error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	message := append(head, make([]byte, binary.BigEndian.Uint32(head[1:])-4)...)
	_, err := io.ReadFull(from, message[5:])
	return message, err
}
