package customers_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/kyc"
)

// crowd does something thirty times at once.
func crowd[T any](do func() T) []T {
	results := make([]T, 30)
	var working sync.WaitGroup
	for i := range results {
		working.Go(func() { results[i] = do() })
	}
	working.Wait()
	return results
}

func TestThirtyInitiationsAtOnceSendOneMessage(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	var sent atomic.Int32
	b.provider.send = func(context.Context, string) error {
		sent.Add(1)
		return nil
	}
	recorded := crowd(func() begun {
		return b.beginInitiation(customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, CustomerID: c.ID})
	})
	next := make(chan begun, len(recorded))
	for _, q := range recorded {
		next <- q
	}
	for _, o := range crowd(func() customers.Outcome {
		q := <-next
		return b.conclude(b.ask(q))
	}) {
		require.NoError(t, o.Refused)
		require.Equal(t, recorded[0].Identity(), o.Identity.ID, "the same initiation")
		require.Equal(t, customers.IdentitySent, o.Identity.Status)
		require.Equal(t, maskGoodBVN, o.Number)
	}
	require.EqualValues(t, 1, sent.Load())
}

func TestWhoWaitsForAMessageThatIsNotSentIsAnswered503(t *testing.T) {
	b := setup(t)
	params := customers.InitiateParams{Type: kyc.BVN, Number: goodBVN}
	asking, waiting := b.beginInitiation(params), b.beginInitiation(params)
	b.provider.send = func(context.Context, string) error { return kyc.ErrUnavailable }
	refused := make(chan error)
	go func() { refused <- b.conclude(b.ask(waiting)).Refused }()
	require.ErrorIs(t, b.conclude(b.ask(asking)).Refused, customers.ErrUnavailable)
	require.ErrorIs(t, <-refused, customers.ErrUnavailable)

	b.provider.send = nil
	require.Equal(t, asking.Identity(), b.initiate(goodBVN, "").Identity.ID, "the next one asks at once")
}

func TestNobodyWaitsForAMessageInASequentialService(t *testing.T) {
	b := setupOn(t, memstore.New(), customers.Config{Sequential: true})
	params := customers.InitiateParams{Type: kyc.BVN, Number: goodBVN}
	asking, waiting := b.beginInitiation(params), b.beginInitiation(params)
	require.ErrorIs(t, b.conclude(b.ask(waiting)).Refused, customers.ErrUnavailable, "and not after a time-out")
	require.NoError(t, b.conclude(b.ask(asking)).Refused)
	require.Equal(t, customers.IdentitySent, b.conclude(b.ask(waiting)).Identity.Status)
}

func TestTheEndOfAnInitiationThatWasTakenOverLetsNobodyElseAsk(t *testing.T) {
	b := setup(t)
	params := customers.InitiateParams{Type: kyc.BVN, Number: goodBVN}
	slow := b.beginInitiation(params)
	b.clock.pass(time.Minute) // nobody believes in it any more
	asking := b.beginInitiation(params)
	b.provider.send = func(context.Context, string) error { return kyc.ErrUnavailable }
	require.ErrorIs(t, b.conclude(b.ask(slow)).Refused, customers.ErrUnavailable)
	var sent atomic.Int32
	b.provider.send = func(context.Context, string) error {
		sent.Add(1)
		return nil
	}
	waiting := b.beginInitiation(params)
	require.NoError(t, b.conclude(b.ask(asking)).Refused)
	require.NoError(t, b.conclude(b.ask(waiting)).Refused)
	require.EqualValues(t, 1, sent.Load())
}

func TestAKeyInitiatesOnlySoManyVerificationsOverAllNumbers(t *testing.T) {
	b := setupOn(t, memstore.New(), customers.Config{KeyInitiations: 3})
	initiate := func(n int, key string) error {
		_, err := b.Initiate(b.ctx, home, customers.InitiateParams{
			Type: kyc.BVN, Number: customers.Number(fmt.Sprintf("222123456%02d", n)), Key: key,
		})
		return err
	}
	for n := range 3 {
		require.NoError(t, initiate(n, "key_1"))
		b.clock.pass(time.Minute)
	}
	err := initiate(3, "key_1")
	require.ErrorIs(t, err, ferry.RateLimited)
	refused, ok := err.(*ferry.Error)
	require.True(t, ok)
	require.Equal(t, 57*time.Minute, refused.RetryAfter, "when the first one is an hour old")
	require.NoError(t, initiate(3, "key_2"), "another key has a quota of its own")
	require.NoError(t, initiate(4, ""), "an embedder's call without a key has none")
	b.clock.pass(57 * time.Minute)
	require.NoError(t, initiate(5, "key_1"))
}

func TestAnInitiationThatIsContinuedTakesNothingFromTheQuotaOfItsKey(t *testing.T) {
	b := setupOn(t, memstore.New(), customers.Config{KeyInitiations: 1})
	params := customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, Key: "key_1"}
	b.provider.send = func(context.Context, string) error { return kyc.ErrUnavailable }
	_, err := b.Initiate(b.ctx, home, params)
	require.ErrorIs(t, err, customers.ErrUnavailable)
	b.provider.send = nil
	_, err = b.Initiate(b.ctx, home, params)
	require.NoError(t, err)
}

func TestByDefaultAKeyInitiatesAHundredVerificationsAnHour(t *testing.T) {
	b := setup(t)
	for n := range 101 {
		_, err := b.Initiate(b.ctx, home, customers.InitiateParams{
			Type: kyc.BVN, Number: customers.Number(fmt.Sprintf("2221234%04d", n)), Key: "key_1",
		})
		if n < 100 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, customers.ErrTooManyInitiations)
		}
	}
}
