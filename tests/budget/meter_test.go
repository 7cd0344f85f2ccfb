//go:build postgres && unix

package budget_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ferrypay/ferry/tests/pgwire"
)

// meter counts the round trips between a store and PostgreSQL, and keeps their statements.
type meter struct {
	mu    sync.Mutex
	trips []string
}

// through returns a URL that leads to a database, and counts the round trips of its clients.
func (m *meter) through(t testing.TB, url string) string {
	return pgwire.Listen(t, url, func() pgwire.Conn {
		var trip []string
		texts := map[string]string{}
		return pgwire.Conn{Said: func(message pgwire.Message) error {
			switch content := message.Content(); message.Type() {
			case pgwire.Parse:
				name, rest, _ := bytes.Cut(content, []byte{0})
				text, _, _ := bytes.Cut(rest, []byte{0})
				texts[string(name)] = string(text)
			case pgwire.Bind:
				_, rest, _ := bytes.Cut(content, []byte{0})
				name, _, _ := bytes.Cut(rest, []byte{0})
				trip = append(trip, texts[string(name)])
			case pgwire.Query:
				m.add(strings.TrimRight(string(content), "\x00"))
			case pgwire.Sync:
				m.add(strings.Join(trip, "; "))
				trip = nil
			}
			return nil
		}}
	})
}

func (m *meter) add(trip string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trips = append(m.trips, trip)
}

// rest waits until nothing is under way, and resets the meter.
func (m *meter) rest() {
	time.Sleep(50 * time.Millisecond) // the last snapshot ends 20 ms after it was used
	m.reset()
}

// reset returns the round trips since the last reset.
func (m *meter) reset() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	trips := m.trips
	m.trips = nil
	return trips
}
