package ferry_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

var errNo = errors.New("refused")

// ask takes an old row where it may, and notes whether it did.
func ask(seen *[]bool, end error) func(context.Context) error {
	return func(ctx context.Context) error {
		took, may := ferry.TakesOld(ctx)
		if may {
			took()
		}
		*seen = append(*seen, may)
		return end
	}
}

func TestAnErrorIsForNoOldRow(t *testing.T) {
	var seen []bool
	require.NoError(t, ferry.MayBeOld(t.Context(), ask(&seen, nil)))
	require.Equal(t, []bool{true}, seen)
	seen = nil
	require.ErrorIs(t, ferry.MayBeOld(t.Context(), ask(&seen, errNo)), errNo)
	require.Equal(t, []bool{true, false}, seen)
	runs := 0
	require.ErrorIs(t, ferry.MayBeOld(t.Context(), func(context.Context) error { runs++; return errNo }), errNo)
	require.Equal(t, 1, runs, "no row was old")
}

func TestAnErrorAfterAnInnerQuestionIsForNoOldRow(t *testing.T) {
	var seen []bool
	require.ErrorIs(t, ferry.MayBeOld(t.Context(), func(ctx context.Context) error {
		require.NoError(t, ferry.MayBeOld(ctx, ask(&seen, nil)))
		return errNo
	}), errNo)
	require.Equal(t, []bool{true, false}, seen)
}

func TestNoRowIsOldUnlessItIsSaid(t *testing.T) {
	_, may := ferry.TakesOld(t.Context())
	require.False(t, may)
}
