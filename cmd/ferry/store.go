package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
)

// storeAddress says where the data is: "memory", "sqlite:" and a file, or the
// URL of a PostgreSQL database. Such a URL may hold a password, so that every
// way of printing an address leaves it out.
type storeAddress string

const inMemory storeAddress = "memory"

var (
	errNoAddress = errors.New("is neither memory nor sqlite:FILE nor postgres://…")
	errMemory    = errors.New("memory ends with the process: name a durable store, sqlite:FILE or postgres://…")
	errNoStore   = errors.New("name the store: --store sqlite:FILE or postgres://…, or --config FILE")
)

// file returns the file of a SQLite store.
func (a storeAddress) file() (string, bool) { return strings.CutPrefix(string(a), "sqlite:") }

// postgres reports whether the address is the URL of a PostgreSQL database.
func (a storeAddress) postgres() bool {
	return strings.HasPrefix(string(a), "postgres://") || strings.HasPrefix(string(a), "postgresql://")
}

// Validate refuses an address of another form than these three.
func (a storeAddress) Validate() error {
	if a == "" || a == inMemory || a.validFile() {
		return nil
	}
	if !a.postgres() || !a.readable() {
		return fmt.Errorf("%q %w", a.String(), errNoAddress)
	}
	return nil
}

// readable reports whether the address is a URL. In any other text the place of a
// password is unknown.
func (a storeAddress) readable() bool {
	_, err := url.Parse(string(a))
	return err == nil
}

func (a storeAddress) validFile() bool {
	file, ok := a.file()
	return ok && file != "" && !strings.HasPrefix(file, "//") && !strings.HasPrefix(file, ":")
}

// durable returns why the address is of no use where data must last, or nil.
func (a storeAddress) durable() error {
	switch a {
	case "":
		return errNoStore
	case inMemory:
		return errMemory
	}
	return a.Validate()
}

// hasPassword reports whether the address holds a secret.
func (a storeAddress) hasPassword() bool { return a.String() != string(a) }

// String returns the address without its password.
func (a storeAddress) String() string {
	if scheme, _, ok := strings.Cut(string(a), "://"); ok && !a.readable() {
		return scheme + "://***"
	}
	return redact(string(a))
}

// GoString is String, for %#v.
func (a storeAddress) GoString() string { return fmt.Sprintf("%q", a.String()) }

// MarshalText is String, for logs.
func (a storeAddress) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// open opens a durable store, makes it when it is not there, and brings its
// tables up to date.
func (a storeAddress) open(ctx context.Context) (*sqlstore.Store, error) {
	if err := a.durable(); err != nil {
		return nil, err
	}
	if file, ok := a.file(); ok {
		if err := inDirectory(file); err != nil {
			return nil, err
		}
	}
	s, err := a.connect(ctx)
	if errors.Is(err, sqlite.ErrInUse) {
		err = fmt.Errorf("%w; stop it first", err)
	}
	if err != nil {
		return nil, a.blame(err)
	}
	return s, nil
}

// inDirectory refuses a new file whose directory is not there.
func inDirectory(file string) error {
	dir := filepath.Dir(file)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no directory %s: make it first", dir)
	}
	return nil
}

func (a storeAddress) connect(ctx context.Context) (*sqlstore.Store, error) {
	if a.postgres() {
		return postgres.Open(ctx, string(a))
	}
	file, _ := a.file()
	return sqlite.Open(ctx, file)
}

// openThere is open for commands that look at data: it makes no file.
func (a storeAddress) openThere(ctx context.Context) (*sqlstore.Store, error) {
	if file, ok := a.file(); ok {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, a.blame(fs.ErrNotExist)
		}
	}
	return a.open(ctx)
}

// blame names the store in an error. The error may contain the URL.
func (a storeAddress) blame(err error) error { return fmt.Errorf("store %s: %w", a, err) }

// place is the address for people: a file by its whole name.
func (a storeAddress) place() string {
	if file, ok := a.file(); ok {
		if whole, err := filepath.Abs(file); err == nil {
			return whole
		}
	}
	return a.String()
}

// closeTimeout is how long a store may take to close.
const closeTimeout = 10 * time.Second

func closeStore(s *sqlstore.Store) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return s.Close(ctx)
}
