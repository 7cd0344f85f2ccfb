package sqlite

import (
	"context"

	"github.com/ferrypay/ferry/sqlstore"
)

// OpenOn opens the store in a file of a disk that SQLite knows as a VFS.
func OpenOn(ctx context.Context, vfs, path string) (*sqlstore.Store, error) {
	return openOn(ctx, disk(vfs), path)
}
