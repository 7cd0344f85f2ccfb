package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
)

// The provider's documents: challenges by id and by attempt, and the last one that
// was sent to the owner of each number, by the number's digest. None of them holds a
// number or a one-time password, only what proves that somebody knows both.

// challenge is the document of one OTP that was sent.
type challenge struct {
	ID kyc.Challenge
	// Proof is a keyed digest of type, number and one-time password.
	Proof string

	// What earlier releases kept instead of Proof.
	Type   kyc.Type `json:",omitempty"`
	Number string   `json:",omitempty"`
	OTP    string   `json:",omitempty"`
}

func challengeKey(c kyc.Challenge) string { return named("kyc/challenge/", string(c)) }
func attemptKey(attempt string) string    { return named("kyc/attempt/", attempt) }

// plainPrefix begins the keys under which earlier releases kept numbers.
const plainPrefix = "kyc/otp/"

func plainKey(number string) string { return named(plainPrefix, number) }

func (w *World) sentKey(m *moment, number string) string {
	return "kyc/sent/" + w.digest(m, number, "sandbox.number")
}

// proof is a keyed digest of what a challenge is answered with.
func (w *World) proof(m *moment, t kyc.Type, number, otp string) string {
	return w.digest(m, fmt.Sprintf("%q %q %q", t, number, otp), "sandbox.otp")
}

// digest is a keyed digest of text, in hexadecimal.
func (w *World) digest(m *moment, text, purpose string) string {
	w.sealing.Lock()
	defer w.sealing.Unlock()
	if w.sealer != nil {
		return hex.EncodeToString(w.sealer.Digest([]byte(text), purpose))
	}
	mac := hmac.New(sha256.New, m.derive(purpose))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// hidden returns a challenge without what it proves.
func (w *World) hidden(m *moment, c challenge) challenge {
	if c.Number == "" {
		return c
	}
	return challenge{ID: c.ID, Proof: w.proof(m, c.Type, c.Number, c.OTP)}
}

// hideNumbers rewrites what earlier releases kept.
func (w *World) hideNumbers(m *moment) error {
	for _, prefix := range []string{plainPrefix, "kyc/challenge/", "kyc/attempt/"} {
		all := ferry.WalkKeys(func(after string, limit int) ([]placed[challenge], error) {
			return scan[challenge](m, prefix, after, limit)
		}, func(c placed[challenge]) string { return c.place })
		for c, err := range all {
			if err == nil {
				err = w.hide(m, prefix+c.place, c.doc)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// hide rewrites a document that holds a number.
func (w *World) hide(m *moment, key string, c challenge) error {
	if c.Number == "" {
		return nil
	}
	if key == plainKey(c.Number) {
		if err := m.Delete(key); err != nil {
			return err
		}
		key = w.sentKey(m, c.Number)
	}
	return save(m, key, w.hidden(m, c))
}
