package ferrytest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ferrypay/ferry/ferrytest"
)

// client is what a test is for: your service, or your client of the API.
type client struct{ url, key string }

func (c client) call(method, path, body string) (answer struct{ Data map[string]any }) {
	request, err := http.NewRequest(method, c.url+"/v1/"+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(err)
	}
	return answer
}

// A test starts a fake, gives its URL and its key to what it tests, and lets money arrive.
func Example() {
	t := &exampleT{} // in a test, its *testing.T
	defer func() { t.cleanup() }()

	fake := ferrytest.Start(t)
	shop := client{fake.URL, fake.SecretKey}
	wallet := shop.call("POST", "wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"main"}`)

	fake.Deposit(wallet.Data["primary_address"].(string), "25.5") // USDC arrives and is credited
	fake.Advance(time.Hour)                                       // time passes, webhooks are sent
	fmt.Println(shop.call("GET", "wallets?reference=main", "").Data["balance"])
	// Output: 25.5
}
