package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of Standard Webhooks.
const (
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"

	standardVersion = "v1,"
)

// Sign returns the specified signature of a body: its HMAC-SHA-512 in lower-case
// hexadecimal, keyed with the whole text of the secret (docs/api.md, "Webhook
// signatures").
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha512.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// signStandard returns a signature of Standard Webhooks.
func signStandard(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return standardVersion + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// signing is how the headers of one attempt are made.
type signing struct {
	header     string
	underscore bool
	id         string
	at         time.Time
	secrets    []string // the current one first
}

// apply sets the headers for a body. The specified header is signed with the
// current secret, the standard one with all.
func (s signing) apply(h http.Header, body []byte) {
	specified := Sign(s.secrets[0], body)
	h.Set(s.header, specified)
	if s.underscore {
		h.Set(underscored(s.header), specified)
	}
	timestamp := strconv.FormatInt(s.at.Unix(), 10)
	var standard []string
	for _, secret := range s.secrets {
		if key, ok := secretKey(secret); ok {
			standard = append(standard, signStandard(key, s.id, timestamp, body))
		}
	}
	h.Set(headerID, s.id)
	h.Set(headerTimestamp, timestamp)
	h.Set(headerSignature, strings.Join(standard, " "))
}

func underscored(header string) string { return strings.ReplaceAll(header, "-", "_") }
