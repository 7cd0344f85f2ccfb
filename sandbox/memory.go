package sandbox

import (
	"bytes"
	"context"
	"hash/fnv"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
)

// Memory is a Store that forgets the world with the process. It is safe for
// concurrent use.
type Memory struct {
	mu   sync.RWMutex
	list skipList
	kept []func() // take back what was written since Snapshot; nil before the first
}

var (
	_ Store       = (*Memory)(nil)
	_ Snapshotter = (*Memory)(nil)
)

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{} }

// Update runs body alone and takes back its writes unless it returns nil.
func (m *Memory) Update(ctx context.Context, body func(KV) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	kv := &memoryKV{list: &m.list, undo: []func(){}}
	done := false
	defer func() {
		if !done {
			takeBack(kv.undo)
		}
	}()
	if err := body(kv); err != nil {
		return err
	}
	if m.kept != nil {
		m.kept = append(m.kept, kv.undo...)
	}
	done = true
	return nil
}

// Snapshot begins to remember what changes.
func (m *Memory) Snapshot() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept = []func(){}
}

// Restore takes back every update since Snapshot. It reports false when there was none.
func (m *Memory) Restore() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		return false
	}
	takeBack(m.kept)
	m.kept = m.kept[:0]
	return true
}

// takeBack undoes writes, the last one first.
func takeBack(writes []func()) {
	for _, undo := range slices.Backward(writes) {
		undo()
	}
}

// View runs body; no update runs at the same time.
func (m *Memory) View(ctx context.Context, _ time.Duration, body func(KV) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return body(&memoryKV{list: &m.list})
}

// memoryKV is one transaction. A nil undo log makes it read only.
type memoryKV struct {
	list *skipList
	undo []func()
}

var _ KV = (*memoryKV)(nil)

func (kv *memoryKV) Get(key string) ([]byte, bool, error) {
	doc, found := kv.list.get(key)
	return doc, found, nil
}

func (kv *memoryKV) Put(key string, doc []byte) error { return kv.write(key, bytes.Clone(doc), false) }

func (kv *memoryKV) Delete(key string) error { return kv.write(key, nil, true) }

func (kv *memoryKV) write(key string, doc []byte, remove bool) error {
	if kv.undo == nil {
		return ferry.ErrReadOnly
	}
	old, had := kv.list.get(key)
	kv.undo = append(kv.undo, func() { kv.list.set(key, old, !had) })
	kv.list.set(key, doc, remove)
	return nil
}

func (kv *memoryKV) Clear() error {
	if kv.undo == nil {
		return ferry.ErrReadOnly
	}
	all := *kv.list
	kv.undo = append(kv.undo, func() { *kv.list = all })
	*kv.list = skipList{}
	return nil
}

func (kv *memoryKV) Scan(prefix, after string, limit int) ([]Doc, error) {
	var docs []Doc
	n := kv.list.seek(max(prefix, after))
	for ; n != nil && len(docs) < limit && strings.HasPrefix(n.key, prefix); n = n.next[0] {
		if n.key != after {
			docs = append(docs, Doc{n.key, n.doc})
		}
	}
	return docs, nil
}

const skipLevels = 16

// skipList is documents in the order of their keys. A node's height follows
// from a hash of its key, so the list needs no randomness.
type skipList struct{ head [skipLevels]*skipNode }

type skipNode struct {
	key  string
	doc  []byte
	next []*skipNode
}

// before returns, level by level, the link slices of the last node whose key is
// less than the given one.
func (l *skipList) before(key string) (links [skipLevels][]*skipNode) {
	at := l.head[:]
	for level := skipLevels - 1; level >= 0; level-- {
		for at[level] != nil && at[level].key < key {
			at = at[level].next
		}
		links[level] = at
	}
	return links
}

func (l *skipList) seek(key string) *skipNode { return l.before(key)[0][0] }

func (l *skipList) get(key string) ([]byte, bool) {
	if n := l.seek(key); n != nil && n.key == key {
		return n.doc, true
	}
	return nil, false
}

// set writes or removes the document of a key.
func (l *skipList) set(key string, doc []byte, remove bool) {
	links := l.before(key)
	n := links[0][0]
	found := n != nil && n.key == key
	switch {
	case found && remove:
		for level, next := range n.next {
			links[level][level] = next
		}
	case found:
		n.doc = doc
	case !remove:
		n = &skipNode{key, doc, make([]*skipNode, heightOf(key))}
		for level := range n.next {
			n.next[level] = links[level][level]
			links[level][level] = n
		}
	}
}

func heightOf(key string) int {
	h := fnv.New64a()
	h.Write([]byte(key)) //nolint:errcheck // a hash never fails
	sum := h.Sum64()
	return 1 + min(bits.TrailingZeros64(sum^sum>>32), skipLevels-1)
}
