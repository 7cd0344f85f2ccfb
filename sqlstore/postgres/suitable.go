package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ErrUnsuitable refuses a PostgreSQL database that cannot keep a store: its server
// is too old, it only reads, or it cannot hold every text.
var ErrUnsuitable = errors.New("postgres: the database cannot keep a store")

// oldest is the oldest version of PostgreSQL that is accepted, in the form of server_version_num.
const oldest = 130000

// nature is what a server says of itself and of a database.
type nature struct {
	version  int
	name     string // of the version
	encoding string
	readOnly bool
}

// requireSuitable asks a server what it is, before anything is done to it.
func requireSuitable(ctx context.Context, config *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = ending(ctx, conn.Close) }()
	var n nature
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
		current_setting('server_encoding'), current_setting('transaction_read_only')::bool`).
		Scan(&n.version, &n.name, &n.encoding, &n.readOnly)
	if err != nil {
		return err
	}
	return n.suitable()
}

func (n nature) suitable() error {
	switch {
	case n.version < oldest:
		return fmt.Errorf("%w: the server is PostgreSQL %s, and 13 is the oldest that will do", ErrUnsuitable, n.name)
	case n.encoding != "UTF8":
		return fmt.Errorf("%w: its encoding is %s, not UTF8", ErrUnsuitable, n.encoding)
	case n.readOnly:
		return fmt.Errorf("%w: it only reads, as a standby does", ErrUnsuitable)
	}
	return nil
}
