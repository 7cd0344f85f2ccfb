package scenario_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestACrowdAtCollectionAccounts(t *testing.T) {
	t.Parallel()
	inACrowd(t, testACrowdAtCollectionAccounts)
}

func testACrowdAtCollectionAccounts(t *testing.T, open opener) {
	s := open(t)
	issue := func(reference string) apitest.Answer {
		return s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": reference})
	}
	numbers := map[string]bool{}
	for _, answer := range together(30, func(int) apitest.Answer { return issue("invoice-1") }) {
		if answer.Status == http.StatusOK {
			numbers[answer.Text("data.account_number")] = true
		} else {
			answer.Fails(http.StatusBadRequest, "duplicate_reference")
		}
	}
	require.Len(t, numbers, 1)
	list := s.Get("/v1/fiat/virtual-accounts").OK()
	require.Equal(t, 1, list.Len("data"))

	credit := func(number string, n int) {
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{
			"account_number": number, "amount": 100, "session_id": fmt.Sprint(number, "-", n),
		}).OK()
	}
	together(10, func(n int) any { credit(list.Text("data.0.account_number"), n); return nil })
	s.took(list.Text("data.0.id"), 1, 9)

	closed := issue("invoice-2").OK()
	together(2, func(n int) any {
		if n == 0 {
			credit(closed.Text("data.account_number"), 0)
		} else {
			s.Do(http.MethodDelete, "/v1/fiat/virtual-accounts?id="+closed.Text("data.id"), nil)
		}
		return nil
	})
	status := s.Get("/v1/fiat/virtual-accounts?id=" + closed.Text("data.id")).OK().Text("data.status")
	taken := map[string]int{"completed": 1, "closed": 0}
	require.Contains(t, taken, status, "whichever came first")
	s.took(closed.Text("data.id"), taken[status], 1-taken[status])
	s.clean()
}

// took requires how many credits of 100 naira an account took, and how many went back.
func (s shop) took(id string, taken, returned int) {
	s.t.Helper()
	account := s.Get("/v1/fiat/virtual-accounts?transaction=1&id=" + id).OK()
	require.Equal(s.t, fmt.Sprint(100*taken), account.Number("data.total_received"))
	require.Equal(s.t, fmt.Sprint(taken), account.Number("data.credit_count"))
	require.Equal(s.t, taken+returned, account.Len("data.transactions"))
	counted := map[string]int{}
	for n := range taken + returned {
		counted[account.Text(fmt.Sprint("data.transactions.", n, ".status"))]++
	}
	require.Equal(s.t, taken, counted["success"])
	require.Equal(s.t, returned, counted["returned"])
}
