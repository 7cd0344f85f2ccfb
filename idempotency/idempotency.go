// Package idempotency remembers which client keys have had their effect, so
// that a repeated request is answered with the first answer and has no second
// effect (docs/api.md, "Idempotency").
//
// A program gives its key to engine.Do. Of this package it needs the errors:
//
//   - [ErrConflict]: the key was used for something else
//   - [ErrInProgress]: another run has the key, and the context ended first
//   - [Retention]: how long a key is remembered
//   - [ValidClientKey]: whether a text may be a key
//
// [Begin], [Claim], [Look], [Finish], [LetGo] and [RecordKind] are for package operation.
package idempotency

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Retention is how long a key is remembered.
const Retention = 7 * 24 * time.Hour

// Key names one operation of one client: the same client key on another route
// is another key.
type Key struct {
	Scope ferry.Scope
	// Operation is method and route, as in "POST /v1/wallets".
	Operation string
	// Client is the key that the client chose, 1 to 255 visible ASCII characters.
	Client string
}

// Record is what is known of a key. It is inserted in the unit of the effect.
type Record struct {
	Scope ferry.Scope
	ID    ID
	// Fingerprint is a keyed digest of the decoded request. A reader of the store
	// cannot guess the request from it.
	Fingerprint string
	// Resource is the id of the record that the request made or works on. A
	// retry of a request that never finished resumes this resource.
	Resource string
	// Status and Body are the answer, once Finished. Body is empty where the
	// answer holds a secret or identity data.
	Finished bool
	Status   int
	Body     string
	// BusyUntil is when an unfinished request may be taken over, in real time.
	// Zero means at once.
	BusyUntil time.Time
	CreatedAt time.Time
	Version   int64
}

// ID names a key within its scope: its operation, a space, and the client key, which has
// no space.
type ID string

// ID returns the id of the record of a key.
func (k Key) ID() ID { return ID(k.Operation + " " + k.Client) }

// Record returns what a request with a fingerprint asks of a key.
func (k Key) Record(fingerprint string) Record {
	return Record{Scope: k.Scope, ID: k.ID(), Fingerprint: fingerprint}
}

// RecordKind is how records are kept. One older than Retention may be gone.
var RecordKind = records.Define(records.Kind[ID, Record]{
	Name: "idempotency_keys",
	Columns: func(r *Record) []records.Column {
		return []records.Column{
			records.Owner(&r.Scope),
			records.ID(&r.ID),
			records.Text("fingerprint", &r.Fingerprint),
			records.Text("resource", &r.Resource),
			records.Bool("finished", &r.Finished),
			records.Int("status", &r.Status),
			records.Blob("body", &r.Body),
			records.Time("busy_until", &r.BusyUntil),
			records.CreatedAt(&r.CreatedAt),
			records.Version(&r.Version),
		}
	},
	Key:     []string{"env", "business", "id"},
	Scope:   func(r *Record) ferry.Scope { return r.Scope },
	Purged:  true,
	Missing: ErrUnknown,
	Exists:  ErrTaken,
})

// Tx is a unit of work that can keep keys.
type Tx interface {
	ferry.Unit
	records.Tx
}

var (
	// ErrUnknown says that a key was not used before.
	ErrUnknown = errors.New("idempotency: unknown key")
	// ErrTaken says that a key was used meanwhile.
	ErrTaken = errors.New("idempotency: key taken")
	// ErrConflict refuses a key that came with another request before.
	ErrConflict = ferry.NewError(ferry.Conflict, "idempotency_conflict", "This idempotency key was used with another request")
	// ErrInProgress refuses a key whose first request is still being worked on.
	ErrInProgress = ferry.NewError(ferry.Conflict, "idempotency_conflict", "A request with this idempotency key is in progress").After(time.Second)
)

// maxClientKey is the greatest length of a client key.
const maxClientKey = 255

// ValidClientKey reports whether text is a key a client may choose: 1 to 255
// visible ASCII characters.
func ValidClientKey(text string) bool {
	return text != "" && len(text) <= maxClientKey &&
		strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// Busy is how long a request may work before a retry takes it over.
const Busy = 30 * time.Second

// Look returns the record of an earlier request with the key and fingerprint of
// r, finished or abandoned (BusyUntil has passed), or nil without one. Real is the
// time of the machine, because requests work in real time: moving a sandbox's clock
// does not abandon a request in flight. Errors: ErrConflict for another
// fingerprint, ErrInProgress while the earlier request works.
func Look(ctx context.Context, tx records.Tx, real time.Time, r Record) (*Record, error) {
	known, err := RecordKind.Get(ctx, tx, r.Scope, r.ID)
	switch {
	case errors.Is(err, ErrUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	case known.Fingerprint != r.Fingerprint:
		return nil, ErrConflict
	case !known.Finished && real.Before(known.BusyUntil):
		return nil, ErrInProgress
	}
	return kept(known), nil
}

// Claim claims a key that was not used before, or returns ErrTaken. Now is the instant of
// the unit.
func Claim(ctx context.Context, tx records.Tx, now, real time.Time, r Record) error {
	r.CreatedAt, r.BusyUntil = now, real.Add(Busy)
	return RecordKind.Insert(ctx, tx, r)
}

// Begin claims a key for a request, and returns what Look does. Now is the
// instant of the unit.
func Begin(ctx context.Context, tx records.Tx, now, real time.Time, r Record) (*Record, error) {
	known, err := Look(ctx, tx, real, r)
	switch {
	case err != nil || known != nil && known.Finished:
		return known, err
	case known == nil:
		return nil, Claim(ctx, tx, now, real, r)
	}
	known.BusyUntil = real.Add(Busy)
	return known, RecordKind.Update(ctx, tx, *known)
}

// Finish stores the answer of a request that Begin claimed. An empty body keeps
// only the status and the resource. The first answer stays: when the request was
// taken over and ends late, Finish changes nothing and returns the record of the
// request that was quicker.
func Finish(ctx context.Context, tx records.Tx, key Key, resource string, status int, body string) (quicker *Record, err error) {
	r, err := RecordKind.Get(ctx, tx, key.Scope, key.ID())
	if err != nil {
		return nil, err
	}
	if r.Finished {
		return kept(r), nil
	}
	r.Finished, r.Resource, r.Status, r.Body = true, resource, status, body
	return nil, RecordKind.Update(ctx, tx, r)
}

// LetGo ends a claim without an answer: the next request with the key resumes
// the work at once. When the request was taken over and answered meanwhile, LetGo
// changes nothing and returns the record of the request that was quicker.
func LetGo(ctx context.Context, tx records.Tx, key Key) (quicker *Record, err error) {
	r, err := RecordKind.Get(ctx, tx, key.Scope, key.ID())
	if err != nil {
		return nil, err
	}
	if r.Finished {
		return kept(r), nil
	}
	r.BusyUntil = time.Time{}
	return nil, RecordKind.Update(ctx, tx, r)
}

// kept returns a place for a record. A key without an earlier request takes none.
func kept(r Record) *Record { return &r }
