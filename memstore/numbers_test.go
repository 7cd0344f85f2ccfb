package memstore

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Few hashes for many numbers, so that they stand in each other's way.
func TestNumbersAreFoundByTheirHashAndGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var n numbers
		var undo undoLog
		there, saved := map[uint32]uint32{}, map[uint32]uint32{}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				number := rapid.Uint32Range(1, 60).Draw(t, "number")
				if _, is := there[number]; !is {
					there[number] = rapid.Uint32Range(0, 20).Draw(t, "hash")
					n.add(&undo, there[number], number)
				}
			},
			"drop": func(t *rapid.T) {
				number := rapid.Uint32Range(1, 60).Draw(t, "number")
				if hash, is := there[number]; is {
					n.drop(&undo, hash, number)
					delete(there, number)
				}
			},
			"commit":   func(*rapid.T) { undo.forget(); saved = maps.Clone(there) },
			"rollback": func(*rapid.T) { undo.rollbackTo(0); there = maps.Clone(saved) },
			"": func(t *rapid.T) {
				require.Equal(t, len(there), n.used)
				for number, hash := range there {
					require.Equal(t, number, n.find(hash, func(other uint32) bool { return other == number }))
				}
				for hash := range uint32(21) {
					require.Zero(t, n.find(hash, func(other uint32) bool { return there[other] != hash || other > 60 }))
				}
			},
		})
	})
}
