package client_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
)

// wallets makes wallets by their numbers.
func wallets(t *testing.T, c *client.Client, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		_, err := c.Wallets.Create(t.Context(), client.CreateWalletParams{
			Type: "stablecoin", Network: "solana", Asset: "USDC", Reference: fmt.Sprintf("till-%02d", n),
		})
		require.NoError(t, err)
	}
}

func TestAPageSaysHowManyRowsThereAre(t *testing.T) {
	c, _ := start(t)
	wallets(t, c, 0, 5)
	page, err := c.Wallets.List(t.Context(), client.ListWalletsParams{Page: 2, Limit: 2})
	require.NoError(t, err)
	require.Len(t, page.Data, 2)
	require.Equal(t, client.Meta{Page: 2, Limit: 2, Total: 5, TotalPages: 3, HasMore: true}, page.Meta)
	require.WithinDuration(t, time.Now(), page.Data[0].CreatedAt, time.Minute)
}

func TestAllYieldsEveryRowOnceWhileOthersAreAdded(t *testing.T) {
	c, _ := start(t)
	wallets(t, c, 0, 10)
	yielded := map[string]int{}
	for row, err := range c.Wallets.All(t.Context(), client.ListWalletsParams{Limit: 3}) {
		require.NoError(t, err)
		yielded[row.Reference]++
		if n := len(yielded); n%2 == 0 && n < 10 {
			wallets(t, c, 10+n, 11+n) // in front of the list: the rows move to later pages
		}
	}
	for n := range 10 {
		require.Equal(t, 1, yielded[fmt.Sprintf("till-%02d", n)], "%d", n)
	}
}

func TestAllEndsWithTheFirstError(t *testing.T) {
	s := scripted(t, fails(401, "unauthorized"))
	var errs []error
	for _, err := range s.client(t, client.Config{}).Wallets.All(t.Context(), client.ListWalletsParams{}) {
		errs = append(errs, err)
	}
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], client.CodeUnauthorized)
}

func TestAllMayBeLeft(t *testing.T) {
	c, _ := start(t)
	wallets(t, c, 0, 3)
	for _, err := range c.Wallets.All(t.Context(), client.ListWalletsParams{Limit: 1}) {
		require.NoError(t, err)
		break
	}
}

func TestTheFeedOfEventsGoesOnAfterACursor(t *testing.T) {
	c, fake := start(t)
	customer := register(t, c)
	var types []string
	for event, err := range c.Events.All(t.Context(), "") {
		require.NoError(t, err)
		require.NotEmpty(t, event.Data)
		types = append(types, event.Type)
	}
	require.Equal(t, []string{"customer.verified"}, types)

	page, err := c.Events.List(t.Context(), client.ListEventsParams{Limit: 1})
	require.NoError(t, err)
	_, err = c.Webhooks.SetConfig(t.Context(), client.SetWebhookConfigParams{URL: new("http://127.0.0.1:1/")})
	require.NoError(t, err)
	tested, err := c.Webhooks.Test(t.Context())
	require.NoError(t, err)
	next, err := c.Events.List(t.Context(), client.ListEventsParams{After: page.NextCursor})
	require.NoError(t, err)
	require.Len(t, next.Data, 1)
	require.Equal(t, tested.EventID, next.Data[0].ID)
	require.NotEmpty(t, customer)
	_ = fake
}

// register makes a customer and verifies who she is.
func register(t *testing.T, c *client.Client) string {
	t.Helper()
	customer, err := c.Customers.Create(t.Context(), client.CreateCustomerParams{
		Type: client.CustomerTypeIndividual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	})
	require.NoError(t, err)
	_, err = c.Identity.Initiate(t.Context(), client.InitiateIdentityParams{
		Type: "bvn", Number: "22212345670", CustomerID: customer.ID,
	})
	require.NoError(t, err)
	otp, err := c.TestHelpers.OTP(t.Context(), "22212345670")
	require.NoError(t, err)
	_, err = c.Identity.Validate(t.Context(), client.ValidateIdentityParams{
		Type: "bvn", Number: "22212345670", OTP: otp.OTP,
	})
	require.NoError(t, err)
	return customer.ID
}
