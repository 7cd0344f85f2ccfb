package idempotency_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	key  = idempotency.Key{
		Scope:     ferry.Scope{Business: "biz_1", Env: ferry.Test},
		Operation: "POST /v1/wallets", Client: "first",
	}
	request = key.Record("aaaa")
)

// claims is a store of keys and the two words of a request.
type claims struct {
	t     *testing.T
	store *memstore.Store
}

func setup(t *testing.T) claims { return claims{t, memstore.New()} }

func (c claims) in(body func(context.Context, records.Tx) error) error {
	return c.store.Write(c.t.Context(), func(ctx context.Context, p store.Ports) error { return body(ctx, p) })
}

func (c claims) begin(at time.Time, r idempotency.Record) (known *idempotency.Record, err error) {
	err = c.in(func(ctx context.Context, s records.Tx) (err error) {
		known, err = idempotency.Begin(ctx, s, noon, at, r)
		return err
	})
	return known, err
}

func (c claims) finish(resource string, status int, body string) error {
	return c.in(func(ctx context.Context, s records.Tx) error {
		_, err := idempotency.Finish(ctx, s, key, resource, status, body)
		return err
	})
}

func TestTheFirstRequestOfAKeyIsTold(t *testing.T) {
	known, err := setup(t).begin(noon, request)
	require.NoError(t, err)
	require.Nil(t, known)
}

func TestARepeatedRequestGetsTheFirstAnswer(t *testing.T) {
	c := setup(t)
	_, err := c.begin(noon, request)
	require.NoError(t, err)
	require.NoError(t, c.finish("wal_1", 200, `{"id":"wal_1"}`))

	for range 2 {
		known, err := c.begin(noon.Add(time.Hour), request)
		require.NoError(t, err)
		require.Equal(t, &idempotency.Record{
			Scope: key.Scope, ID: key.ID(), Fingerprint: "aaaa", Resource: "wal_1", Finished: true, Status: 200, Body: `{"id":"wal_1"}`,
			BusyUntil: noon.Add(idempotency.Busy), CreatedAt: noon, Version: 2,
		}, known)
	}
}

func TestAClaimThatIsLetGoIsTakenOverAtOnce(t *testing.T) {
	c := setup(t)
	_, err := c.begin(noon, request)
	require.NoError(t, err)
	require.NoError(t, c.in(func(ctx context.Context, s records.Tx) error {
		quicker, err := idempotency.LetGo(ctx, s, key)
		require.Nil(t, quicker)
		return err
	}))
	known, err := c.begin(noon.Add(time.Millisecond), request)
	require.NoError(t, err)
	require.False(t, known.Finished)
}

func TestAKeyThatComesWithAnotherRequestIsRefused(t *testing.T) {
	c := setup(t)
	other := key.Record("bbbb")
	_, err := c.begin(noon, request)
	require.NoError(t, err)

	_, err = c.begin(noon, other)
	require.ErrorIs(t, err, idempotency.ErrConflict)
	_, err = c.begin(noon.Add(time.Hour), other)
	require.ErrorIs(t, err, idempotency.ErrConflict, "nor is it taken over")
	require.NoError(t, c.finish("wal_1", 200, "{}"))
	_, err = c.begin(noon, other)
	require.ErrorIs(t, err, idempotency.ErrConflict)
}

func TestAKeyOfAnotherScopeOrRouteIsAnotherKey(t *testing.T) {
	c := setup(t)
	for _, k := range []idempotency.Key{
		key,
		{Scope: ferry.Scope{Business: "biz_2", Env: ferry.Test}, Operation: key.Operation, Client: key.Client},
		{Scope: ferry.Scope{Business: "biz_1", Env: ferry.Live}, Operation: key.Operation, Client: key.Client},
		{Scope: key.Scope, Operation: "POST /v1/customers", Client: key.Client},
		{Scope: key.Scope, Operation: key.Operation, Client: "second"},
	} {
		known, err := c.begin(noon, k.Record(string(k.Scope.Business)+k.Operation))
		require.NoError(t, err)
		require.Nil(t, known)
	}
}

func TestATwinInFlightIsToldToComeBack(t *testing.T) {
	c := setup(t)
	_, err := c.begin(noon, request)
	require.NoError(t, err)

	_, err = c.begin(noon.Add(idempotency.Busy-1), request)
	require.ErrorIs(t, err, ferry.Conflict)
	var refused *ferry.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, idempotency.ErrInProgress.Message, refused.Message)
	require.Positive(t, refused.RetryAfter)
}

func TestARequestThatWasAbandonedIsTakenOverOnce(t *testing.T) {
	c := setup(t)
	named := request
	named.Resource = "wal_1"
	_, err := c.begin(noon, named)
	require.NoError(t, err)

	later := noon.Add(idempotency.Busy)
	known, err := c.begin(later, request)
	require.NoError(t, err)
	require.False(t, known.Finished)
	require.Equal(t, "wal_1", known.Resource, "the retry resumes the resource")
	require.Equal(t, later.Add(idempotency.Busy), known.BusyUntil)
	require.Equal(t, noon, known.CreatedAt)

	_, err = c.begin(later.Add(time.Second), request)
	require.ErrorIs(t, err, idempotency.ErrInProgress)
}

func TestARequestWorksInRealTime(t *testing.T) {
	c := setup(t)
	_, err := c.begin(noon, request)
	require.NoError(t, err)
	err = c.in(func(ctx context.Context, s records.Tx) error {
		_, err := idempotency.Begin(ctx, s, noon.Add(24*time.Hour), noon.Add(time.Second), request)
		return err
	})
	require.ErrorIs(t, err, idempotency.ErrInProgress, "a clock that was moved lets nobody take over")
}

func TestTheFirstAnswerStays(t *testing.T) {
	c := setup(t)
	_, err := c.begin(noon, request)
	require.NoError(t, err)
	_, err = c.begin(noon.Add(idempotency.Busy), request) // takes over
	require.NoError(t, err)
	require.NoError(t, c.finish("wal_1", 200, "the answer that was given"))
	require.NoError(t, c.in(func(ctx context.Context, s records.Tx) error {
		quicker, err := idempotency.Finish(ctx, s, key, "wal_1", 409, "the answer of the slow one")
		require.Equal(t, "the answer that was given", quicker.Body)
		if err != nil {
			return err
		}
		quicker, err = idempotency.LetGo(ctx, s, key)
		require.Equal(t, "the answer that was given", quicker.Body)
		return err
	}))

	known, err := c.begin(noon.Add(time.Hour), request)
	require.NoError(t, err)
	require.Equal(t, 200, known.Status)
	require.Equal(t, "the answer that was given", known.Body)
}

func TestAnAnswerOfAnUnknownKeyIsRefused(t *testing.T) {
	require.ErrorIs(t, setup(t).finish("wal_1", 200, "{}"), idempotency.ErrUnknown)
}

func TestARequestWhoseUnitFailsLeavesItsKeyFree(t *testing.T) {
	c := setup(t)
	err := c.in(func(ctx context.Context, s records.Tx) error {
		_, err := idempotency.Begin(ctx, s, noon, noon, request)
		require.NoError(t, err)
		return ferry.ErrValidation
	})
	require.ErrorIs(t, err, ferry.ErrValidation)

	known, err := c.begin(noon, key.Record("bbbb"))
	require.NoError(t, err)
	require.Nil(t, known)
}

func TestAClientKeyIsVisibleASCII(t *testing.T) {
	for _, text := range []string{"a", "~", "!", "order-1/2:3", strings.Repeat("k", 255)} {
		require.True(t, idempotency.ValidClientKey(text), text)
	}
	for _, text := range []string{"", " ", "a b", "a\t", "a\n", "\x00", "\x7f", "é", "k\xff", strings.Repeat("k", 256)} {
		require.False(t, idempotency.ValidClientKey(text), text)
	}
}
