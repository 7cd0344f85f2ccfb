package traffic_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/traffic"
)

// looks are the ways to see that a context has ended. Each is tried alone, because one may
// have an effect on the others.
var looks = map[string]func(context.Context) error{
	"its error": context.Context.Err,
	"its channel": func(ctx context.Context) error {
		done := ctx.Done()
		synctest.Wait()
		select {
		case <-done:
			return ctx.Err()
		default:
			return nil
		}
	},
	"its cause": func(ctx context.Context) error {
		ctx.Done()
		synctest.Wait()
		return context.Cause(ctx)
	},
	"that of a child": func(ctx context.Context) error {
		child, cancel := context.WithCancel(context.WithValue(ctx, struct{ int }{}, 1))
		defer cancel()
		synctest.Wait()
		return child.Err()
	},
}

func TestARequestEndsInTimeWhoeverLooks(t *testing.T) {
	errLeft := errors.New("the client left")
	for name, look := range looks {
		for end, c := range map[string]struct {
			happens func(cancel func(), leave context.CancelCauseFunc)
			want    error
		}{
			"goes on":         {func(func(), context.CancelCauseFunc) { time.Sleep(time.Second - 1) }, nil},
			"lasts too long":  {func(func(), context.CancelCauseFunc) { time.Sleep(time.Second) }, context.DeadlineExceeded},
			"ends":            {func(cancel func(), _ context.CancelCauseFunc) { cancel() }, context.Canceled},
			"is of no client": {func(_ func(), leave context.CancelCauseFunc) { leave(context.Canceled) }, context.Canceled},
		} {
			for _, before := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					parent, leave := context.WithCancelCause(t.Context())
					defer leave(errLeft)
					ctx, cancel := traffic.WithTimeout(parent, time.Second)
					defer cancel()
					if before {
						require.NoError(t, look(ctx), "%s, %s", name, end)
					}
					c.happens(cancel, leave)
					for range 2 {
						require.Equal(t, c.want, look(ctx), "%s, %s", name, end)
					}
				})
			}
		}
	}
}

func TestAWorkWithinARequestEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := traffic.WithTimeout(t.Context(), time.Second)
		defer cancel()
		child, stop := context.WithTimeout(ctx, time.Hour)
		defer stop()
		begun := time.Now()
		<-child.Done()
		require.Equal(t, time.Second, time.Since(begun))
		require.Equal(t, context.DeadlineExceeded, child.Err())
	})
}

func TestTheEarlierDeadlineCounts(t *testing.T) {
	parent, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	want, _ := parent.Deadline()
	ctx, cancel := traffic.WithTimeout(parent, time.Hour)
	defer cancel()
	at, ok := ctx.Deadline()
	require.True(t, ok)
	require.Equal(t, want, at)
	ctx, cancel = traffic.WithTimeout(parent, time.Millisecond)
	defer cancel()
	at, _ = ctx.Deadline()
	require.True(t, at.Before(want))
}

func TestValuesOfTheParentAreFoundWithAndWithoutATimer(t *testing.T) {
	type key struct{}
	ctx, cancel := traffic.WithTimeout(context.WithValue(t.Context(), key{}, 7), time.Hour)
	defer cancel()
	require.Equal(t, 7, ctx.Value(key{}))
	ctx.Done()
	require.Equal(t, 7, ctx.Value(key{}))
}
