package webhook

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// Whatever happens in whatever order, the counts of turns are those that a recount gives, no worker is free while
// a turn may be sent, and each turn is recorded once.
func TestTheCountsOfTurnsAreRight(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { newTurnsBench(t, seed).run(400) })
	}
}

// turnsBench does by hand what workers, passes and units do with turns.
type turnsBench struct {
	*testing.T
	*rand.Rand
	*turns
	at        time.Time
	owners    []string
	text      string     // of which bodies are parts
	longest   int        // of the bodies
	underWay  []*attempt // attempts
	recording [][]*outcome
	claimed   int // so many turns were claimed
	recorded  int
}

type attempt struct {
	o *outcome
	e *endpointTurns
}

func newTurnsBench(t *testing.T, seed uint64) *turnsBench {
	b := &turnsBench{T: t, Rand: rand.New(rand.NewPCG(seed, 0)), at: time.Unix(1e9, 0), text: strings.Repeat("x", 3_000_000)}
	b.longest = b.oneOf(10, 1000, 300_000, len(b.text))
	for i := range b.oneOf(1, 3, 40) {
		b.owners = append(b.owners, fmt.Sprintf("%s/shop-%d/", ferry.Envs()[i%2], i))
	}
	b.turns = newTurns(Config{Workers: b.oneOf(1, 2, 8, 128), PerEndpoint: b.oneOf(1, 3, 16), ProbeAfter: 3, Clock: b}, nil, nil)
	b.turns.queue = &queue{} // what would run beside this is done by hand
	return b
}

func (b *turnsBench) Now() time.Time { return b.at }

func (b *turnsBench) oneOf(all ...int) int { return all[b.IntN(len(all))] }

func (b *turnsBench) run(steps int) {
	for n := range steps {
		b.step()
		if n%4 == 0 {
			b.recount()
		}
	}
	b.recount()
	for b.progress().inHand > 0 {
		b.answer(http.StatusOK)
		b.unrecordedDue()
		b.takeAll()
		b.record()
	}
	require.Equal(b, b.claimed, b.recorded)
	require.Zero(b, b.bytes)
	b.at = b.at.Add(1000 * time.Hour)
	r, _ := b.room()
	require.GreaterOrEqual(b, r.Keys, b.workers)
	require.Empty(b, b.endpoints)
}

func (b *turnsBench) step() {
	switch b.IntN(10) {
	case 0, 1:
		b.claim()
	case 2, 3, 4, 5:
		b.answer(b.oneOf(0, http.StatusOK, http.StatusOK, http.StatusOK, http.StatusOK, http.StatusOK, http.StatusInternalServerError, http.StatusGone))
	case 6:
		b.takeAll()
	case 7:
		b.record()
	case 8:
		[]func(){b.unblock, b.unblock, b.giveBack}[b.IntN(3)]()
	default:
		b.at = b.at.Add(time.Duration(b.oneOf(0, 1, 3, 200, 1500, 3_600_000, -3_600_000)) * time.Millisecond)
	}
}

// claim is a round of claiming, in which an attempt may end.
func (b *turnsBench) claim() {
	r, records := b.room()
	var offers []lease.Offer
	for _, owner := range b.owners {
		env, _, _ := strings.Cut(owner, "/")
		for range min(r.Of(owner), max(r.Keys, 0), batch) {
			b.claimed++
			offers = append(offers, lease.Offer{Claim: lease.Claim{Queue: QueueStreams.In(ferry.Env(env)), Key: fmt.Sprint(owner, b.claimed)}, Due: b.at})
		}
	}
	b.claimed -= len(offers)
	b.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
	var some []stream
	for _, o := range offers[:min(len(offers), max(r.Keys, 0), batch)] {
		some = append(some, stream{offer: o})
	}
	var all []*outcome
	for _, st := range b.fitting(some) {
		all = append(all, &outcome{turn: turn{body: b.text[:b.IntN(b.longest)], to: &target{}}, stream: st, pass: context.Background()})
	}
	if b.IntN(3) == 0 {
		b.answer(b.oneOf(http.StatusOK, http.StatusInternalServerError))
	}
	b.claimed += len(all)
	workers := b.workers
	b.workers = 0 // those of begin would send
	b.begin(all, time.Duration(b.oneOf(0, 1, 50, 3000))*time.Millisecond, records)
	b.workers = workers
	for b.flow.underWay < b.workers && b.send(b.next()) {
	}
}

func (b *turnsBench) send(o *outcome, e *endpointTurns) bool {
	if e != nil {
		b.underWay = append(b.underWay, &attempt{o, e})
	}
	return e != nil
}

// answer ends an attempt with a status; without one there was none.
func (b *turnsBench) answer(status int) {
	if len(b.underWay) == 0 {
		return
	}
	i := b.IntN(len(b.underWay))
	a := b.underWay[i]
	b.underWay = append(b.underWay[:i], b.underWay[i+1:]...)
	if status > 0 {
		a.o.answer = &reply{status: status}
	}
	b.send(b.end(a.o, a.e))
}

func (b *turnsBench) unrecordedDue() {
	for _, u := range b.unrecorded {
		u.due = true
	}
}

// takeAll takes the turns that are recorded now.
func (b *turnsBench) takeAll() {
	for env, u := range b.unrecorded {
		if some := b.take(env, u); some != nil {
			b.recording = append(b.recording, some)
		}
	}
}

func (b *turnsBench) record() {
	if len(b.recording) == 0 {
		return
	}
	some := b.recording[0]
	b.recording = b.recording[1:]
	b.recorded += len(some)
	b.turns.recorded(some, nil)
}

// recount holds the counts against what is there.
func (b *turnsBench) recount() {
	open, ended := map[*endpointTurns]bool{}, map[string][]*outcome{}
	for _, e := range b.open {
		require.False(b, open[e], "it is there once")
		open[e] = true
	}
	lists := slices.Clone(b.recording)
	for _, u := range b.unrecorded {
		lists = append(lists, u.ended)
	}
	for _, list := range lists {
		for _, o := range list {
			owner := lease.OwnerOf(o.offer.Claim.Key)
			ended[owner] = append(ended[owner], o)
			require.Empty(b, o.body)
		}
	}
	bytes, underWay := 0, 0
	for owner, e := range b.endpoints {
		mine, failed := 0, 0
		for _, o := range e.waiting {
			mine += len(o.body)
		}
		for _, o := range ended[owner] {
			if o.failed() {
				failed++
			}
		}
		require.Equal(b, []int{mine, len(ended[owner]), failed}, []int{e.bytes, e.ended, e.failed})
		require.Equal(b, b.startable(e) > 0, open[e])
		require.Equal(b, e.listed, open[e])
		require.LessOrEqual(b, e.flow.underWay, b.perEndpoint)
		bytes, underWay = bytes+mine, underWay+e.flow.underWay
	}
	require.Equal(b, []int{bytes, underWay, len(b.underWay)}, []int{b.bytes, b.flow.underWay, underWay})
	require.LessOrEqual(b, underWay, b.workers)
	require.True(b, underWay == b.workers || len(open) == 0, "a worker is free while a turn may be sent")
}
