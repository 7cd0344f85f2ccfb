package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestARepeatedRequestIsAnsweredAgainNotDoneAgain(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	once := s.With("Idempotency-Key", "create-1")
	first := once.Post("/v1/customers", newCustomer(1)).OK()
	require.Empty(t, first.Header.Get("Idempotency-Replayed"))
	s.Clock.Add(time.Hour)
	again := once.Post("/v1/customers", newCustomer(1)).OK()
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	require.Equal(t, string(first.Raw), string(again.Raw))
	require.Equal(t, first.Header.Get("X-Request-Id"), again.Header.Get("X-Request-Id"))
	mine := once.With("X-Request-Id", "mine").Post("/v1/customers", newCustomer(1)).OK()
	require.Equal(t, string(first.Raw), string(mine.Raw))
	require.Equal(t, "mine", mine.Header.Get("X-Request-Id"))
	require.Equal(t, "1", s.Get("/v1/customers").OK().Number("meta.total"))
}

func TestSameMeansTheDecodedRequest(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	once := s.With("Idempotency-Key", "wallet-1")
	first := once.Post("/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"a"}`).OK()
	again := once.Post("/v1/wallets", `{ "reference" : "a", "asset":"USDC", "network":"solana", "type":"stablecoin" }`).OK()
	require.Equal(t, string(first.Raw), string(again.Raw))
	conflict := once.Post("/v1/wallets", newWallet("b")).Fails(http.StatusConflict, "idempotency_conflict")
	require.False(t, conflict.Has("retry_after"))
	s.Get("/v1/wallets?reference=b").Fails(http.StatusNotFound, "wallet_not_found")
}

func TestAKeyIsKnownPerRouteAndBusiness(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	other := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Bola's shop"}).OK().Text("data.secret_key"))
	id := s.With("Idempotency-Key", "k").Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	mine := other.With("Idempotency-Key", "k").Post("/v1/customers", newCustomer(1)).OK()
	require.Empty(t, mine.Header.Get("Idempotency-Replayed"))
	patched := s.With("Idempotency-Key", "k").Patch("/v1/customers?id="+id, apitest.Object{"city": "Kano"}).OK()
	require.Empty(t, patched.Header.Get("Idempotency-Replayed"))
	s.With("Idempotency-Key", "k").Patch("/v1/customers?id=uid_"+id[4:], apitest.Object{"city": "Kano"}).
		Fails(http.StatusConflict, "idempotency_conflict")
}

func TestARefusalIsNotRemembered(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	once := s.With("Idempotency-Key", "k")
	once.Post("/v1/customers", apitest.Object{"type": "individual"}).Fails(http.StatusBadRequest, "validation_error")
	once.Post("/v1/customers", newCustomer(1)).OK()

	from := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.primary_address")
	send := newTransfer(from, stranger, "1")
	once.Post("/v1/wallets/transfer", send).Fails(http.StatusBadRequest, "insufficient_balance")
	pay(s, from, "10")
	once.Post("/v1/wallets/transfer", send).OK()
}

func TestTheFormOfKeysIsChecked(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	for _, key := range []string{"", "with space", strings.Repeat("k", 256), "ключ"} {
		s.With("Idempotency-Key", key).Post("/v1/customers", newCustomer(1)).
			Refuses("Idempotency-Key", "Must be one key of 1 to 255 visible ASCII characters")
	}
	s.With("Idempotency-Key", strings.Repeat("k", 255)).Post("/v1/customers", newCustomer(1)).OK()
	s.With("Idempotency-Key", "with space").Get("/v1/customers").OK()
}

func TestARequestThatDiedIsResumed(t *testing.T) {
	real := apitest.NewClock()
	s := apitest.Start(t, apitest.Config{API: httpapi.Config{Clock: real, TwinWait: time.Millisecond}})
	from := funded(s, "treasury", "100")
	once := s.With("Idempotency-Key", "send-1")
	first := once.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).OK()
	forgetAnswer(t, s, "POST /v1/wallets/transfer", "send-1")

	held := once.With("X-Request-Id", "held")
	s.Clock.Add(time.Hour)
	held.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).Fails(http.StatusConflict, "idempotency_conflict")
	real.Add(idempotency.Busy)
	resumed := held.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).OK()
	require.Equal(t, first.Text("data.id"), resumed.Text("data.id"))
	require.Equal(t, "held", resumed.Text("request_id"), "answered anew, not replayed")
	require.Equal(t, "2", s.Get("/v1/wallets/transfers").OK().Number("meta.total"))
	again := once.Post("/v1/wallets/transfer", newTransfer(from, stranger, "1")).OK()
	require.Equal(t, string(resumed.Raw), string(again.Raw))
}

func TestAClientThatLeavesIsNoReasonToPayTwice(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	address := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.primary_address")
	body := apitest.Object{"address": address, "amount": 1}
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/v1/test_helpers/deposits",
		strings.NewReader(`{"address":"`+address+`","amount":1}`))
	require.NoError(t, err)
	request.Header = http.Header{
		"Authorization": {"Bearer " + s.Tenant.SecretKey}, "Content-Type": {"application/json"}, "Idempotency-Key": {"deposit-1"},
	}
	require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetChain, sandbox.Unavailable, 1_000_000)) // so it is waited for
	left := make(chan struct{})
	go func() {
		defer close(left)
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
		}
	}()
	require.Eventually(t, func() bool { // the deposit is on the chain
		held, err := s.Engine.World.Balance(t.Context(), chain.Address(address))
		return err == nil && held == money.USDC(1_000_000)
	}, 10*time.Second, time.Millisecond)
	leave()
	<-left
	require.NoError(t, s.Engine.World.Calm(t.Context()))
	s.Settle()
	again := s.With("Idempotency-Key", "deposit-1").Post("/v1/test_helpers/deposits", body).OK()
	require.Equal(t, "credited", again.Text("data.status"))
	require.Equal(t, "1", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"))
}

func TestAKeyMayBeForgottenWhileItsRequestWorks(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	week := apitest.Object{"seconds": 8 * 24 * 60 * 60}
	done := s.With("Idempotency-Key", "advance-1").Post("/v1/test_helpers/clock/advance", week).OK()
	require.Equal(t, true, done.At("data.done"))
}

func TestTheStoreTellsNothingOfARequest(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	prints := map[string]bool{}
	for _, server := range []*apitest.Server{s, apitest.Start(t, apitest.Config{})} {
		server.With("Idempotency-Key", "verify-1").Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
		key := idempotency.Key{Scope: server.Tenant.Business.Scope, Operation: "POST /v1/customers/identity/initiate", Client: "verify-1"}
		require.NoError(t, server.Engine.Units(ferry.Test).Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
			r, err := idempotency.RecordKind.Get(ctx, tx, key.Scope, key.ID())
			require.NotContains(t, r.Body, goodBVN)
			prints[r.Fingerprint] = true
			return err
		}))
	}
	require.Len(t, prints, 2, "whoever tries all numbers on a stolen store finds none without the key")
}

// forgetAnswer makes a key look as if the server died after the intent.
func forgetAnswer(t *testing.T, s *apitest.Server, operation, client string) {
	key := idempotency.Key{Scope: s.Tenant.Business.Scope, Operation: operation, Client: client}
	require.NoError(t, s.Engine.Units(ferry.Test).Write(context.Background(), func(ctx context.Context, tx store.Tx) error {
		r, err := idempotency.RecordKind.Get(ctx, tx, key.Scope, key.ID())
		if err != nil {
			return err
		}
		require.NotEmpty(t, r.Resource)
		r.Finished, r.Status, r.Body = false, 0, ""
		return idempotency.RecordKind.Update(ctx, tx, r)
	}))
}

// together runs one function many times at once and returns what each answered.
func together(n int, do func() apitest.Answer) []apitest.Answer {
	answers := make([]apitest.Answer, n)
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			answers[i] = do()
		})
	}
	done.Wait()
	return answers
}

func TestAHundredTwinsHaveOneEffect(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	from := funded(s, "treasury", "100")
	for name, test := range map[string]struct {
		path string
		body apitest.Object
	}{
		"in one unit":    {"/v1/wallets", newWallet("twin")},
		"in three steps": {"/v1/wallets/transfer", newTransfer(from, stranger, "1")},
		"on the world":   {"/v1/test_helpers/deposits", apitest.Object{"address": from, "amount": 1, "wait": false}},
	} {
		t.Run(name, func(t *testing.T) {
			once := s.For(t).With("Idempotency-Key", "twins")
			answers := together(100, func() apitest.Answer { return once.Post(test.path, test.body) })
			replayed := 0
			for _, a := range answers {
				a.OK()
				require.Equal(t, string(answers[0].Raw), string(a.Raw))
				if a.Header.Get("Idempotency-Replayed") == "true" {
					replayed++
				}
			}
			require.Equal(t, 99, replayed)
		})
	}
	s.Settle()
	require.Equal(t, "99.995", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"), "100 - 1.005 + 1")
	require.Equal(t, "3", s.Get("/v1/wallets/transfers").OK().Number("meta.total"))
}

func TestATwinInFlightIsWaitedForOnlySoLong(t *testing.T) {
	t.Parallel() // it waits in real time
	s := apitest.Start(t, apitest.Config{API: httpapi.Config{TwinWait: 20 * time.Millisecond}})
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "kyc", "kind": "slow", "count": 1}).OK()
	once := s.With("Idempotency-Key", "slow-1")
	both := together(2, func() apitest.Answer {
		return once.Post("/v1/customers/identity/validate", validation(goodBVN, "123456"))
	})
	if both[0].Status != http.StatusOK {
		both[0], both[1] = both[1], both[0]
	}
	both[0].OK()
	require.Equal(t, "1", both[1].Fails(http.StatusConflict, "idempotency_conflict").Number("retry_after"))
	again := once.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).OK()
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
}
