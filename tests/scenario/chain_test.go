package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// minutes is how long a transfer may take under any fault: longer than a
// blockhash lives, twice.
const minutes = 10

func TestATransferIsPaidOnceWhateverTheChainDoes(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testATransferIsPaidOnceWhateverTheChainDoes)
}

func testATransferIsPaidOnceWhateverTheChainDoes(t *testing.T, open opener) {
	for kind, count := range map[string]int{
		"submission_lost": 3, "landed_late": 1, "fork_dropped": 1, "fork_landed_again": 1, "answer_lost": 1, "duplicate": 5,
		"unavailable": 3, "false_error": 2, "already_processed": 2, "dead_blockhash": 1, "lagging": 10, "height_jump": 1,
	} {
		t.Run(kind, func(t *testing.T) {
			s := open(t)
			from, to := s.funded("treasury", "10"), stranger(t, 1)
			id := sendUnder(s, kind, count, from, to)
			for range minutes * 30 {
				require.Equal(t, "6.995", s.balance("treasury"), "reserved until it is spent")
				if statusOf(s, id) != "pending" {
					break
				}
				s.advance(2)
			}
			require.Equal(t, "success", statusOf(s, id))
			require.Equal(t, "3", s.holds(to))
			s.advance(minutes * 60)
			require.Equal(t, "3", s.holds(to), "paid once")
			require.Equal(t, "6.995", s.balance("treasury"))
			require.Equal(t, 1, s.events("stablecoin.sent"))
			require.Equal(t, 0, s.events("stablecoin.failed"))
			require.Equal(t, 1, s.events("stablecoin.received"))
			s.clean()
		})
	}
}

// sendUnder arms a fault and sends 3 USDC. A fault that strikes before the
// transfer is recorded refuses the request, which is then repeated with its key.
func sendUnder(s shop, kind string, count int, from, to string) string {
	s.t.Helper()
	s.inject("chain", kind, count)
	once := s.With("Idempotency-Key", "payout-1")
	for range count {
		sent := once.Post("/v1/wallets/transfer", transfer(from, to, "3"))
		if sent.Status == http.StatusOK {
			require.Equal(s.t, "pending", sent.Text("data.status"))
			return sent.Text("data.id")
		}
		sent.Fails(http.StatusServiceUnavailable, "provider_unavailable")
	}
	return once.Post("/v1/wallets/transfer", transfer(from, to, "3")).OK().Text("data.id")
}

func statusOf(s shop, id string) string {
	s.t.Helper()
	return s.Get("/v1/wallets/transfers/" + id).OK().Text("data.status")
}

func TestATransferThatTheChainRefusesGivesItsMoneyBack(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testATransferThatTheChainRefusesGivesItsMoneyBack)
}

func testATransferThatTheChainRefusesGivesItsMoneyBack(t *testing.T, open opener) {
	s := open(t)
	from, to := s.funded("treasury", "10"), stranger(t, 1)
	id := sendUnder(s, "program_error", 1, from, to)
	require.Equal(t, "pending", statusOf(s, id))
	require.Equal(t, "6.995", s.balance("treasury"), "reserved until the chain has proved it")
	s.advance(60)
	failed := s.Get("/v1/wallets/transfers/" + id).OK()
	require.Equal(t, "failed", failed.Text("data.status"))
	require.Nil(t, failed.At("data.balance_after"))
	require.Nil(t, failed.At("data.confirmed_at"))
	require.Equal(t, "10", s.balance("treasury"))
	require.Equal(t, "0", s.holds(to))
	require.Equal(t, 1, s.events("stablecoin.failed"))
	require.Equal(t, 0, s.events("stablecoin.sent"))
	s.clean()
}

func TestADepositCountsOnceAndOnlyWhenItIsFinal(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testADepositCountsOnceAndOnlyWhenItIsFinal)
}

func testADepositCountsOnceAndOnlyWhenItIsFinal(t *testing.T, open opener) {
	for kind, want := range map[string]string{
		"fork_dropped": "0", "fork_landed_again": "5", "duplicate": "5", "lagging": "5", "unavailable": "5",
	} {
		t.Run(kind, func(t *testing.T) {
			s := open(t)
			address := s.wallet("treasury")
			s.inject("chain", kind, 3)
			s.deposit(address, "5")
			s.advance(0)
			require.Equal(t, "0", s.balance("treasury"), "not in a block yet")
			s.advance(1)
			require.Equal(t, "0", s.balance("treasury"), "confirmed is not finalized")
			s.advance(5 * 60)
			require.Equal(t, want, s.balance("treasury"))
			require.Equal(t, map[string]int{"0": 0, "5": 1}[want], s.events("stablecoin.received"))
			read := s.Get("/v1/wallets/addresses?address=" + address).OK()
			require.Equal(t, want, read.Number("data.total_received"))
			s.clean()
		})
	}
}

func TestOtherTokensAndInactiveAddresses(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testOtherTokensAndInactiveAddresses)
}

func testOtherTokensAndInactiveAddresses(t *testing.T, open opener) {
	s := open(t)
	address := s.wallet("treasury")
	s.Post("/v1/test_helpers/deposits", apitest.Object{
		"address": address, "amount": 9, "mint": stranger(t, 7), "wait": false,
	}).OK()
	s.advance(10)
	require.Equal(t, "0", s.balance("treasury"), "another token is no money")
	require.Equal(t, "0", s.Get("/v1/wallets/transfers").OK().Number("meta.total"))

	id := s.Get("/v1/wallets/addresses?address=" + address).OK().Text("data.id")
	s.Patch("/v1/wallets/addresses/"+id, apitest.Object{"status": "inactive"}).OK()
	s.pay(address, "5")
	require.Equal(t, "5", s.balance("treasury"))
	require.Equal(t, "1", s.Get("/v1/wallets/addresses?id="+id).OK().Number("data.deposit_count"))
	require.Equal(t, 0, s.events("stablecoin.received"), "inactive addresses send nothing")
	s.Patch("/v1/wallets/addresses/"+id, apitest.Object{"status": "active"}).OK()
	s.pay(address, "2")
	require.Equal(t, 1, s.events("stablecoin.received"))
	s.clean()
}
