package scenario_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

const crowd = 64

func TestACrowdSpendsWhatAnAddressHoldsAndNoMore(t *testing.T) {
	t.Parallel()
	inACrowd(t, testACrowdSpendsWhatAnAddressHoldsAndNoMore)
}

func testACrowdSpendsWhatAnAddressHoldsAndNoMore(t *testing.T, open opener) {
	for kind, fund := range map[string]string{"internal": "10.5", "external": "10.06"} { // ten times 1, or 1.005
		t.Run(kind, func(t *testing.T) {
			s := open(t)
			to := func(int) string { return stranger(t, 1) }
			if kind == "internal" {
				sink := s.wallet("sink")
				to = func(int) string { return sink }
			}
			for round := range 3 {
				reference := fmt.Sprintf("purse-%d", round)
				from := s.funded(reference, fund)
				answers := together(crowd, func(i int) apitest.Answer {
					return s.Post("/v1/wallets/transfer", transfer(from, to(i), "1"))
				})
				require.Equal(t, 10, affordable(t, answers), "round %d", round)
				s.advance(60)
				left := map[string]string{"internal": "0.5", "external": "0.01"}[kind]
				require.Equal(t, left, s.balance(reference))
			}
			out := s.Get("/v1/wallets/transfers?type=OUT&status=success").OK()
			require.Equal(t, "30", out.Number("meta.total"))
			s.clean()
		})
	}
}

// affordable returns how many transfers succeeded; the others must have been
// refused for want of money, with the figures.
func affordable(t *testing.T, answers []apitest.Answer) int {
	t.Helper()
	paid := 0
	for _, answer := range answers {
		if answer.Status == http.StatusOK {
			paid++
			continue
		}
		answer.Fails(http.StatusBadRequest, "insufficient_balance")
		available := usdc(t, answer.Number("error.details.available"))
		require.GreaterOrEqual(t, available.Minor(), int64(0), "%s", answer.Raw)
		require.Less(t, available.Minor(), usdc(t, answer.Number("error.details.required")).Minor())
	}
	return paid
}

func TestAHundredRoundsOfOverdraftThroughTheEngine(t *testing.T) {
	t.Parallel()
	overdraw(t, openMemory(t), 100)
}

// On a file each of the crowd that loses three times waits for the disk alone.
func TestRoundsOfOverdraftThroughTheEngineOnSQLite(t *testing.T) {
	t.Parallel()
	overdraw(t, openSQLite(t), 20)
}

// overdraw lets a crowd take more than a purse holds, again and again.
func overdraw(t *testing.T, s shop, rounds int) {
	treasury, sink := s.funded("treasury", "1050"), s.wallet("sink")
	scope := s.Tenant.Business.Scope
	for round := range rounds {
		purse := s.wallet(fmt.Sprintf("purse-%d", round))
		s.Post("/v1/wallets/transfer", transfer(treasury, purse, "10.5")).OK()
		errs := together(crowd, func(int) error {
			_, err := s.Engine.Outgoing.Transfer(t.Context(), scope, outgoing.TransferParams{
				From: purse, To: sink, Amount: usdc(t, "1"),
			})
			return err
		})
		paid := 0
		for _, err := range errs {
			if err == nil {
				paid++
				continue
			}
			require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
		}
		require.Equal(t, 10, paid, "round %d", round)
		require.Equal(t, "0.5", s.balance(fmt.Sprintf("purse-%d", round)))
	}
	require.Equal(t, strconv.Itoa(10*rounds), s.balance("sink"))
	s.clean()
}
