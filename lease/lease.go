// Package lease keeps the engine's due work and hands it out under leases with
// fencing numbers.
//
// A domain schedules a key of a queue in the unit that makes the work
// necessary. A worker claims keys that are due; while its lease runs, no other
// worker gets them. When the lease has run out, the next claim gets a higher
// fencing number and every later word of the former holder is refused with
// ErrLost: a paused server that wakes up cannot act.
//
// A program that embeds the engine does not need it: Engine.Run does the due work. A domain
// with work of its own needs:
//
//   - [Kind] and its method In: the [Queue] of an environment
//   - [Store]: Schedule in the unit that makes the work necessary; Finish or Retry in the unit
//     that records its outcome
//   - [RunDue]: a pass over what is due
//   - [ErrLost]: another worker has the claim
package lease

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
)

// Kind names one kind of work, as in "webhook.stream".
type Kind string

// Queue names the work of one kind in one environment, whose clock says when its
// keys are due, as in "webhook.stream/live".
type Queue string

// In returns the queue of this kind of work in an environment.
func (k Kind) In(env ferry.Env) Queue { return Queue(string(k) + "/" + string(env)) }

// Env is the environment of the queue.
func (q Queue) Env() ferry.Env { return ferry.Env(q[strings.LastIndexByte(string(q), '/')+1:]) }

// Claim is one key handed out to one worker.
type Claim struct {
	Queue Queue
	Key   string
	// Fence is the fencing number: higher than that of every claim of the key
	// that had ended, or whose lease had run out, when this one was asked for.
	Fence int64
	// Round counts the calls of Schedule for the key when it was claimed, so
	// that Finish does not lose work scheduled while the claim was held.
	Round int64
}

// Offer is a key that may be claimed. Take makes it the Claim that it has.
type Offer struct {
	Claim
	Due time.Time
	// Former is the fencing number of the claim whose lease has run out, or 0.
	Former int64
}

// OwnerOf returns the owner of a key: the key up to its second slash, which of a
// RecordKey is its scope, or nothing when it has fewer.
func OwnerOf(key string) string {
	first := strings.IndexByte(key, '/') + 1
	second := strings.IndexByte(key[first:], '/') + 1
	if second == 0 {
		return ""
	}
	return key[:first+second]
}

// ErrLost refuses a claim that ran out and was given to another worker.
var ErrLost = errors.New("lease: lost to another worker")

// Store keeps due work within a unit of work. Due instants are in the time
// of the environment; leases run in the store's own time, which no sandbox clock moves.
type Store interface {
	// Schedule makes sure that the key is due at the given instant or
	// earlier. Work scheduled while the key is claimed becomes due when the
	// claim ends.
	Schedule(ctx context.Context, q Queue, key string, due time.Time) error
	// Claim hands out at most limit keys that are due at now and not leased,
	// the longest due first, for the given time. A unit that claims commits
	// nothing else of its domain: it ends before the work begins.
	Claim(ctx context.Context, q Queue, now time.Time, lease time.Duration, limit int) ([]Claim, error)
	// Offers returns keys that Claim would hand out of each queue at its instant, in no
	// order: of each owner the longest due ones, as many as the room has for it. It may leave
	// out keys that Room.Share would. It may see a newer state than the other reads of the
	// unit.
	Offers(ctx context.Context, at map[Queue]time.Time, room Room) ([]Offer, error)
	// Take claims an offered key for the given time: ErrLost when another worker has claimed
	// it since. The key may have been worked on since, and be due later. So the unit reads
	// what is to be done after Offers, and it finishes the claim only when something that it
	// read by key says so. What a list does not show may have come since.
	Take(ctx context.Context, o Offer, lease time.Duration) error
	// Check returns ErrLost unless the claim is still the key's newest. Every
	// unit that writes the outcome of claimed work checks, retries or
	// finishes its claim in that same unit.
	Check(context.Context, Claim) error
	// Retry ends a claim and makes the key due again at the given instant,
	// or earlier if it was scheduled meanwhile. ErrLost.
	Retry(ctx context.Context, c Claim, due time.Time) error
	// Finish ends a claim. The key is gone, unless it was scheduled
	// meanwhile. ErrLost.
	Finish(context.Context, Claim) error
	// Expedite makes every waiting key of the queue that begins with prefix due
	// at the given instant or earlier.
	Expedite(ctx context.Context, q Queue, prefix string, due time.Time) error
	// Next returns the earliest due instant of each of the queues that has one. It
	// leaves out keys that are leased. In a Read unit it may see a newer state than
	// the other reads of the unit.
	Next(ctx context.Context, queues []Queue) (map[Queue]time.Time, error)
	// Held reports whether a key of the queues is leased, that is whether a worker
	// may be at work.
	Held(ctx context.Context, queues []Queue) (bool, error)
}
