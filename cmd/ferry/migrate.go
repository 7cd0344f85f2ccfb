package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/ferrypay/ferry/sqlstore"
)

type migrateCommand struct{ storeChoice }

// migration is what was done to a schema, as it is printed.
type migration struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Run brings the tables of a store up to date and prints which version they had
// and have. Opening a store does that; any number of commands may do it at once.
func (c migrateCommand) Run(ctx context.Context) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	var done migration
	if done.From, err = schemaVersion(ctx, address); err != nil {
		return address.blame(err)
	}
	s, err := openInTurn(ctx, address)
	if err != nil {
		return err
	}
	if err := closeStore(s); err != nil {
		return err
	}
	if done.To, err = schemaVersion(ctx, address); err != nil {
		return address.blame(err)
	}
	return printJSON(os.Stdout, done)
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
		if !errors.Is(err, sqlstore.ErrInUse) || !time.Now().Before(end) {
			return s, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(turnLook):
		}
	}
}
