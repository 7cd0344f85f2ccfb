package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// fiatTransfer sends 100 naira from the source account of the demo business.
func fiatTransfer(s *apitest.Server, reference, number string) apitest.Object {
	return apitest.Object{
		"reference": reference, "source_bank_account_id": s.Tenant.Business.SourceAccounts[0].ID, "currency": "NGN", "narration": "Rent",
		"amount": 100, "beneficiary": apitest.Object{"bank_code": "058", "account_number": number},
	}
}

// walletTransfer sends 100 naira from the balance.
func walletTransfer(reference, number string) apitest.Object {
	return apitest.Object{"reference": reference, "amount": "100", "currency": "NGN", "bank_code": "000013", "account_number": number}
}

func TestATransferOfNairaShowsItsSourceAndItsReceiver(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	source := s.Tenant.Business.SourceAccounts[0]
	body := fiatTransfer(s, "rent", "0123456780")
	body["amount"] = "25000.50"
	made := s.Post("/v1/fiat/transfers", body).OK()
	for path, want := range map[string]string{
		"reference": "rent", "status": "pending", "currency": "NGN", "amount_unit": "major", "type": "OUT", "channel": "bank_account",
		"debit_account_id": source.ID, "debit_account_number": source.AccountNumber, "narration": "Rent",
		"beneficiary.bank_code": "058", "beneficiary.account_number": "0123456780",
	} {
		require.Equal(t, want, made.Text("data."+path), path)
	}
	for path, want := range map[string]string{"amount": "25000.5", "fee": "0", "balance_before": "1000000", "balance_after": "974999.5"} {
		require.Equal(t, want, made.Number("data."+path), path)
	}
	require.True(t, strings.HasPrefix(made.Text("data.uid"), "trf_"))
	require.NotEqual(t, "0", made.Number("data.id"))
	require.NotEmpty(t, made.Text("data.beneficiary.account_name"), "the bank was asked for the holder")
	for _, none := range []string{"session_id", "last_error", "paid_at", "returned_at"} {
		require.Nil(t, made.At("data."+none), none)
	}
	s.Settle()
	s.Advance(time.Second)
	done := s.Post("/v1/fiat/transfers/status", apitest.Object{"uid": made.Text("data.uid")}).OK()
	require.Equal(t, "success", done.Text("data.status"))
	require.NotEmpty(t, done.Text("data.session_id"))
	require.Equal(t, made.Number("data.id"), done.Number("data.id"))
}

func TestATransferFromTheBalanceNamesNoSource(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	body := walletTransfer("rent", "0123456780")
	delete(body, "reference")
	made := s.Post("/v1/transfers", body).OK()
	require.Equal(t, "wallet", made.Text("data.channel"))
	require.Equal(t, made.Text("data.uid"), made.Text("data.reference"), "by default its id")
	require.Nil(t, made.At("data.debit_account_id"))
	require.Nil(t, made.At("data.debit_account_number"))
	other := s.Post("/v1/fiat/transfers", fiatTransfer(s, "rent", "0123456780")).OK()
	for _, list := range []string{"/v1/transfers", "/v1/fiat/transfers"} {
		found := s.Get(list).OK()
		require.Equal(t, []string{other.Text("data.uid"), made.Text("data.uid")}, []string{found.Text("data.0.uid"), found.Text("data.1.uid")}, "both lists have both")
	}
}

func TestATransferOfNairaIsReadByEveryOfItsNames(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	made := s.Post("/v1/fiat/transfers", fiatTransfer(s, "rent", "0123456786")).OK()
	uid := made.Text("data.uid")
	legacy := "uid_" + uid[len("trf_"):]
	for _, group := range []string{"/v1/fiat/transfers", "/v1/transfers"} {
		for _, name := range []string{"id=" + uid, "id=" + legacy, "uid=" + uid, "reference=rent", "uid=" + uid + "&reference=rent"} {
			require.Equal(t, made.At("data"), s.Get(group+"?"+name).OK().At("data"), name)
		}
		for _, body := range []apitest.Object{{"uid": uid}, {"uid": legacy}, {"id": uid}, {"reference": "rent"}} {
			require.Equal(t, made.At("data"), s.Post(group+"/status", body).OK().At("data"))
		}
		for _, none := range []string{"reference=none", "id=trf_none", "id=" + uid + "&reference=other", "id=" + uid + "&uid=uid_none"} {
			s.Get(group+"?"+none).Fails(http.StatusNotFound, "transfer_not_found")
		}
		s.Post(group+"/status", apitest.Object{"uid": "trf_none"}).Fails(http.StatusNotFound, "transfer_not_found")
		s.Post(group+"/status", apitest.Object{}).Refuses("uid", "Missing required field")
	}
	stranger := s.As(s.Post("/v1/test_helpers/businesses", apitest.Object{"name": "Other"}).OK().Text("data.secret_key"))
	stranger.Post("/v1/fiat/transfers/status", apitest.Object{"uid": uid}).Fails(http.StatusNotFound, "transfer_not_found")
	stranger.Post("/v1/fiat/transfers", fiatTransfer(s, "rent", "0123456780")).Refuses("source_bank_account_id", "Is no source account of this business")
}

func TestListsOfTransfersOfNairaAreFiltered(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/fiat/transfers", fiatTransfer(s, "paid", "0123456780")).OK()
	s.Post("/v1/fiat/transfers", fiatTransfer(s, "refused", "0123456789")).OK()
	s.Settle()
	s.Advance(24 * time.Hour)
	s.Post("/v1/fiat/transfers", fiatTransfer(s, "waiting", "0123456786")).OK()
	for query, want := range map[string]string{
		"": "waiting refused paid", "?type=OUT": "waiting refused paid", "?type=IN": "",
		"?status=success": "paid", "?status=successful": "paid", "?status=completed": "paid", "?status=failed": "refused",
		"?status=reversed": "", "?fromDate=2026-03-03": "waiting", "?date_from=2026-03-03": "waiting", "?from_date=2026-03-03": "waiting",
		"?toDate=2026-03-02": "refused paid", "?date_to=2026-03-02": "refused paid", "?to_date=2026-03-02": "refused paid",
		"?limit=1&page=2": "refused", "?limit=1&page=4": "",
	} {
		var references []string
		answer := s.Get("/v1/fiat/transfers" + query).OK()
		for i := range answer.Len("data") {
			references = append(references, answer.Text("data."+string(rune('0'+i))+".reference"))
		}
		require.Equal(t, want, strings.Join(references, " "), query)
	}
	for _, wrong := range []string{"?status=done", "?type=out", "?page=0", "?limit=101", "?fromDate=zz"} {
		s.Get("/v1/fiat/transfers"+wrong).Fails(http.StatusBadRequest, "validation_error")
	}
}

func TestATransferOfNairaIsRefusedByName(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/fiat/transfers", fiatTransfer(s, "rent", "0123456780")).OK()
	send := func(change apitest.Object) apitest.Answer {
		body := fiatTransfer(s, "next", "0123456780")
		for name, value := range change {
			body[name] = value
		}
		return s.Post("/v1/fiat/transfers", body)
	}
	send(apitest.Object{"reference": "rent"}).Fails(http.StatusBadRequest, "duplicate_reference")
	send(apitest.Object{"currency": "USDC"}).Fails(http.StatusBadRequest, "invalid_currency")
	send(apitest.Object{"beneficiary": apitest.Object{"bank_code": "058", "account_number": "0000000000"}}).Fails(http.StatusUnprocessableEntity, "name_enquiry_failed")
	short := send(apitest.Object{"amount": 2_000_000}).Fails(http.StatusBadRequest, "insufficient_balance")
	require.Equal(t, "999900", short.Number("error.details.available"))
	require.Equal(t, "2000000", short.Number("error.details.required"))
	send(apitest.Object{"source_bank_account_id": "bank_1"}).Refuses("source_bank_account_id", "Is no source account of this business")
	send(apitest.Object{"amount": 0, "reference": "a b", "beneficiary": apitest.Object{"bank_code": "059", "account_number": "1"}}).Refuses(
		"amount", "Must be greater than 0",
		"reference", "Must be 1 to 100 letters, digits, hyphens or underscores",
		"beneficiary.bank_code", "Is not the code of a bank",
		"beneficiary.account_number", "Must be 10 digits",
	)
	s.Post("/v1/transfers", apitest.Object{}).Refuses(
		"amount", "Missing required field", "currency", "Missing required field",
		"bank_code", "Missing required field", "account_number", "Missing required field",
	)
	s.Post("/v1/fiat/transfers", apitest.Object{}).Refuses(
		"amount", "Missing required field", "currency", "Missing required field", "source_bank_account_id", "Missing required field",
		"beneficiary.bank_code", "Missing required field", "beneficiary.account_number", "Missing required field",
	)
	require.Equal(t, "1", s.Get("/v1/fiat/transfers").OK().Number("meta.total"))
}

func TestBanksAreListedByTheirCodes(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	list := s.Get("/v1/fiat/transfers/banks").OK()
	require.Equal(t, []string{"999", "Sandbox Bank"}, []string{list.Text("data.0.bank_code"), list.Text("data.0.bank_name")})
	require.Contains(t, string(list.Raw), `{"bank_code":"058","bank_name":"Guaranty Trust Bank","nip_code":"000013"}`)
	require.Equal(t, list.At("data"), s.Get("/v1/transfers/banks").OK().At("data"))
	for _, group := range []string{"/v1/fiat/transfers", "/v1/transfers"} {
		for _, code := range []string{"058", "000013", "999"} {
			holder := s.Post(group+"/name-enquiry", apitest.Object{"bank_code": code, "account_number": "0123456789"}).OK()
			require.Equal(t, "verified", holder.Text("data.status"))
			require.NotEmpty(t, holder.Text("data.account_name"))
		}
		s.Post(group+"/name-enquiry", apitest.Object{"bank_code": "058", "account_number": "0000000000"}).Fails(http.StatusUnprocessableEntity, "name_enquiry_failed")
		s.Post(group+"/name-enquiry", apitest.Object{"bank_code": "059", "account_number": "0123456789"}).Refuses("bank_code", "Is not the code of a bank")
	}
}
