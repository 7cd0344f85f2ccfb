package webhook_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/webhook"
)

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
