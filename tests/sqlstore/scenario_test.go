package sqlstore_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/tests/apitest"
)

// serve runs an engine and its world over a store. Its keys are those of every
// other call.
func serve(t testing.TB, s *sqlstore.Store, clock *apitest.Clock) *apitest.Server {
	sealer, err := seal.New(bytes.Repeat([]byte{7}, 32))
	require.NoError(t, err)
	return apitest.Start(t, apitest.Config{Engine: engine.Config{
		Store:  s,
		World:  sandbox.New(sandbox.Config{Store: s.World(), Clock: clock, Seed: 1}),
		Sealer: sealer,
		Pepper: business.Pepper(bytes.Repeat([]byte{8}, 32)),
	}})
}

// wallet makes a wallet and returns its primary address.
func wallet(c *apitest.Client, reference string) string {
	return c.Post("/v1/wallets", apitest.Object{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": reference,
		"metadata": apitest.Object{"order": "17", "score": 12.50},
	}).OK().Text("data.primary_address")
}

func send(c *apitest.Client, from, to, amount string) apitest.Answer {
	return c.Post("/v1/wallets/transfer", apitest.Object{
		"from_address": from, "to_address": to, "amount": amount, "network": "solana", "asset": "USDC",
	})
}

func balance(c *apitest.Client, reference string) string {
	return c.Get("/v1/wallets?reference=" + reference).OK().Number("data.balance")
}

func clean(t testing.TB, c *apitest.Client) {
	t.Helper()
	audit := c.Get("/v1/test_helpers/audit").OK()
	require.Equal(t, true, audit.At("data.clean"), "%s", audit.Raw)
}

// overdraw lets a crowd send 1 USDC each at once and returns how many could. The
// others must have been refused for want of money.
func overdraw(t testing.TB, c *apitest.Client, crowd int, from, to string) (paid int) {
	answers := make([]apitest.Answer, crowd)
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			<-begin
			answers[i] = send(c, from, to, "1")
		})
	}
	close(begin)
	wg.Wait()
	for _, answer := range answers {
		if answer.Status == http.StatusOK {
			paid++
			continue
		}
		answer.Fails(http.StatusBadRequest, "insufficient_balance")
	}
	return paid
}

// readBack returns what the API tells of wallets, their money and events.
func readBack(c *apitest.Client, address string) map[string]any {
	told := map[string]any{}
	for _, path := range []string{
		"/v1/wallets?reference=purse", "/v1/wallets?reference=treasury", "/v1/wallets/addresses?limit=2", "/v1/wallets/addresses?address=" + address,
		"/v1/wallets/transfers?limit=100", "/v1/events?limit=100", "/v1/business",
	} {
		told[path] = c.Get(path).OK().At("data")
	}
	return told
}

func TestABusinessLivesOnInItsFile(t *testing.T) {
	path, clock := sqlitetest.File(t), apitest.NewClock()
	seed, err := chain.NewSeed(strings.NewReader(fmt.Sprintf("%032d", 1)))
	require.NoError(t, err)
	stranger := seed.Address()

	s := open(t, path)
	shop := serve(t, s, clock)
	treasury, purse := wallet(shop.Client, "treasury"), wallet(shop.Client, "purse")
	shop.Post("/v1/test_helpers/deposits", apitest.Object{"address": treasury, "amount": "100"}).OK()
	shop.Settle()
	send(shop.Client, treasury, purse, "10.5").OK()
	require.Equal(t, 10, overdraw(t, shop.Client, 32, purse, treasury), "no more than there is")
	require.Equal(t, "0.5", balance(shop.Client, "purse"))
	landed := send(shop.Client, treasury, string(stranger), "3").OK().Text("data.id")
	shop.Settle()
	require.Equal(t, "success", shop.Get("/v1/wallets/transfers/"+landed).OK().Text("data.status"))
	require.Equal(t, "96.495", balance(shop.Client, "treasury"))
	under := send(shop.Client, treasury, string(stranger), "2").OK().Text("data.id")
	clean(t, shop.Client)
	before := readBack(shop.Client, treasury)
	require.NoError(t, s.Close(t.Context()))

	again := serve(t, open(t, path), clock)
	same := again.As(shop.Tenant.SecretKey)
	require.Equal(t, before, readBack(same, treasury))
	clean(t, same)
	again.Settle()
	require.Equal(t, "success", same.Get("/v1/wallets/transfers/"+under).OK().Text("data.status"))
	require.Equal(t, "94.49", balance(same, "treasury"))
	held, err := again.Engine.World.Balance(t.Context(), stranger)
	require.NoError(t, err)
	require.Equal(t, "5", held.Major())
	clean(t, same)
}
