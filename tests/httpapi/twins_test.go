package httpapi_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
)

// interrupted is a backend that calls between, once: when a request has looked up
// its idempotency key and has not gone on yet, or, with conclude, when it has asked
// the outside world and has not recorded the answer yet.
type interrupted struct {
	store.Backend
	armed    atomic.Bool
	conclude bool
	writes   int
	between  func()
}

func (b *interrupted) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	looked := false
	err := b.Backend.Read(ctx, func(ctx context.Context, p store.Ports) error {
		return body(ctx, watched{p, &looked})
	})
	if looked && !b.conclude && b.armed.CompareAndSwap(true, false) {
		b.between()
	}
	return err
}

func (b *interrupted) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if b.conclude && b.armed.Load() {
		if b.writes++; b.writes == 2 {
			b.armed.Store(false)
			b.between()
		}
	}
	return b.Backend.Write(ctx, body)
}

// watched notes that a key is looked up.
type watched struct {
	store.Ports
	looked *bool
}

func (w watched) Records() records.Store { return watchedKeys{w.Ports.Records(), w.looked} }

type watchedKeys struct {
	records.Store
	looked *bool
}

func (w watchedKeys) Get(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	*w.looked = *w.looked || kind == idempotency.RecordKind.Shape
	return w.Store.Get(ctx, kind, scope, id)
}

// interrupt starts a server whose next look-up of a key is followed by a twin of
// the request; it returns the server, and what sends both and returns their answers.
func interrupt(t *testing.T) (*apitest.Server, func(path string, body apitest.Object) (first, second apitest.Answer)) {
	backend := &interrupted{Backend: memstore.New()}
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Store: backend}})
	return s, func(path string, body apitest.Object) (first, second apitest.Answer) {
		once := s.With("Idempotency-Key", "twins")
		backend.between = func() { first = once.Post(path, body) }
		backend.armed.Store(true)
		second = once.Post(path, body)
		require.False(t, backend.armed.Load(), "the twin was never sent")
		return first, second
	}
}

// heldUSDC makes an order that expired underpaid, so that its USDC waits for a decision.
func heldUSDC(s *apitest.Server, trxID string) {
	s.As("").Post("/v1/checkout", orderA(s, trxID)).OK()
	to := s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": trxID}).OK().Text("data.crypto.address")
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": to, "amount": 4, "wait": false}).OK()
	s.Advance(25 * time.Hour)
}

func TestTheAnswerOfAKeyWinsOverARefusalThatItsOwnEffectCaused(t *testing.T) {
	for name, test := range map[string]struct {
		path    string
		prepare func(*apitest.Server) apitest.Object
	}{
		"money that a twin has resolved": {"/v1/payments/resolve", func(s *apitest.Server) apitest.Object {
			heldUSDC(s, "order-1")
			return apitest.Object{"reference": "order-1", "action": "accept"}
		}},
		"a reference that a twin has taken": {"/v1/fiat/virtual-accounts", func(*apitest.Server) apitest.Object {
			return apitest.Object{"currency": "NGN", "reference": "invoice-1"}
		}},
		"an order that a twin has made": {"/v1/checkout/create", func(s *apitest.Server) apitest.Object {
			return orderB(s, "order-1")
		}},
		"money that a twin has sent": {"/v1/wallets/transfer", func(s *apitest.Server) apitest.Object {
			return newTransfer(funded(s, "treasury", "2"), stranger, "1.5")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, twins := interrupt(t)
			first, second := twins(test.path, test.prepare(s))
			require.Equal(t, string(first.OK().Raw), string(second.OK().Raw))
			require.Equal(t, "true", second.Header.Get("Idempotency-Replayed"))
		})
	}
}

func TestARefusalStandsWhenTheKeyHasNoAnswer(t *testing.T) {
	s, twins := interrupt(t)
	heldUSDC(s, "order-1")
	resolve := apitest.Object{"reference": "order-1", "action": "accept"}
	s.Post("/v1/payments/resolve", resolve).OK()
	first, second := twins("/v1/payments/resolve", resolve)
	for _, answer := range []apitest.Answer{first, second} {
		answer.Fails(http.StatusConflict, "invalid_state_transition")
		require.Empty(t, answer.Header.Get("Idempotency-Replayed"))
	}
}

func TestTheAnswerOfARequestThatTookOverWinsOverARefusalOfTheProvider(t *testing.T) {
	real := apitest.NewClock()
	backend := &interrupted{Backend: memstore.New(), conclude: true}
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{Store: backend}, API: httpapi.Config{Clock: real}})
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "kyc", "kind": "unavailable", "count": 1}).OK()
	once := s.With("Idempotency-Key", "verify-1")
	send := func() apitest.Answer {
		return once.Post("/v1/customers/identity/initiate", initiation(goodBVN, ""))
	}
	var quick apitest.Answer
	backend.between = func() {
		real.Add(idempotency.Busy)
		s.Clock.Add(time.Minute) // the message may be asked for again
		quick = send()
	}
	backend.armed.Store(true)
	slow := send()
	require.Equal(t, string(quick.OK().Raw), string(slow.OK().Raw))
	require.Equal(t, "true", slow.Header.Get("Idempotency-Replayed"))
}

func TestTheBankOpensOneReservedAccountForAllRequestsWithAKey(t *testing.T) {
	world := sandbox.NewMemory()
	real := apitest.NewClock()
	backend := &interrupted{Backend: memstore.New(), conclude: true}
	s := apitest.Start(t, apitest.Config{
		Engine: engine.Config{Store: backend}, API: httpapi.Config{Clock: real}, WorldStore: world,
	})
	opened := func() (n int) {
		require.NoError(t, world.View(t.Context(), 0, func(kv sandbox.KV) error {
			accounts, err := kv.Scan("bank/account/", "", 1000)
			n = len(accounts)
			return err
		}))
		return n
	}
	before, body := opened(), reservedAccount(s)
	once := s.With("Idempotency-Key", "reserve-1")
	var quick apitest.Answer
	backend.between = func() { // the bank has opened the account, and nobody has noted it yet
		real.Add(idempotency.Busy)
		quick = once.Post("/v1/fiat/reserved-accounts", body).OK()
	}
	backend.armed.Store(true)
	slow := once.Post("/v1/fiat/reserved-accounts", body).OK()
	require.Equal(t, string(quick.Raw), string(slow.Raw))
	require.Equal(t, 1, opened()-before)
	require.Equal(t, "1", s.Get("/v1/fiat/reserved-accounts").OK().Number("meta.total"))
}

// reservedAccount asks for a reserved account of an identity that is verified.
func reservedAccount(s *apitest.Server) apitest.Object {
	id := s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK().Text("data.identity_id")
	s.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).OK()
	return apitest.Object{"currency": "NGN", "identity_id": id, "email": "ada@example.com", "phone_number": "+2348012345678"}
}
