package sqldb

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// stuck is a groupWriter that stands still until it is freed.
type stuck struct {
	free    chan struct{}
	written []*Waiter
	held    bool
}

func (s *stuck) Write(group []*Waiter) { <-s.free; s.written = append(s.written, group...) }
func (s *stuck) Hold() error           { <-s.free; s.held = true; return nil }
func (s *stuck) Release()              { s.held = false }
func (s *stuck) Close()                {}

// whileStuck runs a test over a committer that stands still, in time that passes
// at once.
func whileStuck(t *testing.T, test func(t *testing.T, c *Committer, writer *stuck)) {
	synctest.Test(t, func(t *testing.T) {
		writer := &stuck{free: make(chan struct{})}
		c := StartCommitter(writer)
		test(t, c, writer)
		require.NoError(t, c.Stop(t.Context()))
		require.False(t, writer.held)
	})
}

func within10s(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestACallerOfACommitThatStandsStillIsToldThatNobodyKnows(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *Committer, writer *stuck) {
		began := time.Now()
		err := c.Commit(within10s(t), &Batch{})
		require.ErrorIs(t, err, ErrOutcomeUnknown)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 10*time.Second+afterDeadline, time.Since(began))
		close(writer.free)
	})
}

func TestACommitThatEndsSoonAfterItsDeadlineIsAnswered(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *Committer, writer *stuck) {
		time.AfterFunc(11*time.Second, func() { close(writer.free) })
		require.NoError(t, c.Commit(within10s(t), &Batch{}))
	})
}

func TestABatchThatWaitsIsTakenBackWhenItsCallerHasNoMoreTime(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *Committer, writer *stuck) {
		first := make(chan error, 1)
		go func() { first <- c.Commit(t.Context(), &Batch{}) }()
		synctest.Wait()
		began := time.Now()
		err := c.Commit(within10s(t), &Batch{})
		require.Equal(t, context.DeadlineExceeded, err)
		require.Equal(t, 10*time.Second, time.Since(began))
		close(writer.free)
		require.NoError(t, <-first)
		require.NoError(t, c.Commit(t.Context(), &Batch{}))
		require.Len(t, writer.written, 2)
	})
}

func TestWhoWaitsForATurnOfHisOwnWaitsNoLongerThanHeHas(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *Committer, writer *stuck) {
		began := time.Now()
		_, err := c.Alone(within10s(t))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 10*time.Second, time.Since(began))
		close(writer.free)
		require.NoError(t, c.Commit(t.Context(), &Batch{}), "the turn is over")
	})
}

func TestAUnitAloneWhoseCommitStandsStillEnds(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *Committer, writer *stuck) {
		go func() { writer.free <- struct{}{} }()
		turn, err := c.Alone(t.Context())
		require.NoError(t, err)
		err = turn.Commit(within10s(t), &Batch{})
		turn.End()
		require.ErrorIs(t, err, ErrOutcomeUnknown)
		close(writer.free)
	})
}
