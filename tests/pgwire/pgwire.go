// Package pgwire stands between PostgreSQL and its clients in tests, and reads what the
// clients say.
package pgwire

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// Message is one message of a client: its type, its length in four bytes, its content.
type Message []byte

// The types of messages that the tests tell apart.
const (
	Parse = 'P'
	Bind  = 'B'
	Query = 'Q'
	Sync  = 'S'
)

// Type is the type of the message.
func (m Message) Type() byte { return m[0] }

// Content is what follows type and length.
func (m Message) Content() []byte { return m[5:] }

// Conn is a connection of a client. Each of its methods may be nil.
type Conn struct {
	// Said is called with each message of the client before it goes on. An error ends the
	// connection.
	Said func(Message) error
	// Went is called with each message of the client after the server has it. An error ends
	// the connection.
	Went func(Message) error
	// Mute, once closed, keeps back what the server answers.
	Mute chan struct{}
}

// Listen lets clients connect to the PostgreSQL of a URL through a socket of its own, until
// the test ends, and returns the URL of that. Met is called with each new connection.
func Listen(t testing.TB, server string, met func() Conn) string {
	t.Helper()
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	behind := query.Get("host")
	folder, err := os.MkdirTemp("", "ferry-wire-*") // names of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	listener, err := net.Listen("unix", filepath.Join(folder, socket))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			front, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(front, filepath.Join(behind, socket), met())
		}
	}()
	query.Set("host", folder)
	address.RawQuery = query.Encode()
	return address.String()
}

// socket is the name of a PostgreSQL socket in its folder.
const socket = ".s.PGSQL.5432"

func serve(front net.Conn, behind string, conn Conn) {
	defer func() { _ = front.Close() }()
	back, err := net.Dial("unix", behind)
	if err != nil {
		return
	}
	defer func() { _ = back.Close() }()
	go func() {
		defer func() { _ = front.Close() }()
		buffer := make([]byte, 32<<10)
		for {
			n, err := back.Read(buffer)
			select {
			case <-conn.Mute:
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
	_ = forward(front, back, conn)
}

// forward copies what a client says, message by message.
func forward(front io.Reader, back io.Writer, conn Conn) error {
	if err := forwardStartup(front, back); err != nil {
		return err
	}
	for {
		message, err := read(front)
		if err != nil {
			return err
		}
		if conn.Said != nil {
			if err := conn.Said(message); err != nil {
				return err
			}
		}
		if _, err := back.Write(message); err != nil {
			return err
		}
		if conn.Went != nil {
			if err := conn.Went(message); err != nil {
				return err
			}
		}
	}
}

// forwardStartup copies the first message, which has no type.
func forwardStartup(front io.Reader, back io.Writer) error {
	var length [4]byte
	if _, err := io.ReadFull(front, length[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(length[:])
	if size < uint32(len(length)) {
		return errShort
	}
	if _, err := back.Write(length[:]); err != nil {
		return err
	}
	_, err := io.CopyN(back, front, int64(size)-int64(len(length)))
	return err
}

var errShort = errors.New("pgwire: a message is shorter than its length")

func read(from io.Reader) (Message, error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if size < 4 {
		return nil, errShort
	}
	message := append(head, make([]byte, size-4)...)
	_, err := io.ReadFull(from, message[5:])
	return message, err
}
