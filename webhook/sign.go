package webhook

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
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
	return signSpecified(hmac.New(sha512.New, []byte(secret)), body)
}

// signSpecified is Sign with an HMAC under the secret.
func signSpecified(mac hash.Hash, body []byte) string {
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// signStandard returns a signature of Standard Webhooks. mac is an HMAC under a secret, and
// signed is what appendStandard returns.
func signStandard(mac hash.Hash, signed []byte) string {
	mac.Write(signed)
	return standardVersion + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// appendStandard appends the bytes that Standard Webhooks signs. They end with the body.
func appendStandard[B string | []byte](to []byte, id, timestamp string, body B) []byte {
	to = append(append(to, id...), '.')
	to = append(append(to, timestamp...), '.')
	return append(to, body...)
}
