package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
)

type migrateCommand struct{ storeChoice }

// Run brings the tables of a store up to date and prints which version they had
// and have. Opening a store does that; any number of commands may do it at once.
func (c migrateCommand) Run(ctx context.Context) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	s, err := openInTurn(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(printJSON(os.Stdout, s.Migration()), closeStore(s))
}

const (
	// turnWait is how long another migration of a file may take.
	turnWait = 10 * time.Second
	turnLook = 100 * time.Millisecond
)

// openInTurn is open, which waits for a file that another process has open.
func openInTurn(ctx context.Context, a storeAddress) (*sqlstore.Store, error) {
	for end := time.Now().Add(turnWait); ; {
		s, err := a.open(ctx)
		if !errors.Is(err, sqlite.ErrInUse) || !time.Now().Before(end) {
			return s, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(turnLook):
		}
	}
}
