package webhook_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
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
		Number: 1, StatusCode: 200, Sent: true, CreatedAt: start, Version: 1,
	}, attempts[0])
	require.Zero(t, b.pass(), "nothing is left to do")
}

// A recorded attempt writes the event, and nothing of its body may be lost with that.
func TestTheBodyThatWasSentStaysWithTheEvent(t *testing.T) {
	for name, status := range map[string]int{"delivered": http.StatusOK, "refused": http.StatusInternalServerError} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.answersBy(func(delivery) (int, http.Header) { return status, nil })
			b.emit("thing_1")
			b.pass()
			sent, kept := b.take(), b.events()
			require.Len(t, sent, 1)
			require.Len(t, kept, 1)
			require.Equal(t, string(sent[0].Raw), b.body(kept[0].ID))
			require.NotEmpty(t, kept[0].Data)
		})
	}
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

	require.Equal(t, 3, b.pass(), "a turn is one attempt")
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
			_, waits := b.next()
			require.False(t, waits, "nothing is due, so no worker has work with them")
			b.pass()
			require.Empty(t, b.take())
			feed, err := b.Events(t.Context(), other, "", 0)
			require.NoError(t, err)
			require.Len(t, feed.Bodies, 2, "they can be read all the same")
		})
	}
}
