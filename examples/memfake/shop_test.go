package memfake_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/examples/memfake"
	"github.com/ferrypay/ferry/ferrytest"
)

func TestAnOrderIsPaidWhenItsMoneyArrives(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	shop := memfake.NewShop(fake.URL, fake.SecretKey)
	receiver := httptest.NewServer(shop.Webhooks(fake.WebhookSecret))
	defer receiver.Close()
	require.NoError(t, shop.Watch(t.Context(), receiver.URL))

	address, err := shop.Checkout(t.Context(), "order-1")
	require.NoError(t, err)
	require.Empty(t, shop.Paid(address))

	fake.Deposit(address, "25.5")
	require.Equal(t, "25.5", shop.Paid(address))
}

func TestAnOrderIsPaidAlthoughTheShopWasDown(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	shop := memfake.NewShop(fake.URL, fake.SecretKey)
	receiver := httptest.NewServer(shop.Webhooks(fake.WebhookSecret))
	defer receiver.Close()
	require.NoError(t, shop.Watch(t.Context(), receiver.URL))
	address, err := shop.Checkout(t.Context(), "order-1")
	require.NoError(t, err)

	fake.Inject("receiver", "500", 1)
	fake.Deposit(address, "10")
	fake.Advance(time.Minute)
	require.Equal(t, "10", shop.Paid(address))
}
