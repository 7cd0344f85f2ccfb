// Package canary finds secrets in what a program shows. It is for tests.
package canary

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/mr-tron/base58"
)

// Forms are the texts in which something could show a secret: its bytes, hex, base64 in both
// alphabets, base58, and its bytes as numbers. Padding, brackets and quotes may stand around them.
func Forms(secret []byte) []string {
	numbers := strings.Trim(fmt.Sprint(secret), "[]")
	return []string{
		string(secret), hex.EncodeToString(secret), base64.RawStdEncoding.EncodeToString(secret), base64.RawURLEncoding.EncodeToString(secret),
		base58.Encode(secret), numbers, strings.ReplaceAll(numbers, " ", ","),
	}
}

// Shown reports whether a text shows a secret in one of its Forms.
func Shown(text string, secret []byte) bool {
	for _, form := range Forms(secret) {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}
