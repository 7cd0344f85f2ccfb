package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/tests/apitest"
)

// orderA is an order of 15,000 naira in dialect A.
func orderA(s *apitest.Server, trxID string) apitest.Object {
	return apitest.Object{
		"public_key": s.Tenant.PublicKey, "trx_id": trxID, "email": "Ada@example.com", "name": "Ada Obi",
		"phone": "08012345678", "amount": 15000, "currency": "NGN",
	}
}

// orderB is the same order in dialect B.
func orderB(s *apitest.Server, trxID string) apitest.Object {
	return apitest.Object{
		"public_key": s.Tenant.PublicKey, "trx_id": trxID, "email": "ada@example.com", "amount": 1500000, "currency": "NGN",
	}
}

// and returns an object with members added.
func and(o apitest.Object, members ...any) apitest.Object {
	more := apitest.Object{}
	for name, value := range o {
		more[name] = value
	}
	for i := 0; i < len(members); i += 2 {
		if members[i+1] == nil {
			delete(more, members[i].(string))
		} else {
			more[members[i].(string)] = members[i+1]
		}
	}
	return more
}

func TestACheckoutOfDialectA(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, "Checkout Created", made.Text("message"))
	require.Equal(t, "order-1", made.Text("data.id"))
	require.Equal(t, "pending", made.Text("data.status"))
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/checkout/sess_[0-9a-f]{32}$`, made.Text("url"))
	require.Equal(t, made.Text("url"), made.Text("data.checkout_url"))
	require.Equal(t, "order-1", made.Text("trx_id"))
	require.Equal(t, []any{"bank-transfer", "crypto"}, made.At("available_payment_methods"))
	require.Equal(t, "bank-transfer", made.Text("default_payment_method"))
	require.Equal(t, true, made.At("crypto_available"))
	require.Nil(t, made.At("crypto_error"))
	require.True(t, made.Has("crypto_error"))
	require.Regexp(t, `^\d{10}$`, made.Text("account.fiat.account_number"))
	require.Equal(t, made.At("account"), made.At("data.account"))
	require.False(t, made.Has("account.crypto"), "USDC comes when the payer switches")
	require.False(t, made.Has("data.reused"))

	account := s.Get("/v1/checkout/account?trx_id=order-1").OK()
	require.Equal(t, made.At("account.fiat"), account.At("data.fiat"))
	s.Get("/v1/checkout/account?trx_id=other").Fails(http.StatusNotFound, "checkout_not_found")

	crypto := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1", "asset": "solana:usdc"}).OK()
	for path, want := range map[string]string{
		"is_type": "crypto", "reference": "order-1", "network": "solana", "asset": "USDC", "network_asset": "solana:usdc",
		"deposit_asset": "USDC", "fiat_currency": "NGN", "status": "AWAITING_DEPOSIT", "type": "OFFRAMP",
		"publicKey": crypto.Text("data.crypto.address"), "deposit_address": crypto.Text("data.crypto.address"),
	} {
		require.Equal(t, want, crypto.Text("data.crypto."+path), path)
	}
	require.Equal(t, "10", crypto.Number("data.crypto.amount"))
	require.Equal(t, "1500", crypto.Number("data.crypto.rate.USDC"))
	require.Equal(t, "15000", crypto.Number("data.crypto.fiat_amount"))
	require.False(t, crypto.Has("data.crypto.requested_amount"))
	again := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK()
	require.Equal(t, crypto.At("data.crypto"), again.At("data.crypto"), "a valid instruction is used again")
	only := s.Get("/v1/checkout/account?trx_id=order-1&method=crypto").OK()
	require.False(t, only.Has("data.fiat"))
	require.True(t, only.Has("data.crypto"))
	require.False(t, s.Get("/v1/checkout/account?trx_id=order-1&method=fiat").OK().Has("data.crypto"))

	status := s.Get("/v1/checkout/status?reference=order-1").OK()
	require.Equal(t, "pending", status.Text("data.status"))
	require.Equal(t, "order-1", status.Text("data.trx_id"))
}

func TestACheckoutTakesAnHTMLForm(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	form := "public_key=" + s.Tenant.PublicKey + "&trx_id=order-1&email=ada%40example.com&amount=15000&currency=NGN&success_url="
	made := s.As("").With("Content-Type", "application/x-www-form-urlencoded").Post("/v1/checkout", form).OK()
	require.Equal(t, "15000", made.Number("data.amount"))
	s.As("").With("Content-Type", "application/x-www-form-urlencoded").Post("/v1/checkout", form+"&amount=1").
		Fails(http.StatusBadRequest, "validation_error")
	s.With("Content-Type", "application/x-www-form-urlencoded").Post("/v1/wallets", "a=b").
		Fails(http.StatusUnsupportedMediaType, "unsupported_media_type")
}

func TestACheckoutPricedInUSDC(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.As("").Post("/v1/checkout", and(orderA(s, "order-1"), "amount", "10", "amount_type", "crypto", "currency", nil, "payment_method", "crypto")).OK()
	require.Equal(t, []any{"crypto"}, made.At("available_payment_methods"))
	require.Equal(t, "10", made.Number("account.crypto.requested_amount"))
	require.Equal(t, "crypto", made.Text("account.crypto.requested_amount_type"))
	require.Equal(t, "15000", made.Number("account.crypto.fiat_amount"))
	require.False(t, made.Has("account.fiat"))
}

func TestACheckoutOfDialectB(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	require.Equal(t, "Checkout Created", made.Text("message"))
	require.Regexp(t, `^sess_[0-9a-f]{32}$`, made.Text("data.id"))
	require.Equal(t, "1500000", made.Number("data.amount"), "in kobo")
	require.Equal(t, "NGN", made.Text("data.currency"))
	require.Equal(t, "order-1", made.Text("trx_id"))
	require.Equal(t, made.At("account"), made.At("data.account"))
	for _, name := range []string{"account_number", "account_name", "bank_code", "bank_name", "SOLANA", "_id", "business_uid"} {
		require.NotEmpty(t, made.Text("account."+name), name)
	}
	s.Post("/v1/checkout/create", orderB(s, "order-1")).Fails(http.StatusBadRequest, "duplicate_trx_id")
	s.As("").Post("/v1/checkout/create", orderB(s, "order-2")).Fails(http.StatusUnauthorized, "unauthorized")
	nested := s.Post("/v1/checkout/create", and(orderB(s, "order-3"), "email", nil,
		"customer", apitest.Object{"email": "bola@example.com", "phone": "08012345678", "name": "Bola"})).OK()
	require.Equal(t, "1500000", nested.Number("data.amount"))
	row := s.Get("/v1/checkout?trx_id=order-3").OK()
	require.Equal(t, "bola@example.com", row.Text("data.email"))
	usdc := s.Post("/v1/checkout/create", and(orderB(s, "order-4"), "amount", "10.5", "currency", "USDC")).OK()
	require.Equal(t, "10.5", usdc.Number("data.amount"))
}

func elevenKeys() apitest.Object {
	o := apitest.Object{}
	for n := range 11 {
		o[fmt.Sprint("key", n)] = n
	}
	return o
}

func TestAnEqualOrderReusesTheSession(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	web := s.As("")
	first := web.Post("/v1/checkout", orderA(s, "order-1")).OK()
	s.Advance(3*time.Minute - time.Second)
	again := web.Post("/v1/checkout", and(orderA(s, "order-2"), "email", "ada@EXAMPLE.com")).OK()
	require.Equal(t, "Existing checkout reused", again.Text("message"))
	require.Equal(t, true, again.At("data.reused"))
	require.Equal(t, "order-1", again.Text("data.id"))
	require.Equal(t, "order-1", again.Text("trx_id"))
	require.Equal(t, "order-2", again.Text("requested_trx_id"))
	require.Equal(t, first.At("account"), again.At("account"))
	s.Get("/v1/checkout/status?trx_id=order-2").Fails(http.StatusNotFound, "checkout_not_found")
	for name, change := range map[string][]any{
		"another payer":  {"email", "bola@example.com"},
		"another name":   {"name", "Bola"},
		"no name":        {"name", nil},
		"another phone":  {"phone", "08099999999"},
		"another amount": {"amount", "15000.01"},
		"another type":   {"amount_type", "crypto", "currency", nil},
	} {
		made := web.Post("/v1/checkout", and(orderA(s, "other-"+strings.ReplaceAll(name, " ", "-")), change...)).OK()
		require.False(t, made.Has("data.reused"), name)
	}
	web.Post("/v1/checkout", and(orderA(s, "order-1"), "amount", 1)).Fails(http.StatusBadRequest, "duplicate_trx_id")
	s.Advance(time.Second)
	later := web.Post("/v1/checkout", orderA(s, "order-2")).OK()
	require.False(t, later.Has("data.reused"), "after three minutes")
	s.Post("/v1/checkout/create", orderB(s, "order-9")).OK()
	made := s.Post("/v1/checkout/create", orderB(s, "order-10")).OK()
	require.Equal(t, "order-10", made.Text("trx_id"), "B never reuses")
}

func TestASessionThatEndedIsNeverReused(t *testing.T) {
	for _, outcome := range []string{"success", "failed", "cancelled"} {
		s := apitest.Start(t, apitest.Config{})
		s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": outcome}).OK()
		made := s.As("").Post("/v1/checkout", orderA(s, "order-2")).OK()
		require.Equal(t, "order-2", made.Text("trx_id"), outcome)
		s.As("").Post("/v1/checkout", orderA(s, "order-1")).Fails(http.StatusBadRequest, "duplicate_trx_id")
	}
}

func TestAHundredEqualOrdersAtOnceAreOneSession(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	var mu sync.Mutex
	var wg sync.WaitGroup
	ids, numbers := map[string]bool{}, map[string]bool{}
	for n := range 100 {
		wg.Go(func() {
			made := s.As("").Post("/v1/checkout", orderA(s, fmt.Sprint("order-", n))).OK()
			mu.Lock()
			defer mu.Unlock()
			ids[made.Text("data.reference")] = true
			numbers[made.Text("account.fiat.account_number")] = true
		})
	}
	wg.Wait()
	require.Len(t, ids, 1)
	require.Len(t, numbers, 1, "and no other account was opened")
	require.Equal(t, "1", s.Get("/v1/checkout").OK().Number("meta.total"))
}

func TestWithoutARateTheBankIsLeft(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	down := func(count int) {
		s.Post("/v1/test_helpers/faults", apitest.Object{"target": "rates", "kind": "unavailable", "count": count}).OK()
	}
	down(1)
	made := s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, false, made.At("crypto_available"))
	require.NotEmpty(t, made.Text("crypto_error"))
	require.Equal(t, []any{"bank-transfer"}, made.At("available_payment_methods"))
	require.True(t, made.Has("account.fiat"))
	down(1)
	s.As("").Post("/v1/checkout", and(orderA(s, "order-2"), "payment_method", "crypto")).
		Fails(http.StatusServiceUnavailable, "crypto_unavailable")
	s.Get("/v1/checkout/status?trx_id=order-2").Fails(http.StatusNotFound, "checkout_not_found")
	down(1)
	s.Get("/v1/checkout/quote?amount=1").Fails(http.StatusServiceUnavailable, "crypto_unavailable")
	down(1)
	s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).Fails(http.StatusServiceUnavailable, "crypto_unavailable")
	s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK()
	require.Equal(t, []any{"bank-transfer", "crypto"}, s.Get("/v1/checkout/status?trx_id=order-1").OK().At("data.available_payment_methods"))
}

func TestAnOrderGoesOnAfterTheBankDidNotAnswer(t *testing.T) {
	for _, fault := range []string{"unavailable", "answer_lost"} {
		s := apitest.Start(t, apitest.Config{})
		for dialect, try := range map[string]func() apitest.Answer{
			"A": func() apitest.Answer { return s.As("").Post("/v1/checkout", orderA(s, "order-a")) },
			"B": func() apitest.Answer { return s.Post("/v1/checkout/create", orderB(s, "order-b")) },
			"with a key": func() apitest.Answer {
				return s.With("Idempotency-Key", "k").Post("/v1/checkout/create", orderB(s, "order-c"))
			},
		} {
			s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": fault, "count": 1}).OK()
			try().Fails(http.StatusServiceUnavailable, "provider_unavailable")
			made := try().OK()
			require.Regexp(t, `^order-`, made.Text("trx_id"), dialect)
		}
		require.Equal(t, "3", s.Get("/v1/checkout").OK().Number("meta.total"))
	}
}

func TestAnotherOrderDoesNotGoOnWithASessionThatHasNoAccountYet(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	first := and(orderB(s, "order-1"), "meta", apitest.Object{"cart": "1"}, "success_url", "https://s.example.com/1",
		"customizations", apitest.Object{"title": "One"})
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": "unavailable", "count": 1}).OK()
	s.Post("/v1/checkout/create", first).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	for _, other := range []apitest.Object{
		and(first, "meta", apitest.Object{"cart": "2"}),
		and(first, "success_url", "https://s.example.com/2"),
		and(first, "customizations", apitest.Object{"title": "Two"}),
	} {
		s.Post("/v1/checkout/create", other).Fails(http.StatusBadRequest, "duplicate_trx_id")
	}
	s.Post("/v1/checkout/create", first).OK()
}

func TestNoAccountIsOpenedForAnOrderWhoseTimeIsOver(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "bank", "kind": "unavailable", "count": 1}).OK()
	s.Post("/v1/checkout/create", orderB(s, "order-1")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	s.Clock.Add(24 * time.Hour) // and no worker has been there
	s.Post("/v1/checkout/create", orderB(s, "order-1")).Fails(http.StatusBadRequest, "duplicate_trx_id")
}

func TestRedirectsHaveAnOrderOfTheirOwnInEachDialect(t *testing.T) {
	all := []any{
		"redirect_url", "https://s.example.com/r?x=1#top", "success_url", "https://s.example.com/s",
		"cancel_url", "https://s.example.com/c",
	}
	for name, c := range map[string]struct {
		b       bool
		urls    []any
		outcome string
		want    string
	}{
		"A: success":                             {false, all, "success", "https://s.example.com/s?"},
		"A: success without its own":             {false, all[:2], "success", "https://s.example.com/r?"},
		"A: cancelled":                           {false, all, "cancelled", "https://s.example.com/c?"},
		"A: failed":                              {false, all, "failed", "https://s.example.com/c?"},
		"A: expired":                             {false, append(all[:6:6], "timeout_url", "https://s.example.com/t"), "", "https://s.example.com/t?"},
		"A: expired without its own":             {false, all, "", "https://s.example.com/c?"},
		"A: expired without that of a cancelled": {false, all[:4], "", "https://s.example.com/r?"},
		"B: success":                             {true, all, "success", "https://s.example.com/r?"},
		"B: cancelled":                           {true, all, "cancelled", "https://s.example.com/r?"},
		"B: success without the general one":     {true, all[2:], "success", "https://s.example.com/s?"},
		"B: failed without the general one":      {true, all[2:], "failed", "https://s.example.com/c?"},
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.Start(t, apitest.Config{})
			if c.b {
				s.Post("/v1/checkout/create", and(orderB(s, "order-1"), c.urls...)).OK()
			} else {
				s.As("").Post("/v1/checkout", and(orderA(s, "order-1"), c.urls...)).OK()
			}
			require.Nil(t, s.Get("/v1/checkout/status?trx_id=order-1").OK().At("data.redirect_url"))
			status := c.outcome
			if c.outcome == "" {
				s.Advance(24 * time.Hour)
				status = "expired"
			} else {
				s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": c.outcome}).OK()
			}
			found := s.Get("/v1/checkout/status?trx_id=order-1").OK()
			url := found.Text("data.redirect_url")
			require.Contains(t, url, c.want)
			require.Contains(t, url, "trx_id=order-1")
			require.Contains(t, url, "reference="+found.Text("data.reference"))
			require.Contains(t, url, "status="+status)
			if c.want == "https://s.example.com/r?" {
				require.Contains(t, url, "x=1")
				require.Regexp(t, `#top$`, url)
			}
		})
	}
}

func TestDialectBDoesNotKnowCancelled(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/checkout/create", orderB(s, "order-1")).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "cancelled"}).OK()
	found := s.Get("/v1/checkout/status?trx_id=order-1").OK()
	require.Equal(t, "failed", found.Text("data.status"))
	require.Equal(t, "cancelled", found.Text("data.payment_status"))
}

func TestCheckoutsAreListed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	s.Post("/v1/checkout/create", and(orderB(s, "order-2"), "amount", "10", "currency", "USDC")).OK()
	list := s.Get("/v1/checkout").OK()
	require.Equal(t, 2, list.Len("data"))
	require.Equal(t, "order-2", list.Text("data.0.trx_id"), "newest first")
	only := s.Get("/v1/checkout?currency=NGN").OK()
	require.Equal(t, 1, only.Len("data"))
	require.Equal(t, "order-1", only.Text("data.0.id"))
	require.Equal(t, "major", only.Text("data.0.amount_unit"))
	one := s.Get("/v1/checkout?reference=" + only.Text("data.0.reference")).OK()
	require.Equal(t, "order-1", one.Text("data.trx_id"))
	require.False(t, one.Has("meta"))
	s.Get("/v1/checkout?currency=USD").Fails(http.StatusBadRequest, "invalid_currency")
	s.Get("/v1/checkout?trx_id=none").Fails(http.StatusNotFound, "checkout_not_found")
}

func TestATestPaymentIsDriven(t *testing.T) {
	for _, c := range []struct{ outcome, method, status string }{
		{"success", "card", "success"}, {"success", "wallet", "success"}, {"success", "bank_transfer", "success"},
		{"failed", "card", "failed"}, {"pending", "bank_transfer", "pending"}, {"cancelled", "card", "cancelled"},
	} {
		t.Run(c.outcome+" by "+c.method, func(t *testing.T) {
			s := apitest.Start(t, apitest.Config{})
			s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
			driven := s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": c.outcome, "payment_method": c.method}).OK()
			require.Equal(t, c.status, driven.Text("data.status"))
			if c.status == "success" {
				require.Equal(t, c.method, driven.Text("data.payment_method"))
				require.Equal(t, "1500000", driven.Number("data.net_amount"))
				require.True(t, s.Get("/v1/test_helpers/audit").OK().At("data.clean").(bool))
			}
		})
	}
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	drive := func(outcome string) apitest.Answer {
		return s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": outcome})
	}
	drive("success").OK()
	require.Equal(t, "reversed", drive("reversed").OK().Text("data.status"))
	drive("success").Fails(http.StatusConflict, "invalid_state_transition")
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "none", "outcome": "success"}).Fails(http.StatusNotFound, "payment_not_found")
}

func TestAnOrderThatIsWorthNoNairaIsRefused(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	least := and(orderA(s, "order-1"), "amount", "0.000001", "amount_type", "crypto", "currency", nil)
	s.As("").Post("/v1/checkout", least).Refuses("amount", "Must be worth at least 0.01 NGN")
	s.Get("/v1/checkout/quote?amount=0.000001&amount_type=crypto").Refuses("amount", "Must be worth at least 0.01 NGN")
	s.As("").Post("/v1/checkout", and(least, "amount", "0.000007")).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "success"}).OK()
}

func TestACryptoBlockAsksForWhatIsLeft(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	block := func() apitest.Answer { return s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK() }
	former := block().Text("data.crypto.address")
	s.Advance(15 * time.Minute)
	offered := block()
	require.Equal(t, "10", offered.Number("data.crypto.amount"))
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": former, "amount": "4", "wait": false}).OK()
	s.Settle()
	left := block()
	require.Equal(t, offered.Text("data.crypto.address"), left.Text("data.crypto.address"))
	require.Equal(t, "6", left.Number("data.crypto.amount"))
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": left.Text("data.crypto.address"), "amount": "6", "wait": false}).OK()
	s.Settle()
	paid := s.Get("/v1/payments?id=order-1").OK()
	require.Equal(t, "success", paid.Text("data.status"))
	require.Equal(t, "10", paid.Number("data.amount_received"))
	require.Empty(t, paid.At("data.exceptions"))
}

func TestAnOrderIsAnsweredByASessionThatOffersWhatItAsksFor(t *testing.T) {
	both, bank, crypto := []any{"bank-transfer", "crypto"}, []any{"bank-transfer"}, []any{"crypto"}
	offers := map[string][]any{"": both, "bank-transfer": bank, "crypto": crypto}
	for first := range offers {
		for second := range offers {
			t.Run(fmt.Sprintf("%q after %q", second, first), func(t *testing.T) {
				s := apitest.Start(t, apitest.Config{})
				order := func(trxID, method string) apitest.Answer {
					body := orderA(s, trxID)
					if method != "" {
						body["payment_method"] = method
					}
					return s.As("").Post("/v1/checkout", body)
				}
				reused := first == "" || first == second
				order("order-1", first).OK()
				made := order("order-2", second).OK()
				require.Equal(t, reused, made.Has("data.reused"))
				want := offers[second]
				require.Equal(t, want, made.At("data.available_payment_methods"))
				require.Equal(t, want[0], made.Text("default_payment_method"))
				require.Equal(t, slices.Contains(want, any("bank-transfer")), made.Has("account.fiat"))
				require.Equal(t, len(want) == 1 && want[0] == "crypto", made.Has("account.crypto"))
				require.Equal(t, made.At("account"), made.At("data.account"))
				if reused {
					want = offers[first]
				}
				name := made.Text("trx_id")
				require.Equal(t, want, s.Get("/v1/checkout/account?trx_id="+name).OK().At("data.available_payment_methods"), "of the session")
				if reused {
					require.Equal(t, "order-1", order("order-1", second).OK().Text("data.id"))
				} else {
					order("order-1", second).Fails(http.StatusBadRequest, "duplicate_trx_id")
				}
				back := order("order-3", first).OK()
				require.True(t, back.Has("data.reused"), "what was asked first, or more, is still there")
			})
		}
	}
}

func TestAPublicKeyOfAnotherTypeIsNotCalledMissing(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, path := range []string{"/v1/checkout", "/v1/payment-links/pay"} {
		s.As("").Post(path, apitest.Object{"public_key": 5}).Refuses("public_key", "Must be a string")
		s.As("").Post(path, apitest.Object{}).Refuses("public_key", "Missing required field")
		s.As("").Post(path, []string{}).Refuses("body", "Must be an object")
	}
}

func TestTheDescriptionOfACheckoutMayHaveSeveralLines(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	order := func(trxID, field string) apitest.Object {
		return and(orderB(s, trxID), "customizations", apitest.Object{field: "Jollof for four\n\twith plantain"})
	}
	s.Post("/v1/checkout/create", order("order-1", "description")).OK()
	s.Post("/v1/checkout/create", order("order-2", "title")).Refuses("customizations.title", "Must not contain control characters")
}

func TestAnInstructionHasTheRequestThatAPayersWalletReads(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	made := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK()
	address := made.Text("data.crypto.deposit_address")
	asks := func(text, amount string) {
		u, err := url.Parse(text)
		require.NoError(t, err)
		require.Equal(t, "solana:"+address, u.Scheme+":"+u.Opaque)
		require.Equal(t, url.Values{
			"amount": {amount}, "spl-token": {sandbox.USDCMint},
		}, u.Query())
	}
	asks(made.Text("data.crypto.payment_url"), "10")
	read := s.Get("/v1/checkout/account?trx_id=order-1").OK()
	require.Equal(t, made.Text("data.crypto.payment_url"), read.Text("data.crypto.payment_url"))
	again := s.As("").Post("/v1/checkout", orderA(s, "order-1")).OK()
	require.Equal(t, made.Text("data.crypto.payment_url"), again.Text("account.crypto.payment_url"))

	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": "2.5"}).OK()
	s.Settle()
	asks(s.Get("/v1/checkout/account?trx_id=order-1").OK().Text("data.crypto.payment_url"), "7.5")

	s.Advance(15 * time.Minute)
	late := s.Get("/v1/checkout/account?trx_id=order-1").OK()
	require.True(t, late.Has("data.crypto.payment_url"))
	require.Nil(t, late.At("data.crypto.payment_url"), "its rate stands no longer")
}
