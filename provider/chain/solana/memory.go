package solana

import "sync"

// memory keeps at most so many values, and begins anew when it is full. It spares calls only:
// nothing is wrong when it has forgotten. The zero value keeps nothing yet.
type memory[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]V
}

func (m *memory[K, V]) get(key K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, known := m.kept[key]
	return v, known
}

func (m *memory[K, V]) put(key K, v V, most int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.kept) >= most || m.kept == nil {
		m.kept = map[K]V{}
	}
	m.kept[key] = v
}
