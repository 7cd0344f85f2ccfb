// Package settings keeps what a program has to know about a store in the store itself:
// values by name. [store.Resetter] leaves them, as they are not about money or tenants.
//
// A program needs [Get] and [Set], in a unit of work. The names that begin with serve/ and
// dev/ are those of the binary, cmd/ferry, and those with engine/ those of package engine.
//
// [store.Resetter]: https://pkg.go.dev/github.com/ferrypay/ferry/store#Resetter
package settings

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/records"
)

// Name is the name of a setting.
type Name string

// Setting is a value by its name.
type Setting struct {
	Name    Name
	Value   []byte
	Version int64
}

// ErrNotFound is the error of a setting that was never set.
var ErrNotFound = errors.New("settings: there is no such setting")

// Kind is what a setting is as a row.
var Kind = records.Define(records.Kind[Name, Setting]{
	Name: "settings",
	Key:  []string{"name"},
	Columns: func(s *Setting) []records.Column {
		return []records.Column{records.Text("name", &s.Name), records.Version(&s.Version), records.Bytes("value", &s.Value)}
	},
	Missing: ErrNotFound,
})

// Get returns the value of a setting, and false when it was never set.
func Get(ctx context.Context, tx records.Tx, name Name) (value []byte, found bool, err error) {
	s, err := Kind.GetOr(ctx, tx, Setting{Name: name})
	return s.Value, s.Version > 0, err
}

// Set sets the value of a setting. A unit that has read another value is run again.
func Set(ctx context.Context, tx records.Tx, name Name, value []byte) error {
	s, err := Kind.GetOr(ctx, tx, Setting{Name: name})
	if err != nil {
		return err
	}
	s.Value = value
	return Kind.Put(ctx, tx, s)
}
