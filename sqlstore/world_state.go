package sqlstore

import (
	"maps"
	"strings"
	"sync"

	"github.com/ferrypay/ferry/sandbox"
)

// maxWorldEntries is how many documents and scans a state has at most.
const maxWorldEntries = 4096

// worldState is a cache of one version of the world: the documents and scans that were read.
type worldState struct {
	version int64

	mu    sync.Mutex
	docs  map[string]worldDoc
	scans map[worldScan][]sandbox.Doc
}

// worldDoc is a document, or its absence.
type worldDoc struct {
	data  []byte
	found bool
}

// worldScan has the arguments of a scan.
type worldScan struct {
	prefix, after string
	limit         int
}

func newWorldState(version int64) *worldState {
	return &worldState{version: version, docs: map[string]worldDoc{}, scans: map[worldScan][]sandbox.Doc{}}
}

func (s *worldState) doc(key string) (d worldDoc, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, known = s.docs[key]
	return d, known
}

func (s *worldState) learnDoc(key string, d worldDoc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeRoom()
	s.docs[key] = d
}

func (s *worldState) scan(q worldScan) (docs []sandbox.Doc, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	docs, known = s.scans[q]
	return docs, known
}

func (s *worldState) learnScan(q worldScan, docs []sandbox.Doc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeRoom()
	s.scans[q] = docs
}

// makeRoom forgets everything when the state has maxWorldEntries.
func (s *worldState) makeRoom() {
	if len(s.docs)+len(s.scans) >= maxWorldEntries {
		clear(s.docs)
		clear(s.scans)
	}
}

// after returns what is known once documents are written.
func (s *worldState) after(version int64, written map[string]worldDoc) *worldState {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := &worldState{version: version, docs: maps.Clone(s.docs), scans: maps.Clone(s.scans)}
	for key, d := range written {
		next.makeRoom()
		next.docs[key] = d
		for q := range next.scans {
			if strings.HasPrefix(key, q.prefix) {
				delete(next.scans, q)
			}
		}
	}
	return next
}
