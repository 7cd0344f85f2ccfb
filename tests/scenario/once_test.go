package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAHundredTransfersWithOneIdempotencyKeyAreOne(t *testing.T) {
	t.Parallel()
	inACrowd(t, testAHundredTransfersWithOneIdempotencyKeyAreOne)
}

func testAHundredTransfersWithOneIdempotencyKeyAreOne(t *testing.T, open opener) {
	for kind, want := range map[string]struct{ status, left string }{
		"internal": {"success", "97"},
		"external": {"pending", "96.995"},
	} {
		t.Run(kind, func(t *testing.T) {
			s := open(t)
			from, to := s.funded("treasury", "100"), stranger(t, 1)
			if kind == "internal" {
				to = s.wallet("savings")
			}
			once := s.With("Idempotency-Key", "payout-1")
			answers := together(100, func(int) apitest.Answer {
				return once.Post("/v1/wallets/transfer", transfer(from, to, "3"))
			})
			first := 0
			for _, answer := range answers {
				require.Equal(t, kind, answer.OK().Text("data.transfer_type"))
				require.Equal(t, want.status, answer.Text("data.status"))
				require.Equal(t, string(answers[0].Raw), string(answer.Raw))
				if answer.Header.Get("Idempotency-Replayed") == "" {
					first++
				}
			}
			require.Equal(t, 1, first, "one answer is no replay")
			require.Equal(t, want.left, s.balance("treasury"))
			s.advance(60)
			require.Equal(t, want.left, s.balance("treasury"))
			require.Equal(t, "1", s.Get("/v1/wallets/transfers?type=OUT").OK().Number("meta.total"))
			require.Equal(t, 1, s.events("stablecoin.sent"))
			if kind == "external" {
				require.Equal(t, "3", s.holds(to))
			}
			s.clean()
		})
	}
}
