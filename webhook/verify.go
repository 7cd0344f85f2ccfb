package webhook

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
)

var (
	// ErrSignature refuses a body that none of the secrets signed.
	ErrSignature = errors.New("webhook: no valid signature")
	// ErrTimestamp refuses a signature that is too old, from the future, or
	// without a timestamp.
	ErrTimestamp = errors.New("webhook: timestamp missing or out of tolerance")
	// ErrPayload refuses a signed body that is no event.
	ErrPayload = errors.New("webhook: body is not an event")
)

// Verifier checks what a receiver gets. The zero value has the defaults.
type Verifier struct {
	// SignatureHeader is the name of the specified header: x-service-signature.
	SignatureHeader string
	// Tolerance is how far the timestamp of a standard signature may lie from
	// now: 5 minutes.
	Tolerance time.Duration
	// Now returns the present time. Default: the machine's.
	Now func() time.Time
	// AcceptUntimed accepts the specified header alone, for a sender or a proxy
	// that leaves the headers of Standard Webhooks out. It gives up the check of
	// age: the specified header has no timestamp, so an attacker who has captured one
	// delivery can send it again at any time, without the other headers. Set it
	// only where every event is handled once by its ID, kept for ever.
	AcceptUntimed bool
}

const defaultTolerance = 5 * time.Minute

func (v Verifier) withDefaults() Verifier {
	v.SignatureHeader = cmp.Or(v.SignatureHeader, DefaultHeader)
	v.Tolerance = cmp.Or(v.Tolerance, defaultTolerance)
	if v.Now == nil {
		v.Now = ferry.SystemClock{}.Now
	}
	return v
}

// Verify checks the signature of a body with a Verifier's defaults.
func Verify(body []byte, header http.Header, secrets ...string) error {
	return Verifier{}.Verify(body, header, secrets...)
}

// Verify returns nil when one of the secrets signed the body. The body must be
// the bytes that arrived, before any parsing.
//
// The headers of Standard Webhooks decide: they carry a timestamp, which must be
// fresh, and during a rotation one signature for each secret. Without them the
// specified header, in its hyphen or underscore spelling, is enough only with
// AcceptUntimed; values that a server joined with commas are tried one by one.
// Comparisons take constant time. Errors: ErrSignature, ErrTimestamp.
func (v Verifier) Verify(body []byte, header http.Header, secrets ...string) error {
	v = v.withDefaults()
	if standard := valuesOf(header, headerSignature); len(standard) > 0 {
		return v.verifyStandard(body, header, standard, secrets)
	}
	for _, given := range valuesOf(header, v.SignatureHeader) {
		if anySigned(given, secrets, body) {
			return v.untimed()
		}
	}
	return ErrSignature
}

// untimed judges a body whose only valid signature has no timestamp.
func (v Verifier) untimed() error {
	if v.AcceptUntimed {
		return nil
	}
	return ErrTimestamp
}

func anySigned(given string, secrets []string, body []byte) bool {
	signature, err := hex.DecodeString(given)
	if err != nil {
		return false
	}
	for _, secret := range secrets {
		want, _ := hex.DecodeString(Sign(secret, body))
		if secret != "" && hmac.Equal(signature, want) {
			return true
		}
	}
	return false
}

func (v Verifier) verifyStandard(body []byte, header http.Header, given, secrets []string) error {
	ids, timestamps := valuesOf(header, headerID), valuesOf(header, headerTimestamp)
	if len(ids) == 0 || len(timestamps) == 0 {
		return ErrSignature
	}
	if err := v.checkTimestamp(timestamps[0]); err != nil {
		return err
	}
	for _, secret := range secrets {
		key, ok := secretKey(secret)
		if !ok {
			continue
		}
		want := []byte(signStandard(hmac.New(sha256.New, key), appendStandard(nil, ids[0], timestamps[0], body)))
		for _, signature := range given {
			if hmac.Equal([]byte(standardVersion+signature), want) {
				return nil
			}
		}
	}
	return ErrSignature
}

func (v Verifier) checkTimestamp(text string) error {
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return ErrTimestamp
	}
	if age := v.Now().Sub(time.Unix(seconds, 0)); age.Abs() > v.Tolerance {
		return ErrTimestamp
	}
	return nil
}

// maxValues bounds how many signatures of one request are tried.
const maxValues = 16

// valuesOf returns the values of a header in any letter case and with hyphens or
// underscores, split where they are joined by commas or spaces.
func valuesOf(header http.Header, name string) []string {
	name = underscored(name)
	var all []string
	for key, values := range header {
		if !strings.EqualFold(underscored(key), name) {
			continue
		}
		for _, value := range values {
			all = append(all, strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })...)
		}
	}
	return all[:min(len(all), maxValues)]
}
