package scenario_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/webhook"
)

// inbox is a receiver that can be down. It keeps what it took.
type inbox struct {
	mu     sync.Mutex
	down   bool
	refuse int // deliveries while it was down
	took   []delivery
}

type delivery struct {
	header http.Header
	body   []byte
}

func (in *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case in.down:
		in.refuse++
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		in.took = append(in.took, delivery{r.Header.Clone(), body})
	}
}

func (in *inbox) set(down bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.down = down
}

func (in *inbox) taken() []delivery {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.took
}

// resource names what orders an event: its address, transfer or customer.
func resource(data map[string]any) string {
	for _, name := range []string{"address_id", "id", "customer_id"} {
		if id, ok := data[name].(string); ok {
			return id
		}
	}
	return ""
}

func TestAReceiverThatWasDownForADayGetsEverythingInOrder(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAReceiverThatWasDownForADayGetsEverythingInOrder)
}

func testAReceiverThatWasDownForADayGetsEverythingInOrder(t *testing.T, open opener) {
	s := open(t)
	in := &inbox{down: true}
	receiver := httptest.NewServer(in)
	t.Cleanup(receiver.Close)
	s.Post("/v1/webhook/config", apitest.Object{"url": receiver.URL}).OK()
	busyDay(s)
	s.advance(s.lasting(23 * 60 * 60))
	require.Empty(t, in.taken())
	require.Greater(t, in.refuse, 5, "it was tried meanwhile")
	require.Equal(t, "active", s.Get("/v1/webhook/config").OK().Text("data.status"))

	in.set(false)
	s.advance(10 * 60)
	feed := s.Get("/v1/events?limit=100").OK()
	told, last := map[string]int{}, map[string]int{}
	for _, d := range in.taken() {
		require.NoError(t, webhook.Verify(d.body, d.header, s.Tenant.WebhookSecret))
		var event struct {
			ID       string
			Sequence int
			Data     map[string]any
		}
		require.NoError(t, json.Unmarshal(d.body, &event))
		told[event.ID]++
		of := resource(event.Data)
		require.Equal(t, last[of]+1, event.Sequence, "out of order: %s", d.body)
		last[of] = event.Sequence
	}
	require.Len(t, told, feed.Len("data"))
	for i := range feed.Len("data") {
		require.Equal(t, 1, told[feed.Text(fmt.Sprintf("data.%d.id", i))], "every event once")
	}
	require.Len(t, last, 3+4+1, "addresses, transfers and the customer")
}

// busyDay makes events of several resources, some of them several times.
func busyDay(s shop) {
	for i := range 3 {
		from := s.funded(fmt.Sprintf("shop-%d", i), "10")
		s.pay(from, "5")
		s.pay(from, "2.5")
		s.Post("/v1/wallets/transfer", transfer(from, stranger(s.t, i), "1")).OK()
	}
	s.Post("/v1/wallets/transfer", transfer(primary(s, "shop-0"), primary(s, "shop-1"), "1")).OK()
	customer := s.Post("/v1/customers", apitest.Object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": "ada@example.com", "phone": "+2348012345678",
	}).OK().Text("data.id")
	identity := apitest.Object{"type": "bvn", "number": "22212345670", "customer_id": customer}
	s.Post("/v1/customers/identity/initiate", identity).OK()
	wrong := apitest.Object{"type": "bvn", "number": "22212345670", "otp": "000000"}
	s.Post("/v1/customers/identity/validate", wrong).Fails(http.StatusBadRequest, "invalid_otp")
	right := apitest.Object{"type": "bvn", "number": "22212345670", "otp": "123456"}
	s.Post("/v1/customers/identity/validate", right).OK()
	s.advance(60 * 60)
}

func primary(s shop, reference string) string {
	s.t.Helper()
	return s.Get("/v1/wallets?reference=" + reference).OK().Text("data.primary_address")
}
