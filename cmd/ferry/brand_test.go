package main

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnOperatorSaysWhereThePagesAreWhatPaymentsCostAndWhatThingsAreCalled(t *testing.T) {
	site := newSite(t)
	site.add(t, `"base_url":"https://pay.example.com/",
		"fees":{"checkout":{"platform":{"percent":1.5,"cap":200},"processing":{"flat":25}}},
		"brand":{"platform_fee":"acme_fee","message_source":"acme-checkout"}`)
	shop := site.createBusiness(t)
	p := site.serve(t, shop.SecretKey)
	defer p.stop(t)

	var order struct {
		Page string `json:"checkout_url"`
	}
	p.data(t, http.MethodPost, "checkout/create",
		`{"public_key":"`+shop.PublicKey+`","trx_id":"order-1","email":"ada@example.com","amount":1000000,"currency":"NGN"}`, &order)
	require.Regexp(t, `^https://pay\.example\.com/checkout/sess_[0-9a-f]{32}$`, order.Page)

	status, body := p.get(t, "/v1/payments?id=order-1")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `"fees":{"acme_fee":15000,"processing_fee":2500,"total_fees":17500}`, "1.5 % of 10,000, and 25")
	_, body = p.get(t, "/v1/business")
	require.Contains(t, body, `"platform":{"percent":1.5000,"flat":0,"minimum":0,"cap":200}`)

	response, err := http.Get(p.BaseURL + "/inline.js")
	require.NoError(t, err)
	defer response.Body.Close()
	script, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(script), `"acme-checkout"`)
	require.NotContains(t, string(script), "service-checkout")
	_, body = p.get(t, "/openapi.json")
	require.Contains(t, body, `"acme_fee"`)
	require.NotContains(t, body, "tsara_fee")
}
