package worker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ferrypay/ferry/internal/worker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a call of Run in the background of a synctest bubble.
type running struct {
	nudge *worker.Nudge
	log   *bytes.Buffer
	stop  context.CancelFunc
	ended chan struct{}
}

func start(workers ...worker.Worker) *running {
	ctx, stop := context.WithCancel(context.Background())
	r := &running{new(worker.Nudge), new(bytes.Buffer), stop, make(chan struct{})}
	logger := slog.New(slog.NewTextHandler(r.log, nil))
	go func() {
		defer close(r.ended)
		for i := range workers {
			workers[i].Nudge = r.nudge
		}
		worker.Run(ctx, logger, workers...)
	}()
	synctest.Wait()
	return r
}

func (r *running) finish() {
	r.stop()
	<-r.ended
}

// counting is a worker whose passes say what the script says for the n-th call.
func counting(every time.Duration, script func(n int) (int, error)) (worker.Worker, *atomic.Int64) {
	passes := new(atomic.Int64)
	return worker.Worker{Name: "test", Every: every, RunDue: func(context.Context, int) (int, error) {
		return script(int(passes.Add(1)))
	}}, passes
}

func idle(int) (int, error) { return 0, nil }

func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestAWorkerPassesAtOnceAndThenAtItsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, passes := counting(time.Minute, idle)
		r := start(w)
		defer r.finish()

		require.EqualValues(t, 1, passes.Load())
		after(59 * time.Second)
		require.EqualValues(t, 1, passes.Load())
		after(time.Second)
		require.EqualValues(t, 2, passes.Load())
	})
}

func TestAFullBatchIsFollowedByTheNextAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, passes := counting(time.Minute, func(n int) (int, error) {
			if n < 5 {
				return worker.Batch, nil
			}
			return worker.Batch - 1, nil
		})
		r := start(w)
		defer r.finish()

		require.EqualValues(t, 5, passes.Load())
	})
}

func TestAPassIsGivenTheBatchAsItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var limit atomic.Int64
		r := start(worker.Worker{Every: time.Minute, RunDue: func(_ context.Context, l int) (int, error) {
			limit.Store(int64(l))
			return 0, nil
		}})
		defer r.finish()

		require.EqualValues(t, worker.Batch, limit.Load())
	})
}

func TestANudgeWakesEveryWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, passesOfA := counting(time.Hour, idle)
		b, passesOfB := counting(time.Hour, idle)
		r := start(a, b)
		defer r.finish()

		for range 3 {
			r.nudge.Wake()
			synctest.Wait()
		}

		require.EqualValues(t, 4, passesOfA.Load())
		require.EqualValues(t, 4, passesOfB.Load())
	})
}

func TestANudgeDuringAPassIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, passes := counting(time.Hour, func(n int) (int, error) {
			if n == 1 {
				time.Sleep(time.Second)
			}
			return 0, nil
		})
		r := start(w)
		defer r.finish()

		r.nudge.Wake()
		r.nudge.Wake()
		after(time.Second)

		require.EqualValues(t, 2, passes.Load())
	})
}

func TestNudgesWithinTheGapAreOnePass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, passes := counting(time.Hour, idle)
		w.Gap = 10 * time.Millisecond
		r := start(w)
		defer r.finish()

		after(time.Second)
		r.nudge.Wake()
		synctest.Wait()
		require.EqualValues(t, 2, passes.Load(), "the first nudge after a rest wakes at once")

		for range 9 {
			r.nudge.Wake()
			after(time.Millisecond)
		}
		require.EqualValues(t, 2, passes.Load())
		after(time.Millisecond)
		require.EqualValues(t, 3, passes.Load())
	})
}

func TestErrorsSlowAWorkerDownUntilItSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		begin := time.Now()
		w, _ := counting(time.Hour, func(n int) (int, error) {
			at = append(at, time.Since(begin))
			if n <= 10 {
				return worker.Batch, errors.New("store is away")
			}
			return 0, nil
		})
		r := start(w)
		after(5 * time.Minute)
		r.finish()

		var gaps []time.Duration
		for i := 1; i < len(at); i++ {
			gaps = append(gaps, at[i]-at[i-1])
		}
		require.Equal(t, []time.Duration{
			250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second,
			8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second, 30 * time.Second,
		}, gaps)
		require.Contains(t, r.log.String(), "store is away")
		require.Contains(t, r.log.String(), "worker=test")
	})
}

func TestASuccessResetsTheBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, passes := counting(time.Second, func(n int) (int, error) {
			if n == 4 {
				return 0, nil
			}
			return 0, errors.New("again")
		})
		r := start(w) // fails at 0, 250 ms, 750 ms; succeeds at 1.75 s; fails at 2.75 s and 3 s
		defer r.finish()

		after(2999 * time.Millisecond)
		require.EqualValues(t, 5, passes.Load())
		after(time.Millisecond)
		require.EqualValues(t, 6, passes.Load())
	})
}

func TestANudgeDoesNotHurryAFailingWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, passes := counting(time.Hour, func(int) (int, error) { return 0, errors.New("no") })
		r := start(w)
		defer r.finish()

		for range 100 {
			r.nudge.Wake()
			synctest.Wait()
		}
		require.EqualValues(t, 1, passes.Load())
		after(250 * time.Millisecond)
		require.EqualValues(t, 2, passes.Load())
	})
}

func TestAPanicIsLoggedAndEndsNeitherItsWorkerNorTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken, passesOfBroken := counting(time.Second, func(n int) (int, error) {
			if n == 1 {
				panic("out of luck")
			}
			return 0, nil
		})
		sound, passesOfSound := counting(time.Second, idle)
		r := start(broken, sound)
		after(1500 * time.Millisecond)
		r.finish()

		require.EqualValues(t, 3, passesOfBroken.Load())
		require.EqualValues(t, 2, passesOfSound.Load())
		require.Contains(t, r.log.String(), "out of luck")
		require.Contains(t, r.log.String(), "worker_test.go", "the log holds the stack")
	})
}

func TestRunLetsAPassFinishAndStartsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var finished atomic.Bool
		w, passes := counting(time.Second, func(int) (int, error) {
			time.Sleep(10 * time.Second)
			finished.Store(true)
			return worker.Batch, nil
		})
		r := start(w)
		r.finish()

		require.True(t, finished.Load())
		require.EqualValues(t, 1, passes.Load())
	})
}

func TestTheContextOfAPassEndsAfterTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(worker.Worker{Every: time.Second, RunDue: func(ctx context.Context, _ int) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}})
		begin := time.Now()
		r.finish()

		require.Equal(t, worker.Grace, time.Since(begin))
	})
}

func TestRunWithoutLoggerNudgeOrWorkersIsFine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		worker.Run(context.Background(), nil)

		ctx, stop := context.WithTimeout(context.Background(), 1500*time.Millisecond)
		defer stop()
		w, passes := counting(0, func(int) (int, error) { panic("unheard") })
		worker.Run(ctx, nil, w)
		require.EqualValues(t, 3, passes.Load())
	})
}

func TestAWorkerWithoutIntervalPassesEverySecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, passes := counting(0, idle)
		r := start(w)
		defer r.finish()

		after(999 * time.Millisecond)
		require.EqualValues(t, 1, passes.Load())
		after(time.Millisecond)
		require.EqualValues(t, 2, passes.Load())
	})
}

func TestANudgeThatNobodyWaitsForIsFine(*testing.T) {
	var n worker.Nudge
	n.Wake()
	n.Wake()
}
