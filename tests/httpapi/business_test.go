package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestABusinessReadsAndChangesItself(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	mine := s.Get("/v1/business").OK()
	require.Equal(t, string(s.Tenant.Business.Scope.Business), mine.Text("data.id"))
	require.Equal(t, "B", mine.Text("data.api_variant"))
	require.Equal(t, false, mine.At("data.customer_pays_fee"))
	require.Equal(t, "hold", mine.Text("data.crypto_settlement"))
	require.Equal(t, []any{"bank-transfer", "crypto"}, mine.At("data.payment_methods"))
	require.Equal(t, []any{}, mine.At("data.redirect_hosts"))
	require.Equal(t, "strict", mine.Text("data.mismatch_policy"))
	require.Nil(t, mine.At("data.webhook_url"))
	require.Equal(t, s.Tenant.Business.SourceAccounts[0].ID, mine.Text("data.source_accounts.0.id"))
	require.Regexp(t, `^bank_`, mine.Text("data.source_accounts.0.id"))

	changed := s.Patch("/v1/business", apitest.Object{
		"name": "Ada's shop", "api_variant": "A", "customer_pays_fee": true, "crypto_settlement": "convert",
		"payment_methods": []string{"crypto"}, "redirect_hosts": []string{"Shop.Example.com"}, "mismatch_policy": "accept",
	}).OK()
	require.Equal(t, "Ada's shop", changed.Text("data.name"))
	require.Equal(t, []any{"crypto"}, changed.At("data.payment_methods"))
	require.Equal(t, []any{"shop.example.com"}, changed.At("data.redirect_hosts"))
	require.Equal(t, changed.At("data"), s.Get("/v1/business").OK().At("data"))
	require.Equal(t, changed.At("data.name"), s.Patch("/v1/business", nil).OK().At("data.name"), "nothing named, nothing changed")

	refused := s.Patch("/v1/business", apitest.Object{
		"name": "", "api_variant": "C", "customer_pays_fee": "yes", "crypto_settlement": "burn", "mismatch_policy": 1,
		"payment_methods": []any{"cash"},
	}).Fails(400, "validation_error")
	for _, field := range []string{"name", "api_variant", "customer_pays_fee", "crypto_settlement", "mismatch_policy"} {
		require.NotNil(t, refused.At("errors."+field), field)
	}
}

func TestABusinessIsToldThatItsWebhookURLIsSetElsewhere(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	const hooks = "https://shop.example.com/hooks"
	why := "Is set by POST /v1/webhook/config"
	s.Patch("/v1/business", apitest.Object{"name": "Obi", "webhook_url": hooks}).Refuses("webhook_url", why)
	require.NotEqual(t, "Obi", s.Get("/v1/business").OK().Text("data.name"), "nothing of a refused change is made")
	s.Post("/v1/webhook/config", apitest.Object{"url": hooks}).OK()
	require.Equal(t, hooks, s.Patch("/v1/business", apitest.Object{"webhook_url": hooks}).OK().Text("data.webhook_url"), "as it is")
	s.Patch("/v1/business", apitest.Object{"webhook_url": ""}).Refuses("webhook_url", why)
}

func TestABusinessMaySendBackAllThatWasReadAndNothingElseThatIsFixed(t *testing.T) {
	part := fees.Rule{Share: 15_000, Flat: money.NGN(100_50), Cap: money.NGN(2000_00)}
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Tariffs: fees.Tariffs{fees.Checkout: {Platform: part}}}})
	read := s.Get("/v1/business").OK().At("data").(map[string]any)
	read["name"] = "Ada's shop"
	require.Equal(t, "Ada's shop", s.Patch("/v1/business", read).OK().Text("data.name"))

	rule := func(percent, flat, minimum, ceiling any) apitest.Object {
		return apitest.Object{"percent": percent, "flat": flat, "minimum": minimum, "cap": ceiling}
	}
	fees := func(platform apitest.Object) apitest.Object {
		none := apitest.Object{"platform": rule(0, 0, 0, nil), "processing": rule(0, 0, 0, nil)}
		return apitest.Object{"fees": apitest.Object{
			"checkout": apitest.Object{"platform": platform, "processing": none["processing"]}, "payment_link": none, "api": none, "payout": none, "transfer": none, "refund": none, "bill": none,
		}}
	}
	s.Patch("/v1/business", fees(rule("1.50", 100.5, "0.00", 2000))).OK()
	for _, other := range []apitest.Object{
		rule(1.51, 100.5, 0, 2000), rule(1.5, 1005, 0, 2000), rule(1.5, 100.5, 1, 2000), rule(1.5, 100.5, 0, nil), {},
	} {
		s.Patch("/v1/business", fees(other)).Refuses("fees", fixed)
	}
	account := read["source_accounts"].([]any)[0].(map[string]any)
	s.Patch("/v1/business", apitest.Object{
		"name": "Obi", "id": "biz_019cadd4569875d7a1b61a53693e7f0f", "fees": apitest.Object{},
		"source_accounts": []any{and(account, "account_number", "9000000009")},
	}).Refuses("id", fixed, "fees", fixed, "source_accounts", fixed)
	s.Patch("/v1/business", apitest.Object{"source_accounts": []any{}}).Refuses("source_accounts", fixed)
	require.Equal(t, "Ada's shop", s.Get("/v1/business").OK().Text("data.name"), "nothing of a refused change is made")
}

func TestABusinessBalanceIsThatOfAllItsAccounts(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	s.Post("/v1/wallets/transfer", newTransfer(from, stranger, "25.5")).OK()
	balance := s.Get("/v1/business/balance").OK()
	require.Equal(t, 2, balance.Len("data"))
	for i, want := range [][4]string{{"NGN", "1000000", "0", "1000000"}, {"USDC", "100", "25.505", "74.495"}} {
		at := "data." + string(rune('0'+i)) + "."
		require.Equal(t, want[0], balance.Text(at+"currency"))
		require.Equal(t, want[1], balance.Number(at+"posted"))
		require.Equal(t, want[2], balance.Number(at+"reserved"))
		require.Equal(t, want[3], balance.Number(at+"available"))
	}
}

func TestABusinessSaysWherePayersReachIt(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	read := s.Get("/v1/business").OK()
	for _, name := range []string{"support_email", "support_phone", "support_url"} {
		require.Nil(t, read.At("data."+name), name)
	}
	changed := s.Patch("/v1/business", apitest.Object{
		"support_email": "Help@shop.example.com", "support_phone": "0801 234 5678", "support_url": "https://shop.example.com/help",
	}).OK()
	require.Equal(t, "help@shop.example.com", changed.Text("data.support_email"))
	require.Equal(t, "0801 234 5678", changed.Text("data.support_phone"))
	require.Equal(t, "https://shop.example.com/help", changed.Text("data.support_url"))
	require.Equal(t, changed.At("data"), s.Get("/v1/business").OK().At("data"))
	require.Nil(t, s.Patch("/v1/business", apitest.Object{"support_phone": ""}).OK().At("data.support_phone"))
	refused := s.Patch("/v1/business", apitest.Object{"support_email": "shop", "support_phone": "call us", "support_url": "ftp://shop.example.com"}).Fails(400, "validation_error")
	for _, name := range []string{"support_email", "support_phone", "support_url"} {
		require.NotNil(t, refused.At("errors."+name), name)
	}
}

func TestABusinessSaysHowItsPagesLook(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	read := s.Get("/v1/business").OK()
	for _, name := range []string{"logo_url", "icon_url", "accent_color"} {
		require.Nil(t, read.At("data."+name), name)
	}
	changed := s.Patch("/v1/business", apitest.Object{
		"logo_url": "https://cdn.example.com/logo.svg", "icon_url": "https://shop.example.com/icon.png", "accent_color": "#B00020",
	}).OK()
	require.Equal(t, "https://cdn.example.com/logo.svg", changed.Text("data.logo_url"))
	require.Equal(t, "https://shop.example.com/icon.png", changed.Text("data.icon_url"))
	require.Equal(t, "#b00020", changed.Text("data.accent_color"))
	require.Equal(t, changed.At("data"), s.Get("/v1/business").OK().At("data"))
	require.Nil(t, s.Patch("/v1/business", apitest.Object{"logo_url": ""}).OK().At("data.logo_url"))
	refused := s.Patch("/v1/business", apitest.Object{"logo_url": "data:image/png;base64,AA==", "icon_url": "https://u:p@shop.example.com/i", "accent_color": "red"}).Fails(400, "validation_error")
	for _, name := range []string{"logo_url", "icon_url", "accent_color"} {
		require.NotNil(t, refused.At("errors."+name), name)
	}
}
