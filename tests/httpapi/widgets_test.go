package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/tests/apitest"
)

// visitor is a visitor of the demo widget, on a page of the shop.
func visitor(s *apitest.Server) *apitest.Client {
	page := s.As("").With("Origin", shopOrigin)
	opened := page.Post("/v1/ramp/widgets/session", apitest.Object{"public_key": s.Tenant.WidgetKey}).OK()
	return page.As(opened.Text("data.session_token"))
}

// topUp makes a widget for the pages of the shop, and returns its id and its key.
func topUp(s *apitest.Server) (id, key string) {
	made := s.Post("/v1/ramp/widgets", apitest.Object{"name": "Top up", "domains": []string{"shop.example.com"}}).OK()
	return made.Text("data.id"), made.Text("data.public_key")
}

func TestAWidgetIsMadeReadChangedAndClosed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	id, _ := topUp(s)
	read := s.Get("/v1/ramp/widgets?id=" + id).OK()
	require.Equal(t, []any{"https://shop.example.com"}, read.At("data.domains"))
	require.Equal(t, []any{"onramp", "offramp"}, read.At("data.sides"))
	require.Equal(t, "2", s.Get("/v1/ramp/widgets").OK().Number("meta.total"), "the demo business has one")

	changed := s.Post("/v1/ramp/widgets/update", apitest.Object{
		"widget_id": id, "name": "Buy", "sides": []string{"onramp"}, "theme": apitest.Object{"mode": "dark", "color": "#102030"},
		"destination_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
	}).OK()
	require.Equal(t, "Buy", changed.Text("data.name"))
	require.Equal(t, "#102030", changed.Text("data.theme.color"))
	cleared := s.Post("/v1/ramp/widgets/update", []byte(`{"widget_id":"`+id+`","destination_address":null}`)).OK()
	require.Nil(t, cleared.At("data.destination_address"))
	require.Equal(t, "Buy", cleared.Text("data.name"))

	require.Equal(t, "disabled", s.Post("/v1/ramp/widgets/status", apitest.Object{"widget_id": id, "status": "disabled"}).OK().Text("data.status"))
	require.Equal(t, "1", s.Get("/v1/ramp/widgets?status=disabled").OK().Number("meta.total"))
	s.Get("/v1/ramp/widgets?id=rwdg_019cadd4569875d7a1b61a53693e7f0f").Fails(http.StatusNotFound, "widget_not_found")
	require.Equal(t, "0", s.Get("/v1/ramp/widgets/analytics?widget_id="+id).OK().Number("data.onramp.successful"))
}

func TestOneUpdateOfAWidgetChangesItsDomainsAndItsStatusToo(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	id, key := topUp(s)
	open := func(origin string) apitest.Answer {
		return s.As("").With("Origin", origin).Post("/v1/ramp/widgets/session", apitest.Object{"public_key": key})
	}
	token := open("https://shop.example.com").OK().Text("data.session_token")
	page := s.As(token).With("Origin", "https://shop.example.com")
	page.Get("/v1/ramp/session/options").OK()

	moved := s.Post("/v1/ramp/widgets/update", apitest.Object{"widget_id": id, "name": "Moved", "domains": []string{"new.example.com"}}).OK()
	require.Equal(t, []any{"https://new.example.com"}, moved.At("data.domains"))
	require.Equal(t, "Moved", moved.Text("data.name"))
	page.Get("/v1/ramp/session/options").Fails(http.StatusUnauthorized, "unauthorized")
	open("https://shop.example.com").Fails(http.StatusForbidden, "forbidden")
	open("https://new.example.com").OK()

	closed := s.Post("/v1/ramp/widgets/update", apitest.Object{"uid": "uid_" + id[len("rwdg_"):], "status": "disabled"}).OK()
	require.Equal(t, "disabled", closed.Text("data.status"))
	require.Equal(t, []any{"https://new.example.com"}, closed.At("data.domains"), "what is not named stays")
	open("https://new.example.com").Fails(http.StatusForbidden, "forbidden")
	require.Equal(t, "active", s.Post("/v1/ramp/widgets/update", apitest.Object{"widget_id": id, "status": "active"}).OK().Text("data.status"))

	s.Post("/v1/ramp/widgets/update", apitest.Object{"widget_id": id, "domains": []string{"*.example.com"}}).Fails(http.StatusBadRequest, "validation_error")
	s.Post("/v1/ramp/widgets/update", []byte(`{"widget_id":"`+id+`","status":"closed"}`)).Fails(http.StatusBadRequest, "validation_error")
	for _, path := range []string{"/domains", "/status"} {
		s.Post("/v1/ramp/widgets"+path, apitest.Object{"uid": id, "domains": []string{}, "status": "active"}).OK()
	}
	s.Post("/v1/ramp/widgets/update", apitest.Object{"widget_id": id, "uid": "uid_019cadd4569875d7a1b61a53693e7f0f"}).Fails(http.StatusNotFound, "widget_not_found")
}

func TestWidgetsAndKeysAreListedByDate(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	topUp(s)
	for _, path := range []string{"/v1/ramp/widgets", "/v1/api-keys"} {
		all := s.Get(path).OK().Number("meta.total")
		require.NotEqual(t, "0", all)
		for query, want := range map[string]string{"date_from=2020-01-01": all, "toDate=2020-01-01": "0", "from_date=2100-01-01": "0", "date_from=2020-01-01&date_to=2100-01-01": all} {
			require.Equal(t, want, s.Get(path+"?"+query).OK().Number("meta.total"), path+query)
		}
		s.Get(path+"?date_from=soon").Fails(http.StatusBadRequest, "validation_error")
	}
}

func TestAnotherBusinessHasNoPartInAWidget(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	id, _ := topUp(s)
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	for path, body := range map[string]apitest.Object{
		"/update": {"widget_id": id, "name": "Mine"}, "/domains": {"widget_id": id, "domains": []string{}}, "/status": {"widget_id": id, "status": "disabled"},
	} {
		other.Post("/v1/ramp/widgets"+path, body).Fails(http.StatusNotFound, "widget_not_found")
	}
	other.Get("/v1/ramp/widgets/analytics?widget_id="+id).Fails(http.StatusNotFound, "widget_not_found")
	other.Get("/v1/ramp/transactions?widget_id="+id).Fails(http.StatusNotFound, "widget_not_found")
}

func TestTheKeyOfAWidgetMayStandInTheHeaderToo(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	_, key := topUp(s)
	page := s.As(key).With("Origin", "https://shop.example.com")
	page.Get("/v1/ramp/widgets/bootstrap?public_key=" + key).OK()
	page.Post("/v1/ramp/widgets/session", apitest.Object{"public_key": key}).OK()
	page.Get("/v1/ramp/widgets").Fails(http.StatusForbidden, "forbidden")
	page.Get("/v1/checkout/assets").Fails(http.StatusForbidden, "forbidden")
	s.As("rwpk_test_none").Get("/v1/ramp/widgets/bootstrap?public_key="+key).Fails(http.StatusUnauthorized, "unauthorized")
}

func TestASessionIsForTheOriginsOfItsWidget(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	_, key := topUp(s)
	body := apitest.Object{"public_key": key}
	for _, origin := range []string{"null", "https://evil.example.com", "http://shop.example.com"} {
		s.As("").With("Origin", origin).Post("/v1/ramp/widgets/session", body).Fails(http.StatusForbidden, "forbidden")
	}
	s.As("").Post("/v1/ramp/widgets/session", body).Fails(http.StatusForbidden, "forbidden")
	for _, wrong := range []string{s.Tenant.PublicKey, s.Tenant.SecretKey, "rwpk_test_unknown"} {
		s.As("").With("Origin", shopOrigin).Post("/v1/ramp/widgets/session", apitest.Object{"public_key": wrong}).Fails(http.StatusBadRequest, "invalid_public_key")
	}
	page := s.As("").With("Origin", shopOrigin)
	token := page.Post("/v1/ramp/widgets/session", body).OK().Text("data.session_token")
	require.Equal(t, "Top up", page.As(token).Get("/v1/ramp/session/options").OK().Text("data.widget.name"))

	for _, origin := range []string{"null", "https://evil.example.com"} {
		s.As(token).With("Origin", origin).Get("/v1/ramp/session/options").Fails(http.StatusUnauthorized, "unauthorized")
	}
	for _, wrong := range []string{"", token + "x", key, s.Tenant.SecretKey} {
		page.As(wrong).Get("/v1/ramp/session/options").Fails(http.StatusUnauthorized, "unauthorized")
	}
	page.As(token).Get("/v1/wallets").Fails(http.StatusUnauthorized, "unauthorized")
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 900}).OK()
	page.As(token).Get("/v1/ramp/session/options").Fails(http.StatusUnauthorized, "unauthorized")
}

func TestNoOrderKeepsASessionBeyondAQuarterOfAnHour(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	v := visitor(s)
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 890}).OK()
	v.Post("/v1/ramp/session/initiate", apitest.Object{"type": "offramp", "amount": 30000, "bank_code": "058", "account_number": "0123456780"}).OK()
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 10}).OK()
	v.Get("/v1/ramp/session/options").Fails(http.StatusUnauthorized, "unauthorized")
}

func TestAVisitorWhoSellsIsToldTheBanks(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	v := visitor(s)
	require.Equal(t, s.Get("/v1/fiat/transfers/banks").OK().At("data"), v.Get("/v1/ramp/session/options").OK().At("data.banks"))
	only := s.Get("/v1/ramp/widgets").OK().Text("data.0.id")
	s.Post("/v1/ramp/widgets/update", apitest.Object{"widget_id": only, "sides": []string{"onramp"}}).OK()
	require.Equal(t, []any{}, v.Get("/v1/ramp/session/options").OK().At("data.banks"))
}

func TestARepeatedSessionShowsItsTokenOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	page := s.As("").With("Origin", shopOrigin).With("Idempotency-Key", "visit-1")
	body := apitest.Object{"public_key": s.Tenant.WidgetKey}
	first := page.Post("/v1/ramp/widgets/session", body).OK()
	again := page.Post("/v1/ramp/widgets/session", body).OK()
	require.Equal(t, first.Text("data.session_id"), again.Text("data.session_id"))
	require.Nil(t, again.At("data.session_token"))
}

func TestAVisitorPricesAndVerifiesOnlyWhatTheWidgetOffers(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	v := visitor(s)
	quoted := v.Post("/v1/ramp/session/quote", apitest.Object{"type": "onramp", "amount": 15000}).OK()
	require.Equal(t, "10", quoted.Number("data.amount_stablecoin"))
	v.Post("/v1/ramp/session/quote", apitest.Object{"type": "onramp", "amount": 100}).Fails(http.StatusBadRequest, "amount_below_minimum")
	v.Post("/v1/ramp/session/quote", apitest.Object{"type": "lend", "amount": 15000}).Fails(http.StatusBadRequest, "validation_error")
	for _, path := range []string{"/quote", "/initiate"} {
		order := apitest.Object{"type": "onramp", "amount": 15000, "address": "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"}
		for member, code := range map[string]string{"currency": "invalid_currency", "fiat_currency": "invalid_currency", "asset": "invalid_asset", "chain": "invalid_network"} {
			refused := v.Post("/v1/ramp/session"+path, and(order, member, "OTHER")).Fails(http.StatusBadRequest, code)
			require.Equal(t, member, refused.Text("error.details.0.field"), path)
		}
		v.Post("/v1/ramp/session"+path, and(order, "asset", "ethereum:usdc")).Fails(http.StatusBadRequest, "invalid_network")
		for _, asset := range []string{"usdc", "USDC", "Solana:USDC"} {
			v.Post("/v1/ramp/session"+path, and(order, "asset", asset, "currency", "NGN", "fiat_currency", "ngn", "chain", "Solana")).OK()
			v.Post("/v1/ramp/session"+path, and(order, "asset", asset)).OK()
		}
	}
	require.Equal(t, "verified", v.Post("/v1/ramp/session/verify", apitest.Object{"bank_code": "058", "account_number": "0123456780"}).OK().Text("data.status"))
	v.Post("/v1/ramp/session/verify", apitest.Object{"bank_code": "058", "account_number": "0000000000"}).Fails(http.StatusUnprocessableEntity, "name_enquiry_failed")
	v.Post("/v1/ramp/session/verify", apitest.Object{"address": "0x1"}).Fails(http.StatusBadRequest, "validation_error")

	only := s.Get("/v1/ramp/widgets").OK().Text("data.0.id")
	s.Post("/v1/ramp/widgets/update", apitest.Object{"widget_id": only, "sides": []string{"offramp"}}).OK()
	v.Post("/v1/ramp/session/quote", apitest.Object{"type": "onramp", "amount": 15000}).Fails(http.StatusBadRequest, "validation_error")
}

func TestAVisitorBuysAndSellsAndSeesOnlyTheOrdersOfTheSession(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	v := visitor(s)
	const to = "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"
	v.Post("/v1/ramp/session/initiate", apitest.Object{"type": "onramp", "amount": 15000}).Fails(http.StatusBadRequest, "validation_error")
	bought := v.Post("/v1/ramp/session/initiate", apitest.Object{"type": "onramp", "amount": 15000, "address": to}).OK()
	require.Equal(t, to, bought.Text("data.wallet_address"))
	sold := v.Post("/v1/ramp/session/initiate", apitest.Object{"type": "offramp", "amount": 30000, "bank_code": "058", "account_number": "0123456780"}).OK()

	s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": bought.Text("data.payment_account.account_number"), "amount": 15000}).OK()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": sold.Text("data.deposit_address"), "amount": 20}).OK()
	s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": 180}).OK()
	for _, order := range []apitest.Answer{bought, sold} {
		read := v.Get("/v1/ramp/session/status?id=" + order.Text("data.id")).OK()
		require.Equal(t, "successful", read.Text("data.status"))
		require.Equal(t, "successful", v.Get("/v1/ramp/session/status?id="+order.Text("data.uid")).OK().Text("data.status"))
		visitor(s).Get("/v1/ramp/session/status?id="+order.Text("data.id")).Fails(http.StatusNotFound, "ramp_not_found")
	}
	id := s.Get("/v1/ramp/widgets").OK().Text("data.0.id")
	figures := s.Get("/v1/ramp/widgets/analytics?widget_id=" + id).OK()
	require.Equal(t, "1", figures.Number("data.onramp.successful"))
	require.Equal(t, "15000", figures.Number("data.onramp.amount"))
	require.Equal(t, "20", figures.Number("data.offramp.amount_stablecoin"))
	require.Equal(t, "2", s.Get("/v1/ramp/transactions?status=successful&widget_id="+id).OK().Number("meta.total"))
	require.Equal(t, "1", s.Get("/v1/ramp/transactions?type=offramp").OK().Number("meta.total"))
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
}

func TestBrowsersMayCallTheRoutesOfVisitorsInProductionToo(t *testing.T) {
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Production: true}})
	for path, method := range map[string]string{
		"/v1/ramp/widgets/bootstrap": "GET", "/v1/ramp/widgets/session": "POST", "/v1/ramp/session/options": "GET", "/v1/ramp/session/quote": "POST",
	} {
		asked := raw(t, s, http.MethodOptions, path, map[string]string{"Origin": shopOrigin, "Access-Control-Request-Method": method}, nil)
		require.Equal(t, http.StatusNoContent, asked.StatusCode, path)
		require.Equal(t, shopOrigin, asked.Header.Get("Access-Control-Allow-Origin"), path)
		require.Contains(t, asked.Header.Get("Access-Control-Allow-Headers"), "Authorization")
	}
	asked := raw(t, s, http.MethodOptions, "/v1/ramp/widgets", map[string]string{"Origin": shopOrigin, "Access-Control-Request-Method": "POST"}, nil)
	requireNoCORS(t, asked.Header)
}
