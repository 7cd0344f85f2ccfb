package sqlstore

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
	written []*waiter
	held    bool
}

func (s *stuck) write(group []*waiter) { <-s.free; s.written = append(s.written, group...) }
func (s *stuck) hold() error           { <-s.free; s.held = true; return nil }
func (s *stuck) release()              { s.held = false }
func (s *stuck) close()                {}

// whileStuck runs a test over a committer that stands still, in time that passes
// at once.
func whileStuck(t *testing.T, test func(t *testing.T, c *committer, writer *stuck)) {
	synctest.Test(t, func(t *testing.T) {
		writer := &stuck{free: make(chan struct{})}
		c := startCommitter(writer)
		test(t, c, writer)
		require.NoError(t, c.stop(t.Context()))
		require.False(t, writer.held)
	})
}

func within10s(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestACallerOfACommitThatStandsStillIsToldThatNobodyKnows(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *committer, writer *stuck) {
		began := time.Now()
		err := c.commit(within10s(t), &batch{})
		require.ErrorIs(t, err, ErrOutcomeUnknown)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 10*time.Second+afterDeadline, time.Since(began))
		close(writer.free)
	})
}

func TestACommitThatEndsSoonAfterItsDeadlineIsAnswered(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *committer, writer *stuck) {
		time.AfterFunc(11*time.Second, func() { close(writer.free) })
		require.NoError(t, c.commit(within10s(t), &batch{}))
	})
}

func TestABatchThatWaitsIsTakenBackWhenItsCallerHasNoMoreTime(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *committer, writer *stuck) {
		first := make(chan error, 1)
		go func() { first <- c.commit(t.Context(), &batch{}) }()
		synctest.Wait()
		began := time.Now()
		err := c.commit(within10s(t), &batch{})
		require.Equal(t, context.DeadlineExceeded, err)
		require.Equal(t, 10*time.Second, time.Since(began))
		close(writer.free)
		require.NoError(t, <-first)
		require.NoError(t, c.commit(t.Context(), &batch{}))
		require.Len(t, writer.written, 2)
	})
}

func TestWhoWaitsForATurnOfHisOwnWaitsNoLongerThanHeHas(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *committer, writer *stuck) {
		began := time.Now()
		_, err := c.alone(within10s(t))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 10*time.Second, time.Since(began))
		close(writer.free)
		require.NoError(t, c.commit(t.Context(), &batch{}), "the turn is over")
	})
}

func TestAUnitAloneWhoseCommitStandsStillEnds(t *testing.T) {
	whileStuck(t, func(t *testing.T, c *committer, writer *stuck) {
		go func() { writer.free <- struct{}{} }()
		turn, err := c.alone(t.Context())
		require.NoError(t, err)
		err = turn.commit(within10s(t), &batch{})
		turn.end()
		require.ErrorIs(t, err, ErrOutcomeUnknown)
		close(writer.free)
	})
}
