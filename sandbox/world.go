package sandbox

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/seal"
)

// Config wires a World. Every field may be left zero.
type Config struct {
	// Store keeps the world; nil means a new Memory.
	Store Store
	// Clock is the time that the world's clock runs ahead of; nil means the
	// machine's.
	Clock ferry.Clock
	// Seed fixes what the world makes up. It counts only when the store
	// holds no world yet.
	Seed uint64
	// Sealer is whose digests keep identity numbers and one-time passwords out of the
	// store. Nil means that of the engine that the world is given to; a world without
	// an engine digests under its seed, which its store knows.
	Sealer seal.Sealer
	// Sleep waits, for faults that make calls slow, until the time is over
	// or the context ends; nil waits in real time.
	Sleep func(context.Context, time.Duration) error
	// Logger logs that the store cannot be read; nil logs nothing.
	Logger *slog.Logger
}

// World is a simulated outside world. It is safe for concurrent use.
type World struct {
	store Store
	seed  uint64
	sleep func(context.Context, time.Duration) error
	clock *worldClock
	// within is how long, in real time, another process may have changed the world before
	// this one knows it.
	within time.Duration

	restores atomic.Uint64
	known    atomic.Pointer[knownGenesis]

	sealing sync.Mutex
	sealer  seal.Sealer // nil until there is one
}

// New returns the world in the configured store, or a new one made on first use.
func New(config Config) *World {
	w := &World{store: config.Store, seed: config.Seed, sleep: config.Sleep, sealer: config.Sealer}
	if w.store == nil {
		w.store = NewMemory()
	}
	if w.sleep == nil {
		w.sleep = sleep
	}
	w.clock = newClock(w, config.Clock, config.Logger)
	if config.Clock == nil { // a clock of a test may jump
		w.within = unawareFor
	}
	return w
}

// Open makes the world unless the store holds one, and removes the identity numbers
// that earlier releases kept as they are. Every other method makes the world when it
// must; calling Open at start turns an unreadable store into an error there.
func (w *World) Open(ctx context.Context) error {
	return w.read(ctx, w.hideNumbers)
}

// SealWith gives the world a sealer, unless it has one.
func (w *World) SealWith(s seal.Sealer) {
	w.sealing.Lock()
	defer w.sealing.Unlock()
	if w.sealer == nil {
		w.sealer = s
	}
}

// Clock is the world's time: real time plus what Advance added.
func (w *World) Clock() ferry.Clock { return w.clock }

// Chain is the simulated chain.
func (w *World) Chain() chain.Chain { return simChain{w} }

// Bank is the simulated bank.
func (w *World) Bank() bank.Bank { return simBank{w} }

// KYC is the simulated identity provider.
func (w *World) KYC() kyc.Provider { return simKYC{w} }

// Biller is the simulated biller.
func (w *World) Biller() biller.Biller { return simBiller{w} }

// Rates is the simulated source of rates.
func (w *World) Rates() rates.Source { return simRates{w} }

// genesis is the document of what never changes about a world.
type genesis struct {
	Seed uint64
	At   time.Time
}

const genesisKey = "world"

// knownGenesis is the document that was read last, and what it says.
type knownGenesis struct {
	doc []byte
	genesis
}

// loadGenesis decodes the document when it is another one than last time: only a reset changes it, and each
// request to a provider begins with it.
func (w *World) loadGenesis(kv KV) (g genesis, found bool, err error) {
	doc, found, err := kv.Get(genesisKey)
	if err != nil || !found {
		return genesis{}, false, err
	}
	if known := w.known.Load(); known != nil && bytes.Equal(known.doc, doc) {
		return known.genesis, true, nil
	}
	if err := decode(genesisKey, doc, &g); err != nil {
		return genesis{}, false, err
	}
	w.known.Store(&knownGenesis{slices.Clone(doc), g})
	return g, true, nil
}

// moment is one transaction on the world: its documents at one instant.
type moment struct {
	KV
	genesis
	offset
	now    time.Time
	faults map[Target]arsenal
}

// read runs body on the world. It runs it in a transaction that writes only
// when body turns out to write, so body may run twice.
func (w *World) read(ctx context.Context, body func(*moment) error) error {
	now := w.clock.base.Now() // before the state is chosen: it must not be the state of an earlier time
	err := w.store.View(ctx, w.within, w.at(func() time.Time { return now }, body))
	if errors.Is(err, ferry.ErrReadOnly) {
		return w.write(ctx, body)
	}
	return err
}

func (w *World) write(ctx context.Context, body func(*moment) error) error {
	return w.store.Update(ctx, w.at(w.clock.base.Now, body))
}

// at gives body the moment of a transaction, and makes the world if need be.
func (w *World) at(base func() time.Time, body func(*moment) error) func(KV) error {
	return func(kv KV) error {
		offset, err := loadOffset(kv)
		if err != nil {
			return err
		}
		m := moment{KV: kv, offset: offset, now: base().UTC().Add(offset.Ahead)}
		g, found, err := w.loadGenesis(kv)
		if err != nil {
			return err
		}
		m.genesis = g
		if !found {
			m.genesis = genesis{w.seed, m.now.Truncate(time.Millisecond)}
			if err := save(kv, genesisKey, m.genesis); err != nil {
				return err
			}
		}
		return body(&m)
	}
}

// derive returns 32 bytes that follow from the seed, a label and numbers.
func (g genesis) derive(label string, numbers ...uint64) []byte {
	mac := hmac.New(sha256.New, binary.BigEndian.AppendUint64(nil, g.Seed))
	mac.Write([]byte(label))
	for _, n := range numbers {
		mac.Write(binary.BigEndian.AppendUint64([]byte{0}, n))
	}
	return mac.Sum(nil)
}

// pick returns a number below n that follows from the seed, a label and numbers.
func (g genesis) pick(n uint64, label string, numbers ...uint64) uint64 {
	return binary.BigEndian.Uint64(g.derive(label, numbers...)) % n
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
