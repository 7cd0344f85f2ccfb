package sim

import (
	"encoding/binary"
	"math/rand/v2"
)

// dice draw every accident of a run from its seed. What is drawn for one purpose does not move
// what is drawn for another.
type dice struct{ *rand.Rand }

func newDice(seed, purpose uint64) dice { return dice{rand.New(rand.NewPCG(seed, purpose))} }

// chance is true so many times of a thousand.
func (d dice) chance(perMille int) bool { return d.IntN(1000) < perMille }

// pick returns one of several.
func pick[T any](d dice, from ...T) T { return from[d.IntN(len(from))] }

// randomBytes are the random bytes of the engine: its keys, secrets and identifiers.
func randomBytes(seed uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return rand.NewChaCha8(key)
}
