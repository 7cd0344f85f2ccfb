package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/tests/apitest"
)

// onramp is 10 USDC for 15,000 naira, to the default address of the business.
func onrampOf(reference string) apitest.Object {
	return apitest.Object{"reference": reference, "fiat_currency": "NGN", "amount": 15000, "asset": "USDC", "chain": "SOLANA"}
}

// credited brings naira to the account of an onramp.
func (s shop) credited(o apitest.Answer, naira any) {
	s.t.Helper()
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{
		"account_number": o.Text("data.payment_account.account_number"), "amount": naira,
	}).OK()
}

func TestAnOnrampEndsAsItsMoneyDoes(t *testing.T) {
	t.Parallel()
	const outside = "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"
	for name, c := range map[string]struct {
		to            string
		pay           func(s shop, o apitest.Answer)
		status, stage string
		events        map[string]int
		returned      string
	}{
		"all of it came": {
			to: outside, status: "successful", stage: "done", returned: "0",
			pay:    func(s shop, o apitest.Answer) { s.credited(o, 15000) },
			events: map[string]int{"processing": 1, "success": 1},
		},
		"all of it came, for the business's own address": {
			status: "successful", stage: "done", returned: "0",
			pay:    func(s shop, o apitest.Answer) { s.credited(o, 15000) },
			events: map[string]int{"processing": 1, "success": 1},
		},
		"it came in parts, and more than all": {
			to: outside, status: "successful", stage: "done", returned: "1",
			pay:    func(s shop, o apitest.Answer) { s.credited(o, 5000); s.credited(o, 11000) },
			events: map[string]int{"processing": 1, "success": 1},
		},
		"too little came": {
			to: outside, status: "failed", stage: "expired", returned: "1",
			pay:    func(s shop, o apitest.Answer) { s.credited(o, 14999.99) },
			events: map[string]int{"failed": 1},
		},
		"it came late": {
			to: outside, status: "failed", stage: "expired", returned: "1",
			pay:    func(s shop, o apitest.Answer) { s.advance(901); s.credited(o, 15000) },
			events: map[string]int{"failed": 1},
		},
		"the USDC cannot be delivered": {
			to: outside, status: "failed", stage: "refunded", returned: "1",
			pay:    func(s shop, o apitest.Answer) { s.inject("chain", "program_error", 1); s.credited(o, 15000) },
			events: map[string]int{"processing": 1, "failed": 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEveryStore(t, func(t *testing.T, open opener) {
				s := open(t)
				body := onrampOf("topup-1")
				if c.to != "" {
					body["address"] = c.to
				}
				o := s.Post("/v1/stablecoin/onramp", body).OK()
				require.Equal(t, "10", o.Number("data.amount_stablecoin"))
				s.advance(5)
				c.pay(s, o)
				s.advance(901)
				done := s.Get("/v1/stablecoin/wallets/onramp/status?refresh=1&reference=topup-1").OK()
				require.Equal(t, c.status, done.Text("data.status"))
				require.Equal(t, c.stage, done.Text("data.stage"))
				require.Equal(t, c.stage == "done" && c.to != "", done.At("data.transaction_hash") != nil)
				for _, event := range []string{"processing", "success", "failed"} {
					require.Equal(t, c.events[event], s.events("onramp."+event), event)
				}
				lines := s.Get("/v1/transactions?channel=onramp").OK()
				require.Equal(t, c.returned, lines.Number("meta.total"), "lines of what went back")
				if c.returned != "0" {
					require.Equal(t, "0123456780", lines.Text("data.0.sender.account_number"), "to whom it went back")
				}
				if c.to == "" {
					require.Equal(t, "10", s.balance("default"))
				}
				s.clean()
			})
		})
	}
}

func TestAnOnrampWaitsADayForTheUSDCOfThePlatform(t *testing.T) {
	t.Parallel()
	forADay(t, func(t *testing.T, open opener) {
		s := open(t)
		body := onrampOf("topup-1")
		body["amount"] = 3_000_000_000
		o := s.Post("/v1/stablecoin/onramp", body).OK()
		s.credited(o, 3_000_000_000)
		s.advance(3600)
		require.Equal(t, "funds_received", s.Get("/v1/stablecoin/onramp?reference=topup-1").OK().Text("data.stage"))
		s.advance(24 * 60 * 60)
		require.Equal(t, "refunded", s.Get("/v1/stablecoin/onramp?reference=topup-1").OK().Text("data.stage"))
		s.clean()
	})
}

func TestNoOnrampSendsItsUSDCToThePlatform(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		sale := s.Post("/v1/stablecoin/offramp", cashout("rent", "0123456780")).OK()
		own := s.Post("/v1/stablecoin/onramp", onrampOf("topup-1")).OK().Text("data.wallet_address")
		body := onrampOf("topup-2")
		for range 2 { // while the address takes USDC, and when what comes goes back to where it came from: the platform
			body["address"] = sale.Text("data.deposit_address")
			s.Post("/v1/stablecoin/onramp", body).Fails(http.StatusBadRequest, "invalid_address")
			s.advance(1000)
		}
		body["address"] = own
		s.Post("/v1/stablecoin/onramp", body).OK()
		s.clean()
	})
}

func TestNoOnrampSendsItsUSDCToATokenAccountOfThePlatform(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		paid := s.Post("/v1/stablecoin/offramp", cashout("rent", "0123456780")).OK().Text("data.deposit_address")
		s.Post("/v1/test_helpers/deposits", apitest.Object{"address": paid, "amount": 1}).OK() // which opens the account
		body := onrampOf("topup-1")
		body["address"] = sandbox.TokenAccount(chain.Address(paid), sandbox.USDCMint)
		s.Post("/v1/stablecoin/onramp", body).Fails(http.StatusBadRequest, "invalid_address")
		own := s.Post("/v1/wallets", apitest.Object{"type": "stablecoin", "network": "solana", "asset": "USDC"}).OK().Text("data.primary_address")
		s.Post("/v1/test_helpers/deposits", apitest.Object{"address": own, "amount": 1}).OK()
		body["address"] = sandbox.TokenAccount(chain.Address(own), sandbox.USDCMint)
		s.Post("/v1/stablecoin/onramp", body).OK()
		s.clean()
	})
}

func TestAnOnrampIsRefreshedWhenThatIsAskedFor(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		o := s.Post("/v1/stablecoin/onramp", onrampOf("topup-1")).OK()
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{
			"account_number": o.Text("data.payment_account.account_number"), "amount": 15000, "wait": false,
		}).OK()
		for _, path := range []string{"?reference=topup-1", "/status?reference=topup-1", "/status?reference=topup-1&refresh=0", "/status?reference=topup-1&refresh=false"} {
			require.Equal(t, "pending", s.Get("/v1/stablecoin/onramp"+path).OK().Text("data.status"), path)
		}
		s.Get("/v1/stablecoin/onramp/status?reference=topup-1&refresh=yes").Refuses("refresh", "Must be 1, 0, true or false")
		asked := s.Get("/v1/stablecoin/wallets/onramp/status?reference=topup-1&refresh=1").OK()
		require.Equal(t, "processing", asked.Text("data.status"))
		require.Equal(t, "15000", asked.Number("data.amount_received"))
		s.advance(60)
		s.clean()
	})
}
