package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/webhook"
)

// The vector of docs/api.md, "Webhook signatures".
const (
	vectorSecret   = "whsec_test_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	vectorBody     = `{"id":"evt_1","type":"webhook.test"}`
	vectorHex      = "02b87f3350977017824a72d6aca8a6be9b55ed230672e43d6f7c708190565d3e6740b425d8f6240e68973fbfdf52f6fc120394699aa0acd060d765d72e1ccf56"
	vectorTime     = "1772442900"
	vectorStandard = "v1,4C7QXYLuQYW3jAx9eBAiJ3WB1bpFi7CQaO63ZY2+JAo="
)

func fourMinutesLater() time.Time { return time.Unix(1772442900, 0).Add(4 * time.Minute) }

var (
	byDefault = webhook.Verifier{Now: fourMinutesLater}
	atVector  = webhook.Verifier{Now: fourMinutesLater, AcceptUntimed: true}
)

func standardHeader() http.Header {
	return http.Header{"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {vectorTime}, "Webhook-Signature": {vectorStandard}}
}

func TestTheDocumentedVectorVerifies(t *testing.T) {
	require.Equal(t, vectorHex, webhook.Sign(vectorSecret, []byte(vectorBody)))
	for name, header := range map[string]http.Header{
		"specified header":                               {"X-Service-Signature": {vectorHex}},
		"underscore spelling":                            {"X_service_signature": {vectorHex}},
		"as the specification has it":                    {"X_SERVICE_SIGNATURE": {vectorHex}},
		"map without canonical keys":                     {"x-service-signature": {vectorHex}},
		"upper-case digits":                              {"X-Service-Signature": {strings.ToUpper(vectorHex)}},
		"joined by a comma":                              {"X-Service-Signature": {vectorHex + "," + vectorHex}},
		"joined by a comma and a space":                  {"X-Service-Signature": {vectorHex + ", " + vectorHex}},
		"standard headers":                               standardHeader(),
		"both":                                           {"X-Service-Signature": {vectorHex}, "Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {vectorTime}, "Webhook-Signature": {vectorStandard}},
		"standard with another secret's signature first": {"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {vectorTime}, "Webhook-Signature": {"v1,AAAA " + vectorStandard}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, atVector.Verify([]byte(vectorBody), header, vectorSecret))
			require.NoError(t, atVector.Verify([]byte(vectorBody), header, "whsec_test_b3RoZXI=", vectorSecret))
			require.ErrorIs(t, atVector.Verify([]byte(vectorBody), header, "whsec_test_b3RoZXI="), webhook.ErrSignature)
			require.ErrorIs(t, atVector.Verify([]byte(vectorBody), header), webhook.ErrSignature)
			require.ErrorIs(t, atVector.Verify([]byte(vectorBody), header, ""), webhook.ErrSignature)
			require.ErrorIs(t, atVector.Verify([]byte(vectorBody+" "), header, vectorSecret), webhook.ErrSignature)
		})
	}
	t.Run("standard headers with the form of the secret that their libraries take", func(t *testing.T) {
		short := webhook.StandardSecret(vectorSecret)
		require.Equal(t, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", short)
		require.NoError(t, atVector.Verify([]byte(vectorBody), standardHeader(), short))
	})
}

func TestACapturedDeliveryIsNotAcceptedWithoutItsTimestamp(t *testing.T) {
	captured := standardHeader()
	captured.Set("X-Service-Signature", vectorHex)
	require.NoError(t, byDefault.Verify([]byte(vectorBody), captured, vectorSecret))
	for name, removed := range map[string][]string{
		"all standard headers": {"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"},
		"the signature":        {"Webhook-Signature"},
		"the timestamp":        {"Webhook-Timestamp"},
	} {
		t.Run("without "+name, func(t *testing.T) {
			replayed := captured.Clone()
			for _, header := range removed {
				replayed.Del(header)
			}
			require.Error(t, byDefault.Verify([]byte(vectorBody), replayed, vectorSecret))
			require.Error(t, webhook.Verify([]byte(vectorBody), replayed, vectorSecret))
			_, err := webhook.ConstructEvent([]byte(vectorBody), replayed, vectorSecret)
			require.Error(t, err)
		})
	}
	t.Run("and the reason is the timestamp only when the signature is genuine", func(t *testing.T) {
		alone := http.Header{"X-Service-Signature": {vectorHex}}
		require.ErrorIs(t, byDefault.Verify([]byte(vectorBody), alone, vectorSecret), webhook.ErrTimestamp)
		require.ErrorIs(t, byDefault.Verify([]byte(vectorBody), alone, "whsec_test_b3RoZXI="), webhook.ErrSignature)
	})
	t.Run("unless the receiver has chosen so", func(t *testing.T) {
		require.NoError(t, atVector.Verify([]byte(vectorBody), http.Header{"X-Service-Signature": {vectorHex}}, vectorSecret))
	})
}

func TestBadHeadersAreRefused(t *testing.T) {
	for name, header := range map[string]http.Header{
		"none":                 {},
		"empty":                {"X-Service-Signature": {""}},
		"not hexadecimal":      {"X-Service-Signature": {strings.Repeat("z", 128)}},
		"cut short":            {"X-Service-Signature": {vectorHex[:126]}},
		"standard without id":  {"Webhook-Timestamp": {vectorTime}, "Webhook-Signature": {vectorStandard}},
		"standard without now": {"Webhook-Id": {"evt_1"}, "Webhook-Signature": {vectorStandard}},
		"another id":           {"Webhook-Id": {"evt_2"}, "Webhook-Timestamp": {vectorTime}, "Webhook-Signature": {vectorStandard}},
		"another timestamp":    {"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {"1772442901"}, "Webhook-Signature": {vectorStandard}},
		"genuine after many":   {"X-Service-Signature": {strings.Repeat("00,", 16) + vectorHex}},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, atVector.Verify([]byte(vectorBody), header, vectorSecret), webhook.ErrSignature)
		})
	}
}

func TestAStandardSignatureAgesOut(t *testing.T) {
	for offset, want := range map[time.Duration]error{
		0: nil, 5 * time.Minute: nil, -5 * time.Minute: nil,
		5*time.Minute + time.Second:  webhook.ErrTimestamp,
		-5*time.Minute - time.Second: webhook.ErrTimestamp,
	} {
		v := webhook.Verifier{Now: func() time.Time { return time.Unix(1772442900, 0).Add(offset) }}
		require.ErrorIs(t, v.Verify([]byte(vectorBody), standardHeader(), vectorSecret), want, offset.String())
	}
	h := standardHeader()
	for _, text := range []string{"", "soon", "1e9", "99999999999999999999"} {
		h.Set("Webhook-Timestamp", text)
		require.Error(t, atVector.Verify([]byte(vectorBody), h, vectorSecret))
	}
}

func TestASenderMayNameItsHeaderOtherwise(t *testing.T) {
	v := webhook.Verifier{SignatureHeader: "x-acme-signature", AcceptUntimed: true}
	require.NoError(t, v.Verify([]byte(vectorBody), http.Header{"X_Acme_Signature": {vectorHex}}, vectorSecret))
	require.ErrorIs(t, v.Verify([]byte(vectorBody), http.Header{"X-Service-Signature": {vectorHex}}, vectorSecret), webhook.ErrSignature)
}

func TestConstructEventReadsWhatWasSigned(t *testing.T) {
	body, err := webhook.GenerateTestEvent("customer.verified", map[string]any{"customer_id": "cus_1"})
	require.NoError(t, err)
	request, err := webhook.SignedRequest("https://shop.example.com/hooks", body, vectorSecret)
	require.NoError(t, err)

	event, err := webhook.ConstructEvent(body, request.Header, vectorSecret)
	require.NoError(t, err)
	require.Equal(t, "customer.verified", event.Type)
	require.EqualValues(t, 1, event.Sequence)
	require.Equal(t, "v1", event.APIVersion)
	require.WithinDuration(t, time.Now(), event.CreatedAt, time.Minute)
	require.Equal(t, body, event.Raw)
	var data struct {
		CustomerID string `json:"customer_id"`
	}
	require.NoError(t, event.Decode(&data))
	require.Equal(t, "cus_1", data.CustomerID)
}

func TestASignedBodyThatIsNoEventIsRefused(t *testing.T) {
	for _, body := range []string{"", "null", "[]", "{}", `{"id":"evt_1"}`, `{"type":"x"}`, `{"id":1,"type":"x"}`, `{"id":"evt_1","type":"x"} x`} {
		header := http.Header{"X-Service-Signature": {webhook.Sign(vectorSecret, []byte(body))}}
		_, err := atVector.ConstructEvent([]byte(body), header, vectorSecret)
		require.ErrorIs(t, err, webhook.ErrPayload, body)
	}
}

func TestAHandlerAnswersForItsFunction(t *testing.T) {
	genuine, err := webhook.GenerateTestEvent("webhook.test", nil)
	require.NoError(t, err)
	var got []webhook.Received
	handler := webhook.Handler(func(_ context.Context, e webhook.Received) error {
		got = append(got, e)
		if e.Type == "bad" {
			return errors.New("database is away")
		}
		return nil
	}, vectorSecret)
	answer := func(r *http.Request) int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code
	}
	signed := func(body []byte, secret string) *http.Request {
		r, err := webhook.SignedRequest("http://shop.example.com/", body, secret)
		require.NoError(t, err)
		return r
	}

	require.Equal(t, 200, answer(signed(genuine, vectorSecret)))
	require.Len(t, got, 1)
	require.Equal(t, 400, answer(signed(genuine, "whsec_test_b3RoZXI=")))
	require.Equal(t, 405, answer(httptest.NewRequest(http.MethodGet, "/", nil)))
	huge := fmt.Appendf(nil, `{"id":"evt_1","type":"x","data":"%s"}`, strings.Repeat("x", 1<<20))
	require.Equal(t, 413, answer(signed(huge, vectorSecret)))
	broken := signed(genuine, vectorSecret)
	broken.Body = io.NopCloser(io.MultiReader(bytes.NewReader(genuine), brokenReader{}))
	require.Equal(t, 400, answer(broken))
	require.Len(t, got, 1, "nothing else reached the function")

	bad, err := webhook.GenerateTestEvent("bad", nil)
	require.NoError(t, err)
	require.Equal(t, 500, answer(signed(bad, vectorSecret)), "so that it comes again")
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestARequestCannotBeSignedWithoutASecret(t *testing.T) {
	_, err := webhook.SignedRequest("https://shop.example.com/", []byte(vectorBody))
	require.Error(t, err)
}

func TestWhateverIsSignedVerifiesAndNothingElseDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := "whsec_live_" + rapid.StringMatching(`[A-Za-z0-9+/]{40}`).Draw(t, "secret")
		id := rapid.StringMatching(`evt_[0-9a-f]{32}`).Draw(t, "id")
		body := []byte(`{"id":"` + id + `","type":"t"}`)
		r, err := webhook.SignedRequest("https://shop.example.com/", body, secret)
		require.NoError(t, err)
		v := webhook.Verifier{AcceptUntimed: rapid.Bool().Draw(t, "specified only")}
		if v.AcceptUntimed {
			r.Header.Del("Webhook-Signature")
		}
		require.NoError(t, v.Verify(body, r.Header, secret))

		changed := bytes.Clone(body)
		changed[rapid.IntRange(0, len(body)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		require.Error(t, v.Verify(changed, r.Header, secret))
	})
}

func FuzzConstructEvent(f *testing.F) {
	f.Add([]byte(vectorBody), vectorHex, "", "")
	f.Add([]byte(vectorBody), "", vectorStandard, vectorTime)
	f.Add([]byte("{"), "00,,", "v1, v1", "-1")
	f.Fuzz(func(t *testing.T, body []byte, specified, standard, timestamp string) {
		header := http.Header{"X-Service-Signature": {specified}, "Webhook-Signature": {standard}, "Webhook-Timestamp": {timestamp}, "Webhook-Id": {"evt_1"}}
		event, err := atVector.ConstructEvent(body, header, vectorSecret)
		if err == nil && (event.ID == "" || event.Type == "" || string(body) != vectorBody && specified != webhook.Sign(vectorSecret, body)) {
			t.Fatalf("accepted %q", body)
		}
	})
}
