package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

// exportsName begins the names of the settings that say when keys were exported. The rest is the
// time, so that they are in its order.
const exportsName = "serve/key-export/"

// exportsOrder writes times of one length, in microseconds.
const exportsOrder = "2006-01-02T15:04:05.000000Z"

// exportNote is what a store knows of an export of its keys.
type exportNote struct {
	At        wire.OptionalTime `json:"at"`
	Recipient string            `json:"recipient"`
	File      string            `json:"file"`
}

// noteExport writes that an export begins, and returns when.
func noteExport(ctx context.Context, units ferry.Units[store.Tx], note exportNote) (at time.Time, err error) {
	err = units.Write(ctx, func(ctx context.Context, tx store.Tx) error {
		at = tx.Now().UTC()
		note.At = wire.OptionalTime(at)
		text, err := json.Marshal(note)
		if err != nil {
			return err
		}
		return settings.Set(ctx, tx, settings.Name(exportsName+at.Format(exportsOrder)), text)
	})
	return at, err
}

// exportsOf returns what a store knows of exports of its keys, oldest first.
func exportsOf(ctx context.Context, tx records.Tx) (notes []json.RawMessage, err error) {
	const page = 100
	notes = []json.RawMessage{}
	for after := settings.Name(exportsName); ; {
		rows, err := settings.Kind.After(ctx, tx, records.Where(), after, page)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if !strings.HasPrefix(string(row.Name), exportsName) {
				return notes, nil
			}
			notes, after = append(notes, row.Value), row.Name
		}
		if len(rows) < page {
			return notes, nil
		}
	}
}

type recoveryExportsCommand struct{ storeChoice }

// Run prints the exports of a store.
func (c recoveryExportsCommand) Run(ctx context.Context) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer closeStore(s) //nolint:errcheck // nothing was written
	var notes []json.RawMessage
	if err := s.Read(ctx, func(ctx context.Context, tx store.Ports) (err error) {
		notes, err = exportsOf(ctx, tx)
		return err
	}); err != nil {
		return err
	}
	return printJSON(os.Stdout, map[string][]json.RawMessage{"exports": notes})
}
