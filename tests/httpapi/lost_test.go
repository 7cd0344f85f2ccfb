package httpapi_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/tests/apitest"
)

// A unit may have been committed although the store answers with an error. The
// client then sees a 5xx and repeats its request with the same key.
func TestACommitWhoseReplyIsLostPaysOnce(t *testing.T) {
	for name, to := range map[string]string{"outside": stranger, "inside": ""} {
		t.Run(name, func(t *testing.T) {
			for nth, lost := 0, true; lost; nth++ {
				lost = payDespiteLoss(t, to, nth)
				require.Less(t, nth, 20)
			}
		})
	}
}

// payDespiteLoss sends a transfer while the reply of its nth commit is lost (0: of
// none), repeats it until it is answered, and reports whether to go on.
func payDespiteLoss(t *testing.T, to string, nth int) bool {
	real := apitest.NewClock()
	backend := &switched{Lossy: storefault.LoseReply(memstore.New(), -1, nil)}
	s := apitest.Start(t, apitest.Config{
		Engine: engine.Config{Store: backend}, API: httpapi.Config{Clock: real, TwinWait: time.Millisecond},
	})
	from, expected := funded(s, "treasury", "100"), "98.995"
	if to == "" {
		to, expected = s.Post("/v1/wallets", newWallet("savings")).OK().Text("data.primary_address"), "99"
	}
	backend.Lossy = storefault.LoseReply(backend.Backend, nth, errors.New("the connection is gone"))
	once := s.With("Idempotency-Key", "pay-1")
	answer := once.Post("/v1/wallets/transfer", newTransfer(from, to, "1"))
	lost := answer.Status != 200
	for answer.Status != 200 {
		real.Add(idempotency.Busy)
		answer = once.Post("/v1/wallets/transfer", newTransfer(from, to, "1"))
	}
	s.Advance(time.Minute)
	require.Equal(t, expected, s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"), "commit %d", nth)
	require.Equal(t, "1", s.Get("/v1/wallets/transfers?type=OUT").OK().Number("meta.total"), "commit %d", nth)
	require.Equal(t, "success", s.Get("/v1/wallets/transfers/"+answer.Text("data.id")).OK().Text("data.status"))
	require.Equal(t, true, s.Get("/v1/test_helpers/audit").OK().At("data.clean"))
	return lost || nth < 3
}

func TestADepositThatIsCutOffIsPaidInOnce(t *testing.T) {
	for nth, fired := 1, true; fired; nth++ {
		real := apitest.NewClock()
		backend := storefault.FailNth(memstore.New(), 0, errors.New("the disk is gone"))
		s := apitest.Start(t, apitest.Config{
			Engine: engine.Config{Store: backend}, API: httpapi.Config{Clock: real, TwinWait: time.Millisecond},
		})
		to := s.Post("/v1/wallets", newWallet("treasury")).OK().Text("data.primary_address")
		once := s.With("Idempotency-Key", "pay-in-1")
		deposit := apitest.Object{"address": to, "amount": 25, "wait": false}
		backend.Arm(nth)
		answer := once.Post("/v1/test_helpers/deposits", deposit)
		fired = backend.Fired()
		for answer.Status != 200 {
			real.Add(idempotency.Busy)
			answer = once.Post("/v1/test_helpers/deposits", deposit)
		}
		s.Advance(time.Minute)
		require.Equal(t, "25", s.Get("/v1/wallets?reference=treasury").OK().Number("data.balance"), "operation %d", nth)
		require.Less(t, nth, 40)
	}
}

// switched is a backend whose fault a test may replace.
type switched struct{ *storefault.Lossy }
