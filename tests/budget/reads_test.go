package budget_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// budget is what one request may take: round trips to PostgreSQL, and statements on SQLite. On
// SQLite each table takes a statement.
type budget struct{ trips, statements int }

var (
	one  = oneOf(2)  // reading one resource
	page = pageOf(3) // a page with its total
)

// oneOf and pageOf are one and page with another number of statements on SQLite.
func oneOf(statements int) budget  { return budget{1, statements} }
func pageOf(statements int) budget { return budget{2, statements} }

// read is a request that reads, and its budget: one or page. It is a larger one where ids that
// stand in a row lead to further rows, and the unit does not announce them.
type read struct {
	query string // what follows the path of the route, as in ?limit=20
	budget
}

// without has the routes that read and have no budget, each with the reason.
var without = map[string]string{
	"/v1/test_helpers/audit":   "it reads everything that there is",
	"/v1/test_helpers/explain": "it asks every domain what it has of a name",
	"/v1/ramp/session/options": "it takes the token of a visitor",
	"/v1/ramp/session/status":  "it takes the token of a visitor",
}

// reads returns the requests to each route that reads, for a business that enrich has filled.
func reads(s *apitest.Server) map[string][]read {
	wallet, address := s.Get("/v1/wallets?limit=1").OK(), s.Get("/v1/wallets/addresses?limit=1").OK()
	walletReads := []read{{"", page}, {"?status=active", page}, {"?search=wallet", page}, {"?id=" + wallet.Text("data.0.id"), oneOf(4)}, {"?reference=wallet-1", oneOf(4)}}
	balanceReads := []read{{"?id=" + wallet.Text("data.0.id"), oneOf(4)}, {"?reference=wallet-1", oneOf(4)}}
	addressReads := []read{
		{"", oneOf(3)},
		{"?has_balance=true", page},
		{"?wallet_reference=wallet-1", pageOf(4)},
		{"?id=" + address.Text("data.0.id"), one},
		{"?address=" + address.Text("data.0.address"), oneOf(2)},
	}
	transaction := s.Get("/v1/wallets/transfers?type=OUT&limit=1").OK().Text("data.0.uid")
	deposit := s.Get("/v1/wallets/transfers?type=IN&limit=1").OK().Text("data.0.uid")
	transactionReads := []read{
		{"", page}, {"?type=OUT", page}, {"?reference=wallet-1", pageOf(3)}, {"?id=" + transaction, one}, {"?id=" + deposit, oneOf(2)}, {"?transfer_reference=transfer-1", oneOf(3)},
	}
	accountReads := func(path string) []read {
		id := s.Get(path + "?limit=1").OK().Text("data.0.id")
		return []read{{"", page}, {"?status=active", page}, {"?id=" + id, one}, {"?transaction=true&id=" + id, page}}
	}
	link := s.Get("/v1/payment-links?limit=1").OK().Text("data.0.id")
	money := s.Get("/v1/transactions?limit=1").OK()
	account := s.Get("/v1/fiat/virtual-accounts?limit=1").OK()
	widget := s.Get("/v1/ramp/widgets?limit=1").OK().Text("data.0.id")
	refundAttemptReads := []read{{"", page}, {"?reference=refund-1", budget{4, 5}}} // the refund and its events lead to their attempts
	onrampReads := []read{{"", page}, {"?status=pending", page}, {"?reference=topup-1", one}}
	offrampReads := []read{{"", page}, {"?status=pending", page}, {"?reference=cashout-1", budget{2, 3}}}
	return map[string][]read{
		"/v1/customers":                            {{"", page}, {"?search=ada", page}, {"?id=" + s.Get("/v1/customers?limit=1").OK().Text("data.0.id"), oneOf(4)}, {"?email=customer1@example.com", page}},
		"/v1/customers/identity":                   {{"?type=bvn&number=22212345670", budget{2, 3}}},
		"/v1/wallets":                              walletReads,
		"/v1/wallets/balance":                      balanceReads,
		"/v1/wallets/transfers":                    transactionReads,
		"/v1/wallets/transfers/{id}":               {{"/" + transaction, one}, {"/" + deposit, oneOf(2)}, {"/transfer-1", oneOf(3)}},
		"/v1/wallets/addresses":                    addressReads,
		"/v1/stablecoin/wallets":                   walletReads,
		"/v1/stablecoin/wallets/balance":           balanceReads,
		"/v1/stablecoin/wallets/rate":              {{"", one}},
		"/v1/stablecoin/wallets/addresses":         addressReads,
		"/v1/stablecoin/wallets/addresses/balance": {{"?address=" + address.Text("data.0.address"), oneOf(2)}},
		"/v1/stablecoin/wallets/transfers":         transactionReads,
		"/v1/api-keys/config":                      {{"", one}},
		"/v1/api-keys":                             {{"", page}},
		"/v1/webhook/config":                       {{"", one}},
		"/v1/webhook/attempts":                     {{"", page}, {"?delivery_status=failed", page}},
		"/v1/webhook/logs":                         {{"", page}},
		"/v1/events":                               {{"", page}, {"?after=" + s.Get("/v1/events?limit=1").OK().Text("next_cursor"), page}},
		"/v1/business":                             {{"", one}},
		"/v1/outflow-rules":                        {{"", one}},
		"/v1/approvals":                            {{"", page}, {"?status=pending", page}},
		"/v1/approvals/{id}":                       {{"/" + s.Get("/v1/approvals?limit=1").OK().Text("data.0.id"), one}},
		"/v1/business/balance":                     {{"", one}},
		"/v1/payment-links":                        {{"", pageOf(4)}, {"?status=active", pageOf(4)}, {"?id=" + link, oneOf(3)}},
		"/v1/payment-links/transactions":           {{"", page}, {"?uid=" + link, page}},
		"/v1/checkout/quote":                       {{"?amount=1000", one}, {"?amount=1000&public_key=" + s.Tenant.PublicKey, one}},
		"/v1/checkout/assets":                      {{"", one}},
		"/v1/checkout":                             {{"", page}, {"?status=pending", page}, {"?trx_id=order-1", oneOf(3)}},
		"/v1/checkout/account":                     {{"?trx_id=order-9", oneOf(3)}, {"?trx_id=order-9&method=crypto", oneOf(3)}},
		"/v1/checkout/status":                      {{"?trx_id=order-1", oneOf(3)}, {"?trx_id=order-9", oneOf(3)}},
		"/v1/payments":                             {{"?id=order-1", budget{2, 3}}, {"?id=order-9", one}},
		"/v1/transactions": {
			{"", page}, {"?type=IN", page}, {"?account_number=" + account.Text("data.0.account_number"), page},
			{"?id=" + money.Text("data.0.id"), one}, {"?trx_id=order-1", one}, {"?reference=" + money.Text("data.0.reference"), one},
		},
		"/v1/payouts":               {{"", page}, {"?status=successful", page}, {"?reference=salary-1", budget{2, 2}}},
		"/v1/payouts/bulk":          {{"", page}, {"?reference=salaries-1", budget{2, 2}}},
		"/v1/payouts/reconcile":     {{"?reference=salary-1", budget{2, 2}}},
		"/v1/fiat/transfers":        {{"", page}, {"?status=successful", page}, {"?reference=rent-1", one}},
		"/v1/transfers":             {{"", page}},
		"/v1/fiat/transfers/status": {{"?reference=rent-1", one}},
		"/v1/transfers/status":      {{"?reference=rent-1", one}},
		"/v1/fiat/transfers/banks":  {{"", one}},
		"/v1/transfers/banks":       {{"", one}},
		"/v1/ramp/widgets":          {{"", page}, {"?id=" + widget, budget{2, 3}}},
		// On SQLite, a count for each side and status.
		"/v1/ramp/widgets/analytics":     {{"?widget_id=" + widget, oneOf(12)}},
		"/v1/ramp/transactions":          {{"", page}, {"?type=offramp", page}},
		"/v1/ramp/widgets/bootstrap":     {{"?public_key=" + s.Tenant.WidgetKey, one}},
		"/v1/bill/services":              {{"", one}},
		"/v1/bill/categories":            {{"?service=DATA", one}},
		"/v1/bill/products":              {{"?service=DATA", one}},
		"/v1/bill/airtime/providers":     {{"", one}},
		"/v1/bill/airtime/plans":         {{"", one}},
		"/v1/bill/data/providers":        {{"", one}},
		"/v1/bill/data/plans":            {{"", one}},
		"/v1/bill/cable/providers":       {{"", one}},
		"/v1/bill/cable/plans":           {{"", one}},
		"/v1/bill/electricity/providers": {{"", one}},
		"/v1/bill/electricity/products":  {{"", one}},
		"/v1/bill/history":               {{"", page}, {"?status=successful", page}, {"?reference=power-1", one}},
		"/v1/bill/crypto":                {{"", page}, {"?status=pending", page}, {"?reference=crypto-1", budget{2, 3}}},
		"/v1/bill/crypto/reconcile":      {{"?reference=crypto-1", budget{2, 3}}},

		"/v1/stablecoin/onramp":                 onrampReads,
		"/v1/stablecoin/wallets/onramp":         onrampReads,
		"/v1/stablecoin/onramp/status":          {{"?reference=topup-1", one}},
		"/v1/stablecoin/wallets/onramp/status":  {{"?reference=topup-1", one}},
		"/v1/stablecoin/onramp/rate":            {{"", one}},
		"/v1/stablecoin/wallets/onramp/rate":    {{"", one}},
		"/v1/stablecoin/offramp":                offrampReads,
		"/v1/stablecoin/wallets/offramp":        offrampReads,
		"/v1/stablecoin/offramp/status":         {{"?reference=cashout-1", budget{2, 3}}},
		"/v1/stablecoin/wallets/offramp/status": {{"?reference=cashout-1", budget{2, 3}}},
		"/v1/stablecoin/offramp/rate":           {{"", one}},
		"/v1/stablecoin/wallets/offramp/rate":   {{"", one}},

		"/v1/refunds":                  {{"", page}, {"?status=pending", page}, {"?reference=refund-1", one}},
		"/v1/webhooks/refund-attempts": refundAttemptReads,
		"/v1/webhooks/refund-logs":     refundAttemptReads,
		"/v1/webhook/refund-attempts":  refundAttemptReads,
		"/v1/webhook/refund-logs":      refundAttemptReads,
		"/v1/webhook/payout/attempts":  {{"", page}},
		"/v1/webhook/payout/logs":      {{"", page}},
		"/v1/fiat/virtual-accounts":    accountReads("/v1/fiat/virtual-accounts"),
		"/v1/fiat/reserved-accounts":   accountReads("/v1/fiat/reserved-accounts"),
		"/v1/test_helpers/faults":      {{"?target=rates", one}},
		"/v1/test_helpers/clock":       {{"", one}},
		"/v1/test_helpers/otp":         {{"?type=bvn&number=22212345688", one}},
	}
}

// eachRead calls do with each of reads. Each GET route of the OpenAPI document must have some.
func eachRead(t *testing.T, s *apitest.Server, do func(t *testing.T, r read, ask func())) {
	all := reads(s)
	for path, item := range apitest.Document(t).Paths.Map() {
		if item.Get == nil || without[path] != "" {
			continue
		}
		require.NotEmpty(t, all[path], "say in reads what is read by GET %s", path)
		for _, r := range all[path] {
			at := path + r.query
			if item.Get.Parameters.GetByInAndName("path", "id") != nil {
				at = path[:len(path)-len("/{id}")] + r.query
			}
			t.Run(at, func(t *testing.T) {
				do(t, r, func() { require.Equal(t, http.StatusOK, s.For(t).Get(at).Status) })
			})
		}
	}
}

// enrich gives a business some rows of each kind.
func enrich(t *testing.T, s *apitest.Server) {
	t.Helper()
	const rows = 8
	s.Post("/v1/webhook/config", apitest.Object{"url": "http://127.0.0.1:1/"}).OK()
	var addresses []string
	for n := range rows {
		made := s.Post("/v1/customers", apitest.Object{
			"type": "individual", "first_name": "Ada", "last_name": "Obi",
			"email": fmt.Sprintf("customer%d@example.com", n), "phone": fmt.Sprintf("+23480123%05d", n),
		}).OK()
		wallet := s.Post("/v1/wallets", apitest.Object{
			"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": fmt.Sprint("wallet-", n), "customer_id": made.Text("data.id"),
		}).OK()
		addresses = append(addresses, wallet.Text("data.primary_address"))
		s.Post("/v1/wallets/addresses", apitest.Object{"wallet_id": wallet.Text("data.id"), "network": "solana"}).OK()
		s.Post("/v1/test_helpers/deposits", apitest.Object{"address": addresses[n], "amount": 100, "wait": false}).OK()
	}
	s.Settle()
	for n := range rows {
		s.Post("/v1/wallets/transfer", apitest.Object{
			"from_address": addresses[n], "to_address": addresses[(n+1)%rows], "amount": 1, "network": "solana", "asset": "USDC",
			"reference": fmt.Sprint("transfer-", n),
		}).OK()
	}
	for n := range rows {
		s.Post("/v1/stablecoin/onramp", apitest.Object{
			"reference": fmt.Sprint("topup-", n), "fiat_currency": "NGN", "amount": 15000, "asset": "USDC", "chain": "SOLANA", "address": addresses[n],
		}).OK()
		s.Post("/v1/stablecoin/offramp", apitest.Object{
			"reference": fmt.Sprint("cashout-", n), "fiat_currency": "NGN", "amount": 15000, "asset": "USDC", "chain": "SOLANA",
			"bank_code": "058", "account_number": "0123456780",
		}).OK()
		s.Post("/v1/bill/crypto", apitest.Object{
			"service": "AIRTIME", "provider": "mtn", "number": "08031234560", "amount": 3000, "reference": fmt.Sprint("crypto-", n),
		}).OK()
		s.Post("/v1/bill/airtime", apitest.Object{"provider": "mtn", "number": "08031234560", "amount": 500, "reference": fmt.Sprint("power-", n)}).OK()
	}
	s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": "22212345670"}).OK()
	identity := s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": "22212345670", "otp": "123456"}).OK()
	require.Equal(t, http.StatusOK, identity.Status)
	s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": "22212345688"}).OK()
	for n := range 2 {
		number := fmt.Sprintf("222000000%d3", n)
		id := s.Post("/v1/customers/identity/initiate", apitest.Object{"type": "bvn", "number": number}).OK().Text("data.identity_id")
		s.Post("/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": number, "otp": "123456"}).OK()
		s.Post("/v1/fiat/reserved-accounts", apitest.Object{
			"currency": "NGN", "identity_id": id, "phone_number": "+2348012345678", "email": "ada@example.com",
		}).OK()
	}
	for n := range rows {
		account := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": fmt.Sprint("invoice-", n), "validFor": 86400}).OK()
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{"account_number": account.Text("data.account_number"), "amount": 100}).OK()
		s.Post("/v1/checkout/create", apitest.Object{
			"public_key": s.Tenant.PublicKey,
			"trx_id":     fmt.Sprint("order-", n), "email": "ada@example.com", "amount": 1_500_000, "currency": "NGN",
		}).OK()
		s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": fmt.Sprint("order-", n), "outcome": "success", "payment_method": "bank_transfer"}).OK()
		link := s.Post("/v1/payment-links", apitest.Object{"title": "Jollof", "amount": 5_000, "currency": "NGN"}).OK().Text("data.id")
		s.Post("/v1/payment-links/status", apitest.Object{"uid": link, "status": "active"}).OK()
		s.As("").Post("/v1/payment-links/pay", apitest.Object{"public_key": s.Tenant.PublicKey, "id": link, "email": "ada@example.com"}).OK()
	}
	s.Post("/v1/checkout/create", apitest.Object{"public_key": s.Tenant.PublicKey, "trx_id": "order-9", "email": "ada@example.com", "amount": 1_500_000, "currency": "NGN"}).OK()
	s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-9"}).OK()
	source, ada := s.Tenant.Business.SourceAccounts[0], apitest.Object{"bank_code": "058", "account_number": "0123456780"}
	for n := range rows {
		s.Post("/v1/payouts", apitest.Object{
			"reference": fmt.Sprint("salary-", n), "source_account_number": source.AccountNumber, "beneficiary": ada, "amount": 100,
		}).OK()
		s.Post("/v1/payouts/bulk", apitest.Object{
			"reference": fmt.Sprint("salaries-", n), "source_account_number": source.AccountNumber,
			"items": []apitest.Object{{"reference": fmt.Sprint("item-", n), "bank_code": "058", "account_number": "0123456781", "amount": 100}},
		}).OK()
		s.Post("/v1/fiat/transfers", apitest.Object{
			"reference": fmt.Sprint("rent-", n), "source_bank_account_id": source.ID, "currency": "NGN", "beneficiary": ada, "amount": 100,
		}).OK()
		s.Post("/v1/refunds", apitest.Object{
			"trx_id": fmt.Sprint("order-", n), "amount": 100, "reference": fmt.Sprint("refund-", n), "reason": "Too spicy",
		}).OK()
	}
	needsApproval(s)
	s.Settle()
}

// needsApproval makes a payout that waits for an approval.
func needsApproval(s *apitest.Server) {
	from := func(amount int) apitest.Object {
		return apitest.Object{"limits": apitest.Object{"NGN": apitest.Object{"approval": amount}}}
	}
	s.Do(http.MethodPatch, "/v1/outflow-rules", from(100)).OK()
	s.Post("/v1/payouts", apitest.Object{
		"reference": "large", "source_account_number": s.Tenant.Business.SourceAccounts[0].AccountNumber, "amount": 100,
		"beneficiary": apitest.Object{"bank_code": "058", "account_number": "0123456780"},
	}).OK()
	s.Do(http.MethodPatch, "/v1/outflow-rules", from(0)).OK()
}
