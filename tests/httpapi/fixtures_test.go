package httpapi_test

import (
	"fmt"
	"strings"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/tests/apitest"
)

// stranger is an address on the chain that no server manages.
var stranger = func() string {
	seed, err := chain.NewSeed(strings.NewReader(strings.Repeat("stranger", 4)))
	if err != nil {
		panic(err)
	}
	return string(seed.Address())
}()

// newCustomer is the n-th individual.
func newCustomer(n int) apitest.Object {
	return apitest.Object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi",
		"email": fmt.Sprintf("customer%d@example.com", n),
		"phone": fmt.Sprintf("+23480123%05d", n),
	}
}

// newCompany is the n-th business customer.
func newCompany(n int) apitest.Object {
	return apitest.Object{
		"type": "business", "business_name": "Obi & Daughters", "cac_number": fmt.Sprintf("RC%06d", 100000+10*n),
		"email": fmt.Sprintf("company%d@example.com", n),
		"phone": fmt.Sprintf("+23470123%05d", n),
	}
}

func newWallet(reference string) apitest.Object {
	return apitest.Object{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": reference, "label": "Treasury",
	}
}

// singlePayout pays 100 naira to an account at another bank.
func singlePayout(s *apitest.Server, reference, number string) apitest.Object {
	return apitest.Object{
		"reference": reference, "source_account_number": s.Tenant.Business.SourceAccounts[0].AccountNumber, "narration": "Rent",
		"amount": 100, "beneficiary": apitest.Object{"bank_code": "058", "account_number": number},
	}
}

// bulkPayout pays 100 naira to each of some accounts.
func bulkPayout(s *apitest.Server, reference string, numbers ...string) apitest.Object {
	items := []apitest.Object{}
	for i, number := range numbers {
		items = append(items, apitest.Object{
			"reference": fmt.Sprintf("%s-%d", reference, i), "bank_code": "058", "account_number": number, "amount": "100",
		})
	}
	return apitest.Object{
		"reference": reference, "source_account_number": s.Tenant.Business.SourceAccounts[0].AccountNumber, "items": items,
	}
}

func newTransfer(from, to, amount string) apitest.Object {
	return apitest.Object{"from_address": from, "to_address": to, "amount": amount, "network": "solana", "asset": "USDC"}
}

// funded makes a wallet with USDC and returns its primary address.
func funded(s *apitest.Server, reference, amount string) (address string) {
	address = s.Post("/v1/wallets", newWallet(reference)).OK().Text("data.primary_address")
	pay(s, address, amount)
	return address
}

// pay sends USDC from outside to an address and waits until it is credited.
func pay(s *apitest.Server, address, amount string) {
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": amount, "wait": false}).OK()
	s.Settle()
}
