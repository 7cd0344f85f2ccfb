package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/tests/apitest"
)

const (
	goodBVN     = "22212345670"
	rejectedBVN = "22212345671"
	silentBVN   = "22212345672"
)

func initiation(number, customer string) apitest.Object {
	body := apitest.Object{"type": "BVN", "number": number}
	if customer != "" {
		body["customer_id"] = customer
	}
	return body
}

func validation(number, otp string) apitest.Object {
	return apitest.Object{"type": "bvn", "number": number, "otp": otp}
}

// lastEvent is the newest event of the business.
func lastEvent(s *apitest.Server) apitest.Answer {
	all := s.Get("/v1/events?limit=100").OK()
	events := all.Body.(map[string]any)["data"].([]any)
	if len(events) == 0 {
		return apitest.Answer{}
	}
	last := all
	last.Body = events[len(events)-1]
	return last
}

func TestAnIdentityIsVerified(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	customer := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	begun := s.Post("/v1/customers/identity/initiate", initiation(goodBVN, customer)).OK()
	require.Equal(t, "bvn", begun.Text("data.type"))
	require.Equal(t, "222123****0", begun.Text("data.number"))
	require.Regexp(t, `^idn_[0-9a-f]{32}$`, begun.Text("data.identity_id"))

	otp := s.Get("/v1/test_helpers/otp?number=" + goodBVN).OK().Text("data.otp")
	require.Equal(t, "123456", otp)
	done := s.Post("/v1/customers/identity/validate", validation(goodBVN, otp)).OK()
	require.Equal(t, "222123****0", done.Text("data.bvn"))
	require.NotEmpty(t, done.Text("data.firstName"))
	for _, field := range []string{
		"bvn", "firstName", "middleName", "lastName", "dateOfBirth", "phoneNumber1", "phoneNumber2", "gender", "email",
		"lgaOfOrigin", "maritalStatus", "nin", "stateOfOrigin", "levelOfAccount", "registrationDate", "imageBase64",
	} {
		require.True(t, done.Has("data."+field), "%s is there, null or not", field)
	}
	require.NotContains(t, string(done.Raw), goodBVN)

	read := s.Get("/v1/customers?id=" + customer).OK()
	require.Equal(t, "verified", read.Text("data.status"))
	require.Equal(t, "bvn", read.Text("data.verification_details.method"))
	require.Equal(t, "222123****0", read.Text("data.bvn"), "stored, since there was none")
	event := lastEvent(s)
	require.Equal(t, "customer.verified", event.Text("type"))
	require.Equal(t, "bvn", event.Text("data.verification_method"))
	require.Equal(t, "bvn", event.Text("data.verification_type"))

	s.Post("/v1/customers/identity", initiation(goodBVN, customer)).Fails(http.StatusConflict, "already_verified")
	record := s.Get("/v1/customers/identity?type=BVN&number=" + goodBVN).OK()
	require.Equal(t, begun.Text("data.identity_id"), record.Text("data.identity_id"))
	require.Equal(t, "verified", record.Text("data.status"))
	require.Equal(t, "222123****0", record.Text("data.number"))
}

func TestAllThatIsWrongWithAQuestionForAnIdentityIsNamedAtOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	const absent, unknown = "Missing required field", "Must be one of bvn, nin, cac"
	for query, refusals := range map[string][]string{
		"":                      {"type", absent, "number", absent},
		"?type=x":               {"type", unknown, "number", absent},
		"?type=bvn":             {"number", absent},
		"?number=1":             {"type", absent},
		"?type=x&number=":       {"type", unknown, "number", "Must not be empty"},
		"?type=NIN&number=1":    {"number", "Invalid NIN format"},
		"?type=x&number=%01":    {"type", unknown, "number", "Must not contain control characters"},
		"?type=%20&number=RC12": {"type", "Must not be empty"},
	} {
		s.Get("/v1/customers/identity" + query).Refuses(refusals...)
	}
}

func TestAWrongOTPRejectsTheCustomer(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	customer := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, customer)).OK()
	s.Post("/v1/customers/identity/validate", validation(goodBVN, "654321")).Fails(http.StatusBadRequest, "invalid_otp")
	require.Equal(t, "rejected", s.Get("/v1/customers?id="+customer).OK().Text("data.status"))
	event := lastEvent(s)
	require.Equal(t, "customer.verification_failed", event.Text("type"))
	require.Equal(t, "invalid_otp", event.Text("data.failure_reason"))

	s.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).OK()
	require.Equal(t, "verified", s.Get("/v1/customers?id="+customer).OK().Text("data.status"), "a further try of the same initiation is judged")
}

func TestARefusedAttemptIsReplayedNotRepeated(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
	once := s.With("Idempotency-Key", "try-1")
	first := once.Post("/v1/customers/identity/validate", validation(goodBVN, "000000")).Fails(http.StatusBadRequest, "invalid_otp")
	for range 8 {
		again := once.Post("/v1/customers/identity/validate", validation(goodBVN, "000000"))
		require.Equal(t, string(first.Raw), string(again.Raw))
		require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	}
	s.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).OK()
}

func TestTheReplayOfAValidationHasNoIdentity(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
	once := s.With("Idempotency-Key", "validate-1")
	first := once.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).OK()
	require.NotNil(t, first.At("data.firstName"))
	again := once.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).OK()
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	require.Equal(t, "222123****0", again.Text("data.bvn"))
	require.Nil(t, again.At("data.firstName"))
}

func TestAProviderThatDoesNotAnswerIsNoFinalAnswer(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	customer := s.Post("/v1/customers", newCustomer(1)).OK().Text("data.id")
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, customer)).OK()
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": "kyc", "kind": "unavailable", "count": 1}).OK()
	once := s.With("Idempotency-Key", "validate-1")
	down := once.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
	require.NotEmpty(t, down.Header.Get("Retry-After"))
	require.Equal(t, down.Header.Get("Retry-After"), down.Number("retry_after"))
	require.Equal(t, "pending_verification", s.Get("/v1/customers?id="+customer).OK().Text("data.status"))
	require.Equal(t, "provider_unavailable", lastEvent(s).Text("data.failure_reason"))

	resumed := once.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).OK()
	require.Empty(t, resumed.Header.Get("Idempotency-Replayed"))
	require.Equal(t, "verified", s.Get("/v1/customers?id="+customer).OK().Text("data.status"))
}

func TestMagicNumbersDecideTheOutcome(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers/identity/initiate", initiation(rejectedBVN, "")).OK()
	s.Post("/v1/customers/identity/validate", validation(rejectedBVN, "123456")).Fails(http.StatusUnprocessableEntity, "identity_not_verified")
	s.Post("/v1/customers/identity/initiate", initiation(silentBVN, "")).OK()
	s.Post("/v1/customers/identity/validate", validation(silentBVN, "123456")).Fails(http.StatusServiceUnavailable, "provider_unavailable")
}

func TestACompanyIsJudgedAtOnce(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	customer := s.Post("/v1/customers", newCompany(1)).OK()
	begun := s.Post("/v1/customers/identity/initiate", apitest.Object{
		"type": "cac", "number": customer.Text("data.cac_number"), "customer_id": customer.Text("data.id"),
	}).OK()
	require.Equal(t, customer.Text("data.cac_number"), begun.Text("data.number"))
	require.Equal(t, "Identity verified successfully", begun.Text("message"))
	require.Equal(t, "verified", s.Get("/v1/customers?id="+customer.Text("data.id")).OK().Text("data.status"))
	require.Equal(t, "cac", lastEvent(s).Text("data.verification_type"))
}

func TestVerificationRefusals(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).Fails(http.StatusNotFound, "identity_not_found")
	s.Post("/v1/customers/identity/initiate", apitest.Object{}).
		Refuses("type", "Missing required field", "number", "Missing required field")
	s.Post("/v1/customers/identity/initiate", initiation("123", "")).Refuses("number", "Invalid BVN format")
	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "cus_00000000000000000000000000000000")).
		Fails(http.StatusNotFound, "customer_not_found")
	s.Get("/v1/customers/identity?type=bvn&number="+goodBVN).Fails(http.StatusNotFound, "identity_not_found")
	s.Get("/v1/customers/identity").Refuses("type", "Missing required field", "number", "Missing required field")

	s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
	s.Clock.Add(11 * time.Minute)
	s.Post("/v1/customers/identity/validate", validation(goodBVN, "123456")).Fails(http.StatusBadRequest, "invalid_otp")
	for range 4 {
		s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).OK()
	}
	over := s.Post("/v1/customers/identity/initiate", initiation(goodBVN, "")).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	require.Equal(t, over.Header.Get("Retry-After"), over.Number("retry_after"))
}

func TestAKeyInitiatesOnlySoManyVerifications(t *testing.T) {
	s := apitest.Start(t, apitest.Config{Engine: engine.Config{KeyInitiations: 2}})
	other := s.As(s.Post("/v1/api-keys", apitest.Object{"type": "secret"}).OK().Text("data.key"))
	for _, number := range []string{"22212345600", "22212345610"} {
		s.Post("/v1/customers/identity/initiate", initiation(number, "")).OK()
	}
	over := s.Post("/v1/customers/identity/initiate", initiation("22212345620", "")).Fails(http.StatusTooManyRequests, "rate_limit_exceeded")
	require.Equal(t, "3600", over.Number("retry_after"))
	other.Post("/v1/customers/identity/initiate", initiation("22212345620", "")).OK()
	s.Advance(time.Hour)
	s.Post("/v1/customers/identity/initiate", initiation("22212345630", "")).OK()
}
