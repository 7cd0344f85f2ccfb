package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestAnEventIsDeliveredSignedAndLogged(t *testing.T) {
	b := setup(t)
	b.emit("thing_1")

	require.Equal(t, 1, b.pass())

	got := b.take()
	require.Len(t, got, 1)
	require.Equal(t, "thing.changed", got[0].Type)
	require.Equal(t, "application/json", got[0].header.Get("Content-Type"))
	require.NoError(t, webhook.Verifier{Now: b.clock.Now}.Verify(got[0].Raw, got[0].header, b.secret))
	require.Equal(t, webhook.Sign(b.secret, got[0].Raw), got[0].header.Get("X-Service-Signature"))
	require.Equal(t, webhook.Sign(b.secret, got[0].Raw), got[0].header.Get("X_service_signature"))
	require.Equal(t, got[0].ID, got[0].header.Get("Webhook-Id"))

	require.Equal(t, []webhook.State{webhook.Delivered}, b.states())
	attempts := b.attempts()
	require.Len(t, attempts, 1)
	require.Equal(t, webhook.Attempt{
		ID: attempts[0].ID, Scope: owner, EventID: got[0].ID, Type: "thing.changed",
		Number: 1, StatusCode: 200, Sent: true, CreatedAt: start,
	}, attempts[0])
	require.Zero(t, b.pass(), "nothing is left to do")
}

func TestASuccessDoesNotWriteAHealthyEndpoint(t *testing.T) {
	b := setup(t)
	before := b.row()
	b.emit("thing_1", "thing_2")
	b.pass()
	require.Equal(t, before, b.row())
}

func TestEventsOfOneResourceComeInOrderInOnePass(t *testing.T) {
	b := setup(t)
	b.emit("a", "a", "a")

	require.Equal(t, 1, b.pass(), "one stream")
	require.Equal(t, []string{"a/1", "a/2", "a/3"}, order(b.take()))
}

func TestAFailedEventHoldsUpItsResourceButNoOther(t *testing.T) {
	b := setup(t)
	b.answersBy(func(d delivery) (int, http.Header) {
		if d.resource() == "a" {
			return 500, nil
		}
		return 200, nil
	})
	b.emit("a", "a", "b", "b")
	b.pass()

	got := order(b.take())
	slices.Sort(got)
	require.Equal(t, []string{"a/1", "b/1", "b/2"}, got)
	require.Equal(t, []webhook.State{webhook.Pending, webhook.Pending, webhook.Delivered, webhook.Delivered}, b.states())

	b.answers(200)
	b.run(10 * time.Second)
	require.Equal(t, []string{"a/1", "a/2"}, order(b.take()))
}

// never keeps the breaker out of a test of the schedule.
func never(c *webhook.Config) { c.ProbeAfter = 1000 }

func TestAttemptsFollowTheScheduleAndThenTheEventIsDead(t *testing.T) {
	b := setup(t, never)
	b.answers(500)
	b.emit("a", "a")
	b.run(76 * time.Hour * 6 / 5)

	got := b.take()
	first := got[:slices.IndexFunc(got, func(d delivery) bool { return d.Sequence == 2 })]
	schedule := webhook.DefaultSchedule()
	require.Len(t, first, len(schedule))
	for i := 1; i < len(schedule); i++ {
		gap := first[i].at.Sub(first[i-1].at)
		require.InDelta(t, schedule[i].Seconds(), gap.Seconds(), schedule[i].Seconds()*0.2+0.1, "attempt %d", i+1)
	}
	require.Equal(t, webhook.Dead, b.states()[0])
	require.Equal(t, first[len(first)-1].at.Truncate(time.Second), got[len(first)].at.Truncate(time.Second), "the next event follows at once")
}

func TestGapsAreJittered(t *testing.T) {
	b := setup(t, never)
	b.answers(500)
	gaps := map[time.Duration]bool{}
	for i := range 20 {
		b.emit(fmt.Sprint("thing_", i))
	}
	b.pass()
	for _, e := range b.events() {
		gap := e.DueAt.Sub(e.TriedAt)
		require.GreaterOrEqual(t, gap, 4*time.Second)
		require.LessOrEqual(t, gap, 6*time.Second)
		gaps[gap] = true
	}
	require.Greater(t, len(gaps), 10)
}

func TestWhatCountsAsSuccess(t *testing.T) {
	for status, sent := range map[int]bool{200: true, 201: true, 204: true, 299: true, 300: false, 301: false, 307: false, 400: false, 404: false, 500: false, 0: false} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			b := setup(t)
			b.answersBy(func(delivery) (int, http.Header) {
				return status, http.Header{"Location": {"https://elsewhere.example.com/"}}
			})
			b.emit("a")
			b.pass()

			require.Len(t, b.take(), 1, "a redirect is not followed")
			a := b.attempts()[0]
			require.Equal(t, sent, a.Sent)
			require.Equal(t, status, a.StatusCode)
			require.Equal(t, sent, a.Error == "")
		})
	}
}

func TestRetryAfterIsHonouredUpToAnHour(t *testing.T) {
	for _, c := range []struct {
		status int
		value  string
		least  time.Duration
		most   time.Duration
	}{
		{429, "120", 2 * time.Minute, 2 * time.Minute},
		{503, "120", 2 * time.Minute, 2 * time.Minute},
		{503, "86400", time.Hour, time.Hour},
		{429, start.Add(10 * time.Minute).Format(http.TimeFormat), 10 * time.Minute, 10 * time.Minute},
		{429, "1", 4 * time.Second, 6 * time.Second},
		{429, "-5", 4 * time.Second, 6 * time.Second},
		{429, "soon", 4 * time.Second, 6 * time.Second},
		{500, "120", 4 * time.Second, 6 * time.Second},
	} {
		t.Run(fmt.Sprint(c.status, " ", c.value), func(t *testing.T) {
			b := setup(t)
			b.answersBy(func(delivery) (int, http.Header) { return c.status, http.Header{"Retry-After": {c.value}} })
			b.emit("a")
			b.pass()
			wait := b.events()[0].DueAt.Sub(start)
			require.GreaterOrEqual(t, wait, c.least)
			require.LessOrEqual(t, wait, c.most)
		})
	}
}

func Test410DisablesTheEndpoint(t *testing.T) {
	b := setup(t)
	b.answers(410)
	b.emit("a", "a", "b")
	b.pass()
	b.pass()

	require.Equal(t, webhook.Disabled, b.row().Status())
	require.Equal(t, start, b.row().DisabledAt)
	require.Equal(t, []webhook.State{webhook.Unsent, webhook.Unsent, webhook.Unsent}, b.states())
	require.LessOrEqual(t, len(b.take()), 2, "b may have been under way")

	t.Run("and setting a URL enables it again, for what comes then", func(t *testing.T) {
		b.answers(200)
		b.setURL(owner, target)
		b.emit("a")
		b.run(time.Minute)
		require.Equal(t, webhook.Active, b.row().Status())
		require.Equal(t, []string{"a/3"}, order(b.take()))
	})

	t.Run("and a replay brings what was missed", func(t *testing.T) {
		count, err := b.ReplaySince(t.Context(), owner, start)
		require.NoError(t, err)
		require.Equal(t, 4, count)
		b.pass()
		require.Len(t, b.take(), 4)
	})
}

func TestWithoutAnEndpointEventsStayUnsent(t *testing.T) {
	for name, url := range map[string]string{"no URL": "", "no endpoint": "none"} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			other := ferry.Scope{Business: "biz_2", Env: ferry.Test}
			if url == "" {
				b.endpoint(other, "")
			}
			b.emitTo(other, "a")
			b.emitTo(other, "a")
			b.pass()
			require.Empty(t, b.take())
			_, waits := b.next()
			require.False(t, waits)
			feed, err := b.Events(t.Context(), other, "", 0)
			require.NoError(t, err)
			require.Len(t, feed.Bodies, 2, "they can be read all the same")
		})
	}
}

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

func TestAResendHasTheSameBytes(t *testing.T) {
	b := setup(t)
	b.emit("a", "a")
	b.pass()
	first := b.take()

	require.NoError(t, b.Resend(t.Context(), owner, first[0].ID))
	b.clock.set(start.Add(time.Hour))
	b.pass()

	again := b.take()
	require.Len(t, again, 1)
	require.Equal(t, first[0].Raw, again[0].Raw)
	require.Equal(t, 2, b.attempts()[0].Number)
}

func TestResendRefusesWhatItCannotSend(t *testing.T) {
	b := setup(t)
	require.ErrorIs(t, b.Resend(t.Context(), owner, "evt_x"), webhook.ErrEventNotFound)
	b.emit("a")
	id := b.events()[0].ID
	require.ErrorIs(t, b.Resend(t.Context(), ferry.Scope{Business: "biz_1", Env: ferry.Live}, id), webhook.ErrEventNotFound)

	b.setURL(owner, "")
	require.ErrorIs(t, b.Resend(t.Context(), owner, id), webhook.ErrNoURL)
	_, err := b.SendTest(t.Context(), owner)
	require.ErrorIs(t, err, webhook.ErrNoURL)
	_, err = b.ReplaySince(t.Context(), owner, start)
	require.ErrorIs(t, err, webhook.ErrNoURL)
}

func TestATestEventDoesNotWaitForAnEarlierOne(t *testing.T) {
	b := setup(t)
	b.answers(500)
	_, err := b.SendTest(t.Context(), owner)
	require.NoError(t, err)
	b.pass()
	b.answers(200)
	b.take()

	id, err := b.SendTest(t.Context(), owner)
	require.NoError(t, err)
	b.pass()

	got := b.take()
	require.Len(t, got, 1)
	require.Equal(t, id, got[0].ID)
	require.Equal(t, webhook.TestType, got[0].Type)
	require.JSONEq(t, `{"message":"This is a test event"}`, string(got[0].Data))
}

func TestReplayCountsFromItsInstant(t *testing.T) {
	b := setup(t)
	b.emit("a")
	b.clock.set(start.Add(time.Minute))
	b.emit("b", "c")
	b.pass()
	b.take()

	count, err := b.ReplaySince(t.Context(), owner, start.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, 2, count)
	b.pass()
	got := order(b.take())
	slices.Sort(got)
	require.Equal(t, []string{"b/1", "c/1"}, got)
}

func TestTwoDispatchersOnOneStoreDeliverOnce(t *testing.T) {
	b := setup(t)
	other := webhook.New(b.narrow, b.config)
	for i := range 50 {
		b.emit(fmt.Sprint("r", i), fmt.Sprint("r", i))
	}
	errs := make(chan error, 2)
	for _, s := range []*webhook.Service{b.Service, other} {
		go func() {
			_, err := s.RunDue(context.Background(), 100)
			errs <- err
		}()
	}
	require.NoError(t, <-errs)
	require.NoError(t, <-errs)
	require.Len(t, b.take(), 100)
}

func TestADispatcherThatLostItsLeaseWritesNothing(t *testing.T) {
	b := setup(t)
	b.emit("a", "a")
	b.answersBy(func(delivery) (int, http.Header) {
		// While the attempt is under way, the lease runs out and another
		// worker ends the stream's claim.
		require.NoError(t, b.units.Write(context.Background(), func(ctx context.Context, tx store.Tx) error {
			return tx.Leases().Retry(ctx, lease.Claim{Queue: webhook.QueueStreams, Key: "test/biz_1/a", Fence: 1, Round: 2}, start.Add(time.Hour))
		}))
		return 200, nil
	})

	done, err := b.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, done)
	require.Len(t, b.take(), 1)
	require.Equal(t, []webhook.State{webhook.Pending, webhook.Pending}, b.states())
	require.Empty(t, b.attempts())
}

// stopping is units of a process that stands still after each.
type stopping struct {
	ferry.Units[webhook.Tx]
	still time.Duration
}

func (s stopping) Write(ctx context.Context, body func(context.Context, webhook.Tx) error) error {
	err := s.Units.Write(ctx, body)
	time.Sleep(s.still)
	return err
}

func TestADispatcherThatStoodStillForALeaseMakesNoAttempt(t *testing.T) {
	b := setup(t, func(c *webhook.Config) { c.Timeout = 5 * time.Millisecond }) // a lease is 30 ms
	b.emit("a", "a")
	stopped := webhook.New(stopping{b.narrow, 50 * time.Millisecond}, b.config)

	_, err := stopped.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, b.take())
	require.Empty(t, b.attempts(), "it says nothing of one either")

	b.pass()
	require.Equal(t, []string{"a/1", "a/2"}, order(b.take()))
}

func TestAnEventEmittedDuringADeliveryIsNotLost(t *testing.T) {
	b := setup(t)
	b.emit("a")
	var once atomic.Bool
	b.answersBy(func(delivery) (int, http.Header) {
		if once.CompareAndSwap(false, true) {
			b.emit("a")
		}
		return 200, nil
	})
	b.pass()
	b.pass()
	require.Equal(t, []string{"a/1", "a/2"}, order(b.take()))
}

func TestWhenItsContextEndsAPassRecordsItsAttemptAndGivesTheRestBack(t *testing.T) {
	b := setup(t)
	b.emit("a", "a")
	ctx, stop := context.WithCancel(context.Background())
	b.answersBy(func(delivery) (int, http.Header) { stop(); return 200, nil })

	_, err := b.RunDue(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, []webhook.State{webhook.Delivered, webhook.Pending}, b.states())
	due, waits := b.next()
	require.True(t, waits)
	require.Equal(t, start, due, "the next worker goes on at once")
}

func TestBusinessesAndEnvironmentsDoNotMeet(t *testing.T) {
	b := setup(t)
	other := ferry.Scope{Business: "biz_2", Env: ferry.Live}
	secret := b.endpoint(other, "https://other.example.com/")
	require.True(t, strings.HasPrefix(secret, "whsec_live_"))
	b.emitTo(other, "a")
	b.emit("a")
	b.pass()
	for _, d := range b.take() {
		want := b.secret
		if d.url != target {
			want = secret
		}
		require.NoError(t, webhook.Verifier{Now: b.clock.Now}.Verify(d.Raw, d.header, want))
	}
	list, err := b.Attempts(t.Context(), other, webhook.AttemptFilter{}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total)
}

func TestAFaultOfOneStreamKeepsNoOther(t *testing.T) {
	var log strings.Builder
	b := setup(t, withLog(&log))
	require.NoError(t, b.units.Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return webhook.Emit(ctx, tx, webhook.Change{Scope: owner, Type: "x", Resource: "broken", Data: struct{}{}, Entry: "no such/0"})
	}))
	b.emit("a")
	b.pass()
	require.Equal(t, []string{"a/1"}, order(b.take()))
	require.Contains(t, log.String(), "webhook stream failed")
	due, waits := b.next()
	require.True(t, waits)
	require.Equal(t, start.Add(time.Minute), due)
}
