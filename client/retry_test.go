package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/money"
)

func TestWhatPassesIsAttemptedAgainWithTheSameKey(t *testing.T) {
	for name, first := range map[string]http.HandlerFunc{
		"no answer":        hangsUp,
		"a failing server": fails(500, "internal_error"),
		"a missing server": fails(503, "provider_unavailable"),
		"a busy server":    fails(429, "rate_limit_exceeded"),
		"a twin in flight": fails(409, "idempotency_conflict", "Retry-After", "1"),
		"a cut off answer": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"success":true,"data":{"id`) },
		"a page of a proxy": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<html>Bad gateway</html>", http.StatusBadGateway)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scripted(t, first, success(map[string]any{"id": "pout_1"}))
			var answer client.Answer
			made, err := s.client(t, client.Config{}).Payouts.Cancel(t.Context(), "pout_1", client.WithAnswer(&answer))
			require.NoError(t, err)
			require.Equal(t, "pout_1", made.ID)
			require.Equal(t, 2, answer.Attempts)
			keys := s.keys()
			require.Len(t, keys, 2)
			require.NotEmpty(t, keys[0])
			require.Equal(t, keys[0], keys[1])
		})
	}
}

func TestTwoCallsHaveTwoKeys(t *testing.T) {
	s := scripted(t, success(map[string]any{}))
	c := s.client(t, client.Config{})
	for range 2 {
		_, err := c.Payouts.Cancel(t.Context(), "pout_1")
		require.NoError(t, err)
	}
	keys := s.keys()
	require.NotEqual(t, keys[0], keys[1])
}

func TestARefusalIsNotAttemptedAgain(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 409, 413, 422} {
		s := scripted(t, fails(status, "some_code"))
		_, err := s.client(t, client.Config{}).Payouts.Cancel(t.Context(), "pout_1")
		refused, ok := errors.AsType[*client.Error](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, status, refused.Status)
		require.Len(t, s.keys(), 1, "%d", status)
	}
	s := scripted(t, fails(409, "idempotency_conflict")) // the key came with other parameters
	_, err := s.client(t, client.Config{}).Payouts.Cancel(t.Context(), "pout_1")
	require.ErrorIs(t, err, client.CodeIdempotencyConflict)
	require.Len(t, s.keys(), 1)
}

func TestAReadHasNoKeyAndIsAttemptedAgain(t *testing.T) {
	s := scripted(t, hangsUp, fails(503, "provider_unavailable"), success(map[string]any{"id": "pout_1"}))
	_, err := s.client(t, client.Config{}).Payouts.Get(t.Context(), "pout_1")
	require.NoError(t, err)
	require.Equal(t, []string{"", "", ""}, s.keys())
}

func TestTheKeyOfTheCallerIsThatOfEveryAttempt(t *testing.T) {
	s := scripted(t, hangsUp, success(map[string]any{}))
	_, err := s.client(t, client.Config{}).Payouts.Cancel(t.Context(), "pout_1", client.WithIdempotencyKey("salaries-march"))
	require.NoError(t, err)
	require.Equal(t, []string{"salaries-march", "salaries-march"}, s.keys())
}

func TestAKeyThatNoHeaderCanHaveIsRefusedBeforeAnythingIsSent(t *testing.T) {
	s := scripted(t, success(map[string]any{}))
	for _, key := range []string{"two words", "line\n", "Adé", string(make([]byte, 300))} {
		_, err := s.client(t, client.Config{}).Payouts.Cancel(t.Context(), "pout_1", client.WithIdempotencyKey(key))
		require.ErrorContains(t, err, "1 to 255 visible ASCII characters")
	}
	require.Empty(t, s.keys())
}

func TestThePauseIsAtLeastWhatTheServerAsksFor(t *testing.T) {
	s := scripted(t, fails(429, "rate_limit_exceeded", "Retry-After", "1"), success(map[string]any{}))
	began := time.Now()
	_, err := s.client(t, client.Config{}).Payouts.Cancel(t.Context(), "pout_1")
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(began), time.Second)
}

func TestAPauseThatIsTooLongIsTheCallersToWait(t *testing.T) {
	s := scripted(t, fails(429, "rate_limit_exceeded", "Retry-After", "86400"))
	_, err := s.client(t, client.Config{}).Identity.Initiate(t.Context(), client.InitiateIdentityParams{})
	refused, ok := errors.AsType[*client.Error](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, 24*time.Hour, refused.RetryAfter)
	require.Len(t, s.keys(), 1)
}

func TestAttemptsAreBounded(t *testing.T) {
	s := scripted(t, fails(500, "internal_error"))
	_, err := s.client(t, client.Config{Attempts: 3}).Payouts.Cancel(t.Context(), "pout_1")
	refused, ok := errors.AsType[*client.Error](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, s.keys()[0], refused.IdempotencyKey, "its effect is not known: the key gets to know")
	require.Len(t, s.keys(), 3)
}

func TestACallWithoutAnAnswerLeavesTheKeyToAskAgain(t *testing.T) {
	s := scripted(t, hangsUp)
	_, err := s.client(t, client.Config{Attempts: 2}).Payouts.Cancel(t.Context(), "pout_1")
	lost, ok := errors.AsType[*client.Unanswered](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, 2, lost.Attempts)
	require.Equal(t, s.keys()[1], lost.IdempotencyKey)
	require.ErrorContains(t, err, "POST /v1/payouts/cancel: no answer in 2 attempts")
}

func TestTheContextEndsAttemptsAndPauses(t *testing.T) {
	s := scripted(t, fails(503, "provider_unavailable"))
	c := s.client(t, client.Config{Pause: time.Hour, MaxPause: 2 * time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := c.Payouts.Cancel(ctx, "pout_1")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, client.CodeProviderUnavailable, "why it was still under way")

	short, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	began := time.Now()
	_, err = c.Payouts.Cancel(short, "pout_1")
	require.ErrorIs(t, err, client.CodeProviderUnavailable)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(began), 10*time.Second, "an attempt after the deadline is not waited for")
}

func TestASlowAttemptEndsAndIsMadeAgain(t *testing.T) {
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	s := scripted(t, slow, success(map[string]any{"id": "pout_1"}))
	_, err := s.client(t, client.Config{Timeout: 100 * time.Millisecond}).Payouts.Get(t.Context(), "pout_1")
	require.NoError(t, err)
}

// losing lets every request through and loses every second answer.
type losing struct{ requests atomic.Int64 }

func (l *losing) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || l.requests.Add(1)%2 == 0 {
		return answer, err
	}
	answer.Body.Close()
	return nil, errors.New("the connection is gone")
}

func TestALostAnswerHasOneEffect(t *testing.T) {
	fake, network := ferrytest.Start(t), new(losing)
	c, err := client.New(client.Config{
		BaseURL: fake.URL, Key: fake.SecretKey, HTTPClient: &http.Client{Transport: network}, Pause: time.Millisecond,
	})
	require.NoError(t, err)
	var answer client.Answer
	params := client.CreateNairaTransferParams{
		Amount: client.AmountOf(money.NGN(1_000_25)), Currency: client.CurrencyNGN, BankCode: "058", AccountNumber: "0123456780",
	}
	made, err := c.FiatTransfers.CreateFromBalance(t.Context(), params, client.WithAnswer(&answer))
	require.NoError(t, err)
	require.True(t, answer.Replayed)
	require.Equal(t, "1000.25", made.Amount.String())

	list, err := c.FiatTransfers.List(t.Context(), client.ListFiatTransfersParams{})
	require.NoError(t, err)
	require.Len(t, list.Data, 1)
	require.Equal(t, made.UID, list.Data[0].UID)
}
