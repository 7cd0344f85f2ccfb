package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/tests/apitest"
)

// sending is what sends USDC from an address to a stranger.
func sending(from, amount string) apitest.Object {
	return apitest.Object{"from_address": from, "to_address": strangerAddress, "amount": amount, "network": "solana", "asset": "USDC"}
}

const strangerAddress = "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"

func TestABusinessSetsWhatMayLeave(t *testing.T) {
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Outflow: outflow.Ceilings{ferry.Test: {USDC: outflow.Limit{KeyDay: money.USDC(50_000_000)}}}}})
	before := s.Get("/v1/outflow-rules").OK()
	require.Nil(t, before.At("data.limits.NGN.operation"))
	require.Equal(t, "50", before.Number("data.ceilings.USDC.key_day"))
	require.Equal(t, false, before.At("data.allow_list"))
	require.Nil(t, before.At("data.changed_by"))

	changed := s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{
		"limits":       apitest.Object{"NGN": apitest.Object{"operation": "2500.50"}, "USDC": apitest.Object{"business_day": 10}},
		"destinations": []apitest.Object{{"bank_code": "000013", "account_number": "0123456780"}, {"address": strangerAddress}},
	}).OK()
	require.Equal(t, "2500.5", changed.Number("data.limits.NGN.operation"))
	require.Equal(t, "058", changed.Text("data.destinations.0.bank_code"))
	require.NotEmpty(t, changed.Text("data.changed_by"))
	off := s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"NGN": apitest.Object{"operation": 0}}}).OK()
	require.Nil(t, off.At("data.limits.NGN.operation"))
	require.Equal(t, "10", off.Number("data.limits.USDC.business_day"), "what is left out stays")
	require.Equal(t, off.At("data"), s.Get("/v1/outflow-rules").OK().At("data"))

	refused := s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{
		"limits": apitest.Object{"NGN": apitest.Object{"key_day": "1.001"}}, "destinations": []apitest.Object{{"bank_code": "058"}},
	})
	require.Equal(t, "validation_error", refused.Text("error.code"))
	require.Equal(t, "limits.NGN.key_day", refused.Text("error.details.0.field"))
}

func TestATransferBeyondALimitSaysWhichOneAndWhenItWouldPass(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "funded", "100")
	s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": apitest.Object{"USDC": apitest.Object{"key_day": 10, "operation": 8}}}).OK()
	s.Post("/v1/wallets/transfer", sending(from, "7")).OK()
	refused := s.Post("/v1/wallets/transfer", sending(from, "7"))
	require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
	require.Equal(t, "outflow_limit_exceeded", refused.Text("error.code"))
	require.Equal(t, "key_day", refused.Text("error.details.rule"))
	require.Equal(t, "business", refused.Text("error.details.set_by"))
	require.Equal(t, "7", refused.Number("error.details.used"))
	at, err := time.Parse(time.RFC3339, refused.Text("error.details.retry_at"))
	require.NoError(t, err)
	require.Equal(t, at.Truncate(24*time.Hour), at)
	require.NotEmpty(t, refused.Number("retry_after"))

	never := s.Post("/v1/wallets/transfer", sending(from, "9"))
	require.Equal(t, "operation", never.Text("error.details.rule"))
	require.Nil(t, never.At("error.details.retry_at"))
	require.Nil(t, never.At("retry_after"))
	other := s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.key")
	s.As(other).Post("/v1/wallets/transfer", sending(from, "7")).OK()
}

func TestARefusalOfADestinationNamesTheField(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "funded", "100")
	s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"allow_list": true}).OK()
	refused := s.Post("/v1/wallets/transfer", sending(from, "7"))
	require.Equal(t, "destination_not_allowed", refused.Text("error.code"))
	require.Equal(t, "to_address", refused.Text("error.details.0.field"))
	for path, field := range map[string]string{
		"/v1/payouts": "beneficiary.account_number", "/v1/payouts/bulk": "items.0.account_number",
		"/v1/fiat/transfers": "beneficiary.account_number", "/v1/transfers": "account_number",
	} {
		refused := s.Post(path, nairaOrders(s)[path]("r-1")).Fails(http.StatusUnprocessableEntity, "destination_not_allowed")
		require.Equal(t, field, refused.Text("error.details.0.field"), path)
	}
	s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"destinations": []apitest.Object{{"address": strangerAddress}}}).OK()
	s.Post("/v1/wallets/transfer", sending(from, "7")).OK()
}

func TestALimitThatThereIsNotIsNamed(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	before := s.Get("/v1/outflow-rules").OK().At("data")
	for field, limits := range map[string]apitest.Object{
		"limits.ngn":           {"ngn": apitest.Object{"operation": 5}},
		"limits.USD":           {"USD": apitest.Object{"operation": 5}},
		"limits.NGN.Operation": {"NGN": apitest.Object{"Operation": 5}},
		"limits.USDC.day":      {"USDC": apitest.Object{"day": 5}},
	} {
		s.Do(http.MethodPatch, "/v1/outflow-rules", apitest.Object{"limits": limits}).Refuses(field, "There is no such limit")
	}
	require.Equal(t, before, s.Get("/v1/outflow-rules").OK().At("data"))
}
