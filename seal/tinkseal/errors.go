package tinkseal

import "errors"

var (
	// ErrMissing says that there is no file at a path. It wraps fs.ErrNotExist.
	ErrMissing = errors.New("tinkseal: no such file")
	// ErrExists refuses to write over a file.
	ErrExists = errors.New("tinkseal: the file exists and is left alone")
	// ErrExposed refuses a file that others than its owner may read or write:
	// chmod 600 it, and replace what it holds if others may have read it.
	ErrExposed = errors.New("tinkseal: others than its owner have access to the file")
	// ErrDamaged refuses a key file that is cut off, altered or none at all.
	ErrDamaged = errors.New("tinkseal: the key file is damaged")
	// ErrWrongKEK says that a sound key file does not open: it was encrypted
	// under another KEK.
	ErrWrongKEK = errors.New("tinkseal: the key file is encrypted under another KEK")
	// ErrNoKEK says that an environment variable or a file has no KEK: 32 bytes
	// in base64, as in `openssl rand -base64 32`.
	ErrNoKEK = errors.New("tinkseal: no KEK of 32 bytes in base64")
	// ErrBusy refuses to change a key file that is being changed. The file it
	// names stays behind when a command was killed: make sure that none runs,
	// then remove it.
	ErrBusy = errors.New("tinkseal: another command changes the keys, or one was killed")
	// ErrReplaced says that a key file that was loaded was replaced by one of
	// another Create.
	ErrReplaced = errors.New("tinkseal: the key file was replaced by a foreign one")
	// ErrUnknownKey says that there is no key of that id.
	ErrUnknownKey = errors.New("tinkseal: no such key")
	// ErrPrimary refuses to drop the key that seals.
	ErrPrimary = errors.New("tinkseal: the primary key cannot be dropped")
	// ErrInUse refuses to drop a key while something is sealed under it.
	ErrInUse = errors.New("tinkseal: texts are sealed under the key")
)
