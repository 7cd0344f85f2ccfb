package ferry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

// units is the least backend: it enters the unit and runs the body as often as
// it is told to.
type units struct {
	runs           int
	reads, commits int
}

type wide struct{ word string }

func (u *units) Read(ctx context.Context, body func(context.Context, wide) error) error {
	u.reads++
	return u.run(ctx, body)
}

func (u *units) Write(ctx context.Context, body func(context.Context, wide) error) error {
	err := u.run(ctx, body)
	if err == nil {
		u.commits++
	}
	return err
}

func (u *units) run(ctx context.Context, body func(context.Context, wide) error) error {
	inside, err := ferry.EnterUnit(ctx)
	for range max(u.runs, 1) {
		if err == nil {
			err = body(inside, wide{"word"})
		}
	}
	return err
}

func narrow(u *units) ferry.Units[string] {
	return ferry.Narrow(ferry.UnitsOf[wide](u, u), func(w wide) string { return w.word }).In(ferry.Test)
}

var errBody = errors.New("body failed")

func TestNarrowedUnitsShowTheirDomainItsPart(t *testing.T) {
	u := new(units)
	see := func(_ context.Context, word string) error {
		require.Equal(t, "word", word)
		return nil
	}
	require.NoError(t, narrow(u).Read(t.Context(), see))
	require.NoError(t, narrow(u).Write(t.Context(), see))
	require.Equal(t, &units{reads: 1, commits: 1}, u)
	require.ErrorIs(t, narrow(u).Write(t.Context(), func(context.Context, string) error { return errBody }), errBody)
	require.Equal(t, 1, u.commits)
}

func TestAUnitInsideAUnitIsRefused(t *testing.T) {
	u := narrow(new(units))
	for name, inner := range map[string]func(ctx context.Context) error{
		"read":  func(ctx context.Context) error { return u.Read(ctx, nil) },
		"write": func(ctx context.Context) error { return u.Write(ctx, nil) },
		"of a context": func(ctx context.Context) error {
			return deadline(ctx, func(ctx context.Context) error { return u.Write(ctx, nil) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := u.Write(t.Context(), func(ctx context.Context, _ string) error { return inner(ctx) })
			require.ErrorIs(t, err, ferry.ErrNestedUnit)
		})
	}
	require.NoError(t, u.Write(t.Context(), func(context.Context, string) error { return nil }), "one after the other is fine")
}

func deadline(ctx context.Context, run func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	return run(ctx)
}

func TestAUnitIsNotEnteredWithAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ferry.EnterUnit(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func TestInUnitReturnsWhatTheLastRunOfItsBodyReturned(t *testing.T) {
	u := &units{runs: 3}
	calls := 0
	count := func(context.Context, string) (int, error) { calls++; return calls, nil }

	got, err := ferry.InUnit(t.Context(), narrow(u), count)
	require.NoError(t, err)
	require.Equal(t, 3, got)
	got, err = ferry.InRead(t.Context(), narrow(u), count)
	require.NoError(t, err)
	require.Equal(t, 6, got)
	require.Equal(t, 1, u.reads)
}

func TestAFailedUnitReturnsNoResult(t *testing.T) {
	fail := func(context.Context, string) (int, error) { return 7, errBody }
	for _, open := range []func(context.Context, ferry.Units[string], func(context.Context, string) (int, error)) (int, error){
		ferry.InUnit[string, int], ferry.InRead[string, int],
	} {
		got, err := open(t.Context(), narrow(new(units)), fail)
		require.ErrorIs(t, err, errBody)
		require.Zero(t, got)
	}
}

func TestTheSystemClockTellsUTC(t *testing.T) {
	now := ferry.SystemClock{}.Now()
	require.Equal(t, time.UTC, now.Location())
	require.WithinDuration(t, time.Now(), now, time.Minute)
}

func TestAScopePrintsEnvironmentAndBusiness(t *testing.T) {
	require.Equal(t, "live/biz_1", ferry.Scope{Business: "biz_1", Env: ferry.Live}.String())
}
