package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
)

func TestAfterThreeFailuresInARowAnEndpointIsOnlyProbed(t *testing.T) {
	b := setup(t)
	b.answers(503)
	b.emit("a")
	b.run(time.Minute) // attempts 1 to 3
	require.Len(t, b.take(), 3)
	opened := b.row().ProbeAt.Add(-5 * time.Minute)

	for i := range 20 {
		b.emit(fmt.Sprint("b", i))
	}
	b.run(opened.Add(5*time.Minute - time.Second).Sub(b.clock.Now()))
	require.Empty(t, b.take(), "nothing goes out before the first probe")

	b.run(time.Hour)
	probes := b.take()
	require.NotEmpty(t, probes)
	for i := 1; i < len(probes); i++ {
		require.GreaterOrEqual(t, probes[i].at.Sub(probes[i-1].at), 5*time.Minute, "at most one each 5 minutes")
		require.LessOrEqual(t, probes[i].at.Sub(probes[i-1].at), 6*time.Minute)
	}
	require.Equal(t, 3, b.events()[0].Attempts, "probes use up nothing of the schedule")
	require.Len(t, b.attempts(), 3+len(probes), "but they are logged")
}

func TestTheProbeIsTheEventThatHasBeenDueTheLongest(t *testing.T) {
	b := setup(t)
	b.answers(500)
	b.emit("a")
	b.run(40 * time.Second)
	for _, r := range []string{"z", "y", "x"} {
		b.run(20 * time.Second)
		b.emit(r)
	}
	b.take()
	b.run(21 * time.Minute)

	got := order(b.take())
	require.GreaterOrEqual(t, len(got), 4)
	require.Equal(t, []string{"z/1", "y/1", "x/1"}, got[:3], "a came due for its fourth attempt after them")
	require.Equal(t, "a/1", got[3])
}

func TestASuccessfulProbeMakesAllThatWaitsDue(t *testing.T) {
	b := setup(t)
	b.answers(500)
	b.emit("a", "a", "b", "c")
	b.run(time.Hour)
	b.take()

	b.answers(200)
	b.run(6 * time.Minute)

	got := order(b.take())
	require.Len(t, got, 4)
	require.Less(t, slices.Index(got, "a/1"), slices.Index(got, "a/2"))
	require.Zero(t, b.row().Failures)
	_, waits := b.next()
	require.False(t, waits)
}

// asks are the ways in which a business asks for an attempt.
var asks = map[string]func(b *bench) error{
	"test": func(b *bench) error {
		_, err := b.SendTest(b.t.Context(), owner)
		return err
	},
	"resend": func(b *bench) error { return b.Resend(b.t.Context(), owner, b.events()[1].ID) },
	"replay": func(b *bench) error {
		_, err := b.ReplaySince(b.t.Context(), owner, b.events()[1].CreatedAt)
		return err
	},
}

func TestWhatABusinessAsksForGoesToAFailingEndpointAtOnce(t *testing.T) {
	for name, ask := range asks {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.answers(500)
			b.emit("a", "b")
			b.run(time.Hour)
			b.take()

			require.NoError(t, ask(b))
			b.run(time.Second)
			require.Len(t, b.take(), 1, "one attempt for one question")
			b.run(4*time.Minute + 58*time.Second)
			require.Empty(t, b.take(), "the next probe has its time")

			b.answers(200)
			require.NoError(t, ask(b))
			b.run(time.Second)
			require.Subset(t, order(b.take()), []string{"a/1", "b/1"}, "the endpoint has recovered")
			require.Zero(t, b.row().Failures)
		})
	}
}

func TestAResendDoesNotWaitForAnEarlierEventOfItsResource(t *testing.T) {
	for _, name := range []string{"resend", "replay"} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.answers(500)
			b.emit("a")
			b.clock.set(b.clock.Now().Add(time.Second))
			b.emit("a")
			b.run(10 * time.Second) // attempts 1 and 2; the third one would be half a minute later
			require.Equal(t, []string{"a/1", "a/1"}, order(b.take()))

			b.answers(200)
			require.NoError(t, asks[name](b))
			b.run(time.Second)
			require.Equal(t, []string{"a/1", "a/2"}, order(b.take()))
		})
	}
}

func TestARecoveryDoesNotWaitForTheSchedule(t *testing.T) {
	b := setup(t, func(c *webhook.Config) { c.Schedule = []time.Duration{0, 10 * time.Hour, 10 * time.Hour} })
	b.answers(500)
	b.emit("a", "b", "c")
	b.pass()
	b.take()

	b.answers(200)
	b.emit("d")
	b.run(6 * time.Minute)

	got := order(b.take())
	require.Equal(t, "d/1", got[0], "the only event that was due is the probe")
	slices.Sort(got)
	require.Equal(t, []string{"a/1", "b/1", "c/1", "d/1"}, got)
}

func TestOneEventThatAlwaysFailsDoesNotKeepAnEndpointProbed(t *testing.T) {
	b := setup(t)
	b.answersBy(func(d delivery) (int, http.Header) {
		if d.resource() == "poison" {
			return 500, nil
		}
		return 200, nil
	})
	b.emit("poison")
	b.run(time.Minute)
	require.Equal(t, 3, b.row().Failures)

	b.emit("a")
	b.run(15 * time.Minute)
	require.Contains(t, order(b.take()), "a/1")
	require.Less(t, b.row().Failures, 3)
}

func TestAfterADayOfOutageEverythingComesInOrder(t *testing.T) {
	b := setup(t)
	b.answers(0)
	const resources, rounds = 7, 8
	for range rounds {
		for r := range resources {
			b.emit(fmt.Sprint("r", r))
		}
		b.run(3 * time.Hour)
	}
	require.NotContains(t, b.states(), webhook.Dead)
	b.take()

	b.answers(200)
	b.run(10 * time.Minute)

	seen := map[string]int64{}
	for _, d := range b.take() {
		require.Equal(t, seen[d.resource()]+1, d.Sequence, "resource %s", d.resource())
		seen[d.resource()] = d.Sequence
	}
	require.Len(t, seen, resources)
	for _, s := range b.states() {
		require.Equal(t, webhook.Delivered, s)
	}
}

func TestAnEndpointThatDoesNothingButFailIsDisabledAfterFiveDays(t *testing.T) {
	var log strings.Builder
	b := setup(t, withLog(&log))
	b.answers(500)
	b.emit("a", "b")
	b.run(5*24*time.Hour - time.Minute)
	require.Equal(t, webhook.Active, b.row().Status())

	b.run(10 * time.Minute)
	require.Equal(t, webhook.Disabled, b.row().Status())
	require.Equal(t, []webhook.State{webhook.Unsent, webhook.Unsent}, b.states())
	require.Contains(t, log.String(), "webhook endpoint disabled")
	require.NotContains(t, log.String(), "hooks.example.com", "the URL may hold a secret")
}

func TestASuccessStartsTheFiveDaysAnew(t *testing.T) {
	b := setup(t)
	b.answers(500)
	b.emit("a")
	b.run(4 * 24 * time.Hour)
	b.answers(200)
	b.run(10 * time.Minute)
	b.answers(500)
	b.emit("a")
	b.run(2 * 24 * time.Hour)
	require.Equal(t, webhook.Active, b.row().Status())
}

func TestARetryAfterOfAProbedEndpointPutsOffTheNextProbe(t *testing.T) {
	b := setup(t)
	b.answersBy(func(delivery) (int, http.Header) { return 503, http.Header{"Retry-After": {"1800"}} })
	b.emit("a", "b", "c")
	b.pass()
	b.take()
	b.emit("d")
	b.run(29 * time.Minute)
	require.Empty(t, b.take(), "not even an event that was never tried")
	b.run(2 * time.Minute)
	require.Len(t, b.take(), 1)
}

func TestAnotherURLStartsWithoutTheFailuresOfTheFormer(t *testing.T) {
	b := setup(t, func(c *webhook.Config) { c.Schedule = []time.Duration{0, 10 * time.Hour} })
	b.answers(500)
	b.emit("a", "b", "c")
	b.pass()
	b.take()
	require.Equal(t, 3, b.row().Failures)
	b.answers(200)
	b.clock.set(start.Add(time.Second))

	b.setURL(owner, "https://new.example.com/")
	require.Zero(t, b.row().Failures)
	b.pass()

	got := b.take()
	require.Len(t, got, 3, "what waited is due at once")
	require.Equal(t, "https://new.example.com/", got[0].url)
}

func TestAProbeIsMadeAlsoWhenItsPassIsOverBeforeItBegins(t *testing.T) {
	for _, sequential := range []bool{true, false} {
		b := setup(t, func(c *webhook.Config) { c.Sequential = sequential })
		b.answers(500)
		for i := range 10 {
			b.emit(fmt.Sprint("r", i))
		}
		b.pass()
		require.GreaterOrEqual(t, b.row().Failures, 3)
		b.take()

		b.answers(200)
		b.clock.set(b.row().ProbeAt.Add(time.Minute)) // all of them are due, and nine have to wait for the tenth
		ctx, end := context.WithCancel(t.Context())
		_, err := b.RunDue(ctx, 3)
		end() // as an engine ends the context of a pass that has returned
		require.NoError(t, err)
		b.Wait()
		require.NotEmpty(t, b.take())
	}
}

func TestAWorkerOfAnEarlierPassSendsWhatALaterOneClaimed(t *testing.T) {
	b := setup(t, func(c *webhook.Config) { c.Workers, c.ProbeEvery = 1, 10*time.Millisecond })
	slow := ferry.Scope{Env: ferry.Test, Business: "biz_slow"}
	b.endpoint(slow, "https://slow.example.com/")
	b.answers(500)
	b.emit("a", "b", "c")
	b.pass()
	require.GreaterOrEqual(t, b.row().Failures, 3)

	began, released, passed := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	b.answersBy(func(d delivery) (int, http.Header) {
		if strings.Contains(d.url, "slow") {
			close(began)
			<-released
		}
		return 200, nil
	})
	b.emitTo(slow, "s")
	b.emit("d") // which has to wait for the probe
	ctx, end := context.WithCancel(t.Context())
	_, err := b.RunDue(ctx, 1) // it ends while the slow endpoint has the one worker
	<-began
	end()
	require.NoError(t, err)
	b.take()

	probed := b.row().ProbeAt
	b.clock.set(probed.Add(20 * time.Millisecond)) // it seems that the worker will soon be free
	go func() {
		_, err := b.RunDue(t.Context(), 100)
		passed <- err
	}()
	require.Eventually(t, func() bool { return b.row().ProbeAt.After(probed) }, 5*time.Second, time.Millisecond)
	close(released)
	require.NoError(t, <-passed)
	require.NotEmpty(t, b.take(), "the probe was made")
	require.Zero(t, b.row().Failures)
}
