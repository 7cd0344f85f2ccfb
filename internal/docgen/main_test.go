package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDrawnLifecyclesAreThoseOfTheCode(t *testing.T) {
	file, err := os.ReadFile("../../docs/lifecycles.md")
	require.NoError(t, err)
	require.Equal(t, text(), string(file), "run make generate")
}
