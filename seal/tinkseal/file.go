package tinkseal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile is more than any key file has, in bytes.
const maxFile = 1 << 20

// readPrivate reads a file that only its owner has access to, and what the
// system says of it.
func readPrivate(path string) ([]byte, fs.FileInfo, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("tinkseal: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("tinkseal: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, nil, fmt.Errorf("%w: %s has mode %#o, want 0600", ErrExposed, path, mode)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, nil, fmt.Errorf("tinkseal: %w", err)
	}
	return text, info, nil
}

// draft is the file that will take the place of another one. It stands beside it
// under a name that only one can have, so it is the lock of whoever changes it.
type draft struct {
	path  string // of the file whose place it takes
	file  *os.File
	taken bool // it has that place: its own name may be another's draft by now
}

// begin makes a draft, or returns ErrBusy.
func begin(path string) (*draft, error) {
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w: %s", ErrBusy, path+".new")
	}
	if err != nil {
		return nil, fmt.Errorf("tinkseal: %w", err)
	}
	return &draft{path: path, file: f}, nil
}

// end removes a draft that did not take its place.
func (d *draft) end() {
	_ = d.file.Close()
	if !d.taken {
		_ = os.Remove(d.file.Name())
	}
}

// write puts text on the disk and reads it back.
func (d *draft) write(text []byte) error {
	_, err := d.file.Write(text)
	if err = errors.Join(err, d.file.Sync(), d.file.Close()); err != nil {
		return fmt.Errorf("tinkseal: %w", err)
	}
	again, _, err := readPrivate(d.file.Name())
	if err == nil && !bytes.Equal(text, again) {
		err = fmt.Errorf("%w: %s is not what was written", ErrDamaged, d.file.Name())
	}
	return err
}

// create gives a new file a text, or returns ErrExists.
func create(path string, text []byte) error {
	d, err := begin(path)
	if err != nil {
		return err
	}
	defer d.end()
	if err := d.write(text); err != nil {
		return err
	}
	err = os.Link(d.file.Name(), path) // which, unlike a rename, never replaces
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s", ErrExists, path)
	}
	if err != nil {
		return fmt.Errorf("tinkseal: %w", err)
	}
	return flushNames(path)
}

// replace gives a file the text that change makes of it. Nobody else changes
// the file meanwhile, and a reader finds it whole: as it was, or as it is then.
func replace(path string, change func(text []byte) ([]byte, error)) error {
	d, err := begin(path)
	if err != nil {
		return err
	}
	defer d.end()
	text, _, err := readPrivate(path)
	if err != nil {
		return err
	}
	if text, err = change(text); err != nil {
		return err
	}
	if err := d.write(text); err != nil {
		return err
	}
	if err := os.Rename(d.file.Name(), path); err != nil {
		return fmt.Errorf("tinkseal: %w", err)
	}
	d.taken = true
	return flushNames(path)
}

// flushNames makes a new name in the directory of a file survive a crash.
func flushNames(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("tinkseal: %w", err)
	}
	if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
		return fmt.Errorf("tinkseal: %w", err)
	}
	return nil
}
