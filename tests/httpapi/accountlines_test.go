package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAllCreditsOfAReservedAccountArePagedAndFiltered(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	account := s.Post("/v1/fiat/reserved-accounts", reservedAccount(s)).OK()
	id, number := account.Text("data.id"), account.Text("data.account_number")
	other := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "other"}).OK()
	credit := func(to string, n int) {
		s.Post("/v1/test_helpers/bank_credits", apitest.Object{
			"account_number": to, "amount": n, "session_id": fmt.Sprintf("session-%s-%d", to, n),
		}).OK()
		s.Clock.Add(time.Second)
	}
	const credits = 103
	for n := range credits {
		credit(number, n+1)
	}
	credit(other.Text("data.account_number"), 5)

	read := "/v1/fiat/reserved-accounts?transaction=1&id=" + id
	whole := s.Get(read).OK()
	require.Equal(t, 100, whole.Len("data.transactions"), "by default the newest 100")
	require.Equal(t, "103", whole.Number("data.transactions_page.total"))
	require.Equal(t, true, whole.At("data.transactions_page.has_more"))
	last := s.Get(read + "&limit=40&page=3").OK()
	require.Equal(t, 23, last.Len("data.transactions"))
	require.Equal(t, "1", last.Number("data.transactions.22.amount"), "the first credit")
	require.Equal(t, "3", last.Number("data.transactions_page.total_pages"))
	require.Equal(t, 0, s.Get(read+"&page=3").OK().Len("data.transactions"))
	require.Nil(t, s.Get("/v1/fiat/reserved-accounts?id="+id).OK().At("data.transactions_page"))
	s.Get(read+"&limit=101").Refuses("limit", "Must be 1 to 100")

	for _, filter := range []string{"account_id=" + id, "account_id=" + account.Text("data.uid"), "account_number=" + number, "account_id=" + id + "&account_number=" + number} {
		lines := s.Get("/v1/transactions?limit=100&page=2&" + filter).OK()
		require.Equal(t, "103", lines.Number("meta.total"), filter)
		require.Equal(t, 3, lines.Len("data"), filter)
	}
	require.Equal(t, "1", s.Get("/v1/transactions?account_number="+other.Text("data.account_number")).OK().Number("meta.total"))
	require.Equal(t, "0", s.Get("/v1/transactions?status=returned&account_id="+id).OK().Number("meta.total"))
	s.Get("/v1/transactions?account_id="+id+"&account_number="+other.Text("data.account_number")).Fails(http.StatusNotFound, "account_not_found")
	s.Get("/v1/transactions?account_number=0000000000").Fails(http.StatusNotFound, "account_not_found")
	stranger := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	for _, filter := range []string{"account_id=" + id, "account_number=" + number} {
		stranger.Get("/v1/transactions?"+filter).Fails(http.StatusNotFound, "account_not_found")
	}
}
