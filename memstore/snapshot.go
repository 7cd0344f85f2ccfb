package memstore

import (
	"context"

	"github.com/ferrypay/ferry/store"
)

var _ store.Snapshotter = (*Store)(nil)

// Snapshot keeps the undo log from now on, so that Restore can play it back. It replaces an
// earlier snapshot.
func (s *Store) Snapshot(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.undo.forget()
	s.kept = true
	return nil
}

// Restore takes back what units have written since Snapshot. Errors: store.ErrNoSnapshot.
func (s *Store) Restore(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.kept {
		return store.ErrNoSnapshot
	}
	s.undo.rollbackTo(0)
	return nil
}
