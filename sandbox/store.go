package sandbox

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Store keeps the world: documents by key, in the order of the keys' bytes. It
// has transactions of its own and is never part of a domain's unit of work, as
// the outside world is not. Processes that share a store share one world.
//
// Package sandboxtest is the executable form of this contract.
type Store interface {
	// Update runs body and commits what it wrote: all of it, or nothing when
	// body returns an error or panics. Updates take effect one after
	// another, each on the state that the one before left. The body may run
	// more than once and touches nothing outside its KV.
	Update(ctx context.Context, body func(KV) error) error
	// View runs body on one consistent state. The state has all updates of this process.
	// Updates that another process made less than within ago may be missing. Put and Delete
	// inside it fail with ferry.ErrReadOnly. The body may run more than once.
	View(ctx context.Context, within time.Duration, body func(KV) error) error
}

// KV is the documents of a store within one transaction. Reads see the
// transaction's own writes. A KV is of no use once its body has returned.
type KV interface {
	// Get returns the document of a key and whether there is one. The caller
	// does not change its bytes.
	Get(key string) (doc []byte, found bool, err error)
	// Put writes the document of a key. The caller may reuse its bytes.
	Put(key string, doc []byte) error
	// Delete removes a key; one that is absent is no error.
	Delete(key string) error
	// Clear removes all documents.
	Clear() error
	// Scan returns documents whose keys begin with prefix and come after
	// the given key, in order, at most limit. The key after which it begins
	// need not exist; an empty one begins at the first.
	Scan(prefix, after string, limit int) ([]Doc, error)
}

// Doc is one document and its key. Keys are not empty, and ASCII without control
// characters.
type Doc struct {
	Key  string
	Data []byte
}

// load decodes the document of a key into v and reports whether there is one.
func load(kv KV, key string, v any) (bool, error) {
	doc, found, err := kv.Get(key)
	if err != nil || !found {
		return false, err
	}
	return true, decode(key, doc, v)
}

func decode(key string, doc []byte, v any) error {
	if err := json.Unmarshal(doc, v); err != nil {
		return fmt.Errorf("sandbox: document %q: %w", key, err)
	}
	return nil
}

// placed is a document with its place: its key without the prefix of a scan.
type placed[D any] struct {
	place string
	doc   D
}

// scan decodes the documents after a place, at most limit.
func scan[D any](kv KV, prefix, after string, limit int) ([]placed[D], error) {
	docs, err := kv.Scan(prefix, prefix+after, limit)
	if err != nil {
		return nil, err
	}
	all := make([]placed[D], len(docs))
	for i, doc := range docs {
		all[i].place = strings.TrimPrefix(doc.Key, prefix)
		if err := decode(doc.Key, doc.Data, &all[i].doc); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// checkCursor refuses what is no place of a scan by ordered numbers.
func checkCursor[C ~string](after C, of string) error {
	if strings.Trim(string(after), "0123456789") != "" {
		return fmt.Errorf("sandbox: %q is no cursor of %s", after, of)
	}
	return nil
}

// save encodes v as the document of a key.
func save(kv KV, key string, v any) error {
	doc, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("sandbox: document %q: %w", key, err)
	}
	return kv.Put(key, doc)
}

// named is the key of a document that belongs to a name, which may have any characters.
func named(prefix, name string) string { return prefix + hex.EncodeToString([]byte(name)) }

// ordered is a number as a part of a key: keys sort as the numbers do.
func ordered(n uint64) string { return fmt.Sprintf("%020d", n) }
