package lease

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
)

// Room says how many more keys a worker may claim: at most Keys in all, and of each
// owner at most PerOwner + Ahead[owner] - InHand[owner].
type Room struct {
	Keys, PerOwner int
	// Ahead is how many keys of an owner may be claimed beyond PerOwner. InHand is how
	// many keys of an owner the worker has claimed and not finished.
	Ahead, InHand map[string]int
}

// Of returns how many more keys of an owner may be claimed.
func (r Room) Of(owner string) int { return r.PerOwner + r.Ahead[owner] - r.InHand[owner] }

// Offers looks, for a worker that does many keys at a time, for what it may claim of a kind of
// work in all environments. No owner delays another: see Room.Share. more says that other keys
// may be due, too.
func Offers[T Tx](ctx context.Context, units ferry.EnvUnits[T], kind Kind, room Room) (offers []Offer, more bool, err error) {
	if room.Keys <= 0 {
		return nil, true, nil
	}
	at := map[Queue]time.Time{}
	for _, env := range ferry.Envs() {
		now, err := ferry.Now(ctx, units.In(env))
		if err != nil {
			return nil, false, err
		}
		at[kind.In(env)] = now
	}
	offers, err = ferry.InRead(ctx, units.In(ferry.Live), func(ctx context.Context, tx T) ([]Offer, error) {
		return tx.Leases().Offers(ctx, at, room)
	})
	offers, more = room.Share(offers, at)
	return offers, more, err
}

// Share returns the offers for which there is room. It shares the room evenly: an owner with
// fewer keys in hand is served first. Among owners with equally many, the one whose key has
// been due the longest by the clock of its queue comes first. more says that there may be keys
// for which there is no room.
func (r Room) Share(offers []Offer, at map[Queue]time.Time) (shared []Offer, more bool) {
	wait := func(o Offer) time.Duration { return o.Due.Sub(at[o.Queue]) }
	all := slices.SortedFunc(slices.Values(offers), func(a, b Offer) int {
		return cmp.Or(cmp.Compare(wait(a), wait(b)), cmp.Compare(a.Key, b.Key))
	})
	for owner := range r.InHand {
		more = more || r.Of(owner) <= 0
	}
	served, place := map[string]int{}, map[string]int{}
	for _, o := range all {
		owner := OwnerOf(o.Key)
		if served[owner] >= r.Of(owner) {
			continue
		}
		place[o.Key] = r.InHand[owner] + served[owner]
		served[owner]++
		more = more || served[owner] == r.Of(owner)
		shared = append(shared, o)
	}
	slices.SortStableFunc(shared, func(a, b Offer) int { return cmp.Compare(place[a.Key], place[b.Key]) })
	return shared[:min(r.Keys, len(shared))], more || len(shared) >= r.Keys
}
