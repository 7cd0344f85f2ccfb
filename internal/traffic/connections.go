package traffic

import (
	"net"
	"net/netip"
	"sync"
)

// Caps is how many connections there may be at once; 0 is any number.
type Caps struct {
	// Total is how many in all. Further ones wait to be accepted.
	Total int
	// PerAddress is how many from one address, which is a /64 of IPv6. Further ones are
	// closed. It does not count for proxies that are believed.
	PerAddress int
}

// Limit returns a listener that keeps to caps.
func (c Caps) Limit(inner net.Listener, proxies Proxies) net.Listener {
	if c.Total <= 0 && c.PerAddress <= 0 {
		return inner
	}
	l := &limited{Listener: inner, caps: c, proxies: proxies, open: NewAtOnce(c.PerAddress), closed: make(chan struct{})}
	if c.Total > 0 {
		l.slots = make(chan struct{}, c.Total)
	}
	return l
}

type limited struct {
	net.Listener
	caps    Caps
	proxies Proxies
	// slots has one element for each connection, or is nil.
	slots  chan struct{}
	closed chan struct{}
	once   sync.Once
	// open counts connections by address.
	open *AtOnce
}

// Accept waits for a place and for a connection that may have it.
func (l *limited) Accept() (net.Conn, error) {
	if !l.take() {
		return nil, net.ErrClosed
	}
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			l.free()
			return nil, err
		}
		address := l.addressOf(conn)
		if address == "" || l.open.Enter(address) {
			return &counted{Conn: conn, gone: func() { l.leave(address) }}, nil
		}
		_ = conn.Close() // it has one too many
	}
}

// Close ends the listener, and whoever waits for a place.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// take waits for a place, and reports whether there is one.
func (l *limited) take() bool {
	if l.slots == nil {
		return true
	}
	select {
	case l.slots <- struct{}{}:
		return true
	case <-l.closed:
		return false
	}
}

func (l *limited) free() {
	if l.slots != nil {
		<-l.slots
	}
}

// addressOf is what a connection is counted by, or empty when it is not.
func (l *limited) addressOf(conn net.Conn) string {
	peer, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || l.caps.PerAddress <= 0 || l.proxies.Trust(peer.Addr()) {
		return ""
	}
	return prefix(peer.Addr(), 32, 64)
}

func (l *limited) leave(address string) {
	l.free()
	if address != "" {
		l.open.Leave(address)
	}
}

// counted is a connection that gives its place back, once.
type counted struct {
	net.Conn
	once sync.Once
	gone func()
}

// Close ends the connection.
func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.gone)
	return err
}
