package scenario_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestWhatIsCollectedIsFoundByAPartOfWhatItShows(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testWhatIsCollectedIsFoundByAPartOfWhatItShows)
}

func testWhatIsCollectedIsFoundByAPartOfWhatItShows(t *testing.T, open opener) {
	s := open(t)
	a := s.With("X-Api-Variant", "A")
	a.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "Ìyán Ẹ̀fọ́", "description": "On\nSunday", "slug": "Lunch", "amount": 500}).OK()
	s.Post("/v1/payment-links", apitest.Object{"currency": "NGN", "title": "100% Jollof", "slug": "dinner", "amount": 500}).OK()
	paid := s.As("").Post("/v1/payment-links/pay", apitest.Object{
		"public_key": s.Tenant.PublicKey, "slug": "lunch", "email": "Sade@example.com", "name": "Ṣadé ÀJÀYÍ",
	}).OK()
	s.As("").Post("/v1/checkout", s.order("Order_1", "ola@example.com", "name", "ỌLÁ Obi")).OK()
	s.Post("/v1/checkout/create", s.order("order-2", "bola@example.com", "name", "Bola Obi", "currency", "NGN")).OK()
	account := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "Invoice_7"}).OK()
	s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "invoice-8"}).OK()
	identity := s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": bvn}).OK().Text("data.identity_id")
	s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": bvn, "otp": "123456"}).OK()
	s.Post("/v1/fiat/reserved-accounts", apitest.Object{"currency": "NGN", "identity_id": identity, "phone_number": "+2348012345678", "email": "Tolu@Example.com"}).OK()
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{
		"account_number": account.Text("data.account_number"), "amount": 50, "session_id": "Session-9",
		"sender": apitest.Object{"bank_code": "058", "account_number": "0099887766", "account_name": "ÀJỌKẸ́ Stores"},
	}).OK()
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": paid.Text("trx_id"), "outcome": "success", "payment_method": "card"}).OK()

	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	for list, parts := range map[string]map[string]int{
		"/v1/payment-links?":                  {"ìYÁN": 1, "e\u0323\u0300FO": 0, "e\u0323\u0300fo\u0323\u0301": 1, "sunDAY": 1, "UNCH": 1, "%": 1, "_": 0, "n": 2},
		"/v1/payment-links?status=pending&":   {"n": 1, "ìyán": 0},
		"/v1/payment-links/transactions?":     {"ṣADÉ": 1, "àjàyí": 1, "ajayi": 0, "SADE@": 1, paid.Text("trx_id")[3:]: 1, "ọlá": 0},
		"/v1/checkout?":                       {"ọlá": 1, "OBI": 2, "ajàyí": 0, "àjàyí": 1, "ORDER": 2, "order_": 1, "ola@": 2, "bola@": 1},
		"/v1/checkout?email=ola@example.com&": {"order": 1, "bola": 0},
		"/v1/transactions?":                   {"àjọkẹ́ sT": 1, "ajoke": 0, "998877": 1, "SESSION-": 1, paid.Text("trx_id"): 1, "stores ltd": 0},
		"/v1/transactions?channel=checkout&":  {"session-": 0},
		"/v1/fiat/virtual-accounts?":          {"INVOICE": 2, "invoice_": 1, account.Text("data.account_number"): 1, "tolu": 0},
		"/v1/fiat/reserved-accounts?":         {"tOLU@": 1, "invoice": 0},
	} {
		for part, want := range parts {
			path := list + "limit=1&search=" + url.QueryEscape(part)
			found := s.Get(path).OK()
			require.Equal(t, strconv.Itoa(want), found.Number("meta.total"), path)
			require.Equal(t, min(want, 1), found.Len("data"), path)
			require.Zero(t, other.Get(path).OK().Len("data"), path)
		}
		s.Get(list+"search=").Refuses("search", "Must not be empty")
		s.Get(list+"search=%20%C2%A0").Refuses("search", "Must not be empty")
	}
}

func TestOrdersOfTheRampAndBillsAreFoundByAPartOfTheirNames(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		for _, reference := range []string{"Topup_1", "topup-2"} {
			s.Post("/v1/stablecoin/onramp", onrampOf(reference)).OK()
		}
		s.Post("/v1/stablecoin/offramp", cashout("Rent_1", "0123456780")).OK()
		s.Post("/v1/bill/airtime", apitest.Object{"provider": "mtn", "number": "08031234560", "amount": 500, "reference": "Air_1"}).OK()
		s.Post("/v1/bill/airtime", apitest.Object{"provider": "mtn", "number": "08030000000", "amount": 500, "reference": "air-2"}).OK()
		s.Post("/v1/bill/crypto", apitest.Object{
			"service": "UTILITY", "provider": "ikeja-electric", "vend_type": "PREPAID", "number": "45012345670", "amount": 15000, "reference": "Power_1",
		}).OK()
		other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
		for list, parts := range map[string]map[string]int{
			"/v1/stablecoin/onramp?":                 {"TOPUP": 2, "p_1": 1, "_": 1, "rent": 0},
			"/v1/stablecoin/onramp?status=failed&":   {"topup": 0},
			"/v1/ramp/transactions?":                 {"TOPUP": 2, "_1": 2, "rent": 1, "power": 0},
			"/v1/ramp/transactions?type=offramp&":    {"_1": 1},
			"/v1/bill/history?":                      {"AIR": 2, "r_": 1, "3123456": 1, "power": 0},
			"/v1/bill/history?service=UTILITY&":      {"air": 0},
			"/v1/bill/crypto?":                       {"POWER_": 1, "4501234567": 1, "rent": 0},
			"/v1/stablecoin/wallets/onramp?limit=2&": {"TOPUP": 2},
		} {
			for part, want := range parts {
				path := list + "search=" + url.QueryEscape(part)
				require.Equal(t, strconv.Itoa(want), s.Get(path).OK().Number("meta.total"), path)
				require.Zero(t, other.Get(path).OK().Len("data"), path)
			}
			s.Get(list+"search=").Refuses("search", "Must not be empty")
		}
	})
}

func TestATransactionOfTheRampIsReadByItsNames(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, open opener) {
		s := open(t)
		bought := s.Post("/v1/stablecoin/onramp", onrampOf("both")).OK()
		s.advance(1)
		sold := s.Post("/v1/stablecoin/offramp", cashout("both", "0123456780")).OK()
		only := s.Post("/v1/stablecoin/onramp", onrampOf("only")).OK()
		const path = "/v1/ramp/transactions?"
		for _, o := range []apitest.Answer{bought, sold, only} {
			for _, name := range []string{"id=" + o.Text("data.id"), "uid=" + o.Text("data.uid"), "id=" + o.Text("data.uid"), "provider_reference=" + o.Text("data.id"), "reference=" + o.Text("data.reference") + "&id=" + o.Text("data.id")} {
				require.Equal(t, o.Text("data.id"), s.Get(path+name).OK().Text("data.id"), name)
			}
		}
		require.Equal(t, only.Text("data.id"), s.Get(path+"reference=only").OK().Text("data.id"))
		require.Equal(t, sold.Text("data.id"), s.Get(path+"reference=both").OK().Text("data.id"), "the newest")
		require.Equal(t, bought.Text("data.id"), s.Get(path+"reference=both&type=onramp").OK().Text("data.id"))
		require.Equal(t, sold.Text("data.id"), s.Get(path+"reference=both&type=offramp").OK().Text("data.id"))
		for _, name := range []string{"reference=none", "id=onr_1", "id=" + sold.Text("data.id") + "&type=onramp", "reference=both&id=" + only.Text("data.id"), "id=" + sold.Text("data.id") + "&uid=" + only.Text("data.uid"), "reference=only&type=offramp"} {
			s.Get(path+name).Fails(http.StatusNotFound, "ramp_not_found")
		}
		s.Get(path+"reference=").Refuses("reference", "Must not be empty")
		other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
		other.Get(path+"reference=only").Fails(http.StatusNotFound, "ramp_not_found")
		other.Get(path+"id="+only.Text("data.id")).Fails(http.StatusNotFound, "ramp_not_found")
	})
}
