//go:build postgres

package crash_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"

	"github.com/ferrypay/ferry/tests/pgwire"
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

// proxy stands between servers and PostgreSQL, and cuts them off in a commit.
type proxy struct {
	url string // through the proxy

	mu    sync.Mutex
	armed cut
	skip  int           // commits to let by before
	done  chan struct{} // closed at the cut
}

// newProxy returns a proxy for the PostgreSQL of a URL.
func newProxy(t *testing.T, url string) *proxy {
	t.Helper()
	p := &proxy{}
	p.url = pgwire.Listen(t, url, p.meet)
	return p
}

// arm has a later commit cut; the channel is closed when it was.
func (p *proxy) arm(how cut, skip int) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed, p.skip, p.done = how, skip, make(chan struct{})
	return p.done
}

// next is asked at each commit how to cut it.
func (p *proxy) next() cut {
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

// meet says where a new connection is cut.
func (p *proxy) meet() pgwire.Conn {
	commits, how := false, notCut // the connection commits units
	mute := make(chan struct{})
	return pgwire.Conn{
		Mute: mute,
		Said: func(m pgwire.Message) error {
			commits = commits || m.Type() == pgwire.Parse && bytes.Contains(m.Content(), []byte("INSERT INTO committers"))
			if commits && m.Type() == pgwire.Sync || m.Type() == pgwire.Query && bytes.EqualFold(bytes.TrimRight(m.Content(), "\x00"), []byte("commit")) {
				how = p.next()
			}
			switch how {
			case cutBefore:
				return errCut
			case cutAnswer:
				close(mute)
				how = notCut
			}
			return nil
		},
		Went: func(pgwire.Message) error {
			if how == cutAfter {
				return errCut
			}
			return nil
		},
	}
}
