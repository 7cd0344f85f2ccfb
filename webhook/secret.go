package webhook

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	// maxSecrets is how many secrets sign at a time: the current one and the
	// former ones of rotations that overlap.
	maxSecrets = 3
)

// Bounds of the key in a secret, in bytes, as Standard Webhooks sets them.
const minSecretBytes, maxSecretBytes = 24, 64

// CheckTestSecret says what is wrong with a text as a signing secret of the test
// environment, or nothing.
func CheckTestSecret(text string) string {
	prefix := secretPrefix + string(ferry.Test) + "_"
	key, ok := secretKey(text)
	if !ok || !strings.HasPrefix(text, prefix) || len(key) < minSecretBytes || len(key) > maxSecretBytes {
		return fmt.Sprintf("Must be %s and the base64 of %d to %d bytes", prefix, minSecretBytes, maxSecretBytes)
	}
	return ""
}

// NewSecret returns a fresh signing secret, as in whsec_test_<base64 of 32 bytes>.
func NewSecret(env ferry.Env, random io.Reader) (string, error) {
	b := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("webhook: no randomness for a secret: %w", err)
	}
	return secretPrefix + string(env) + "_" + base64.StdEncoding.EncodeToString(b), nil
}

// secretKey returns the bytes that a secret's base64 part stands for: the key of
// the standard header. It takes the form without environment too, which the
// libraries of Standard Webhooks use.
func secretKey(secret string) ([]byte, bool) {
	text, _ := strings.CutPrefix(StandardSecret(secret), secretPrefix)
	key, err := base64.StdEncoding.DecodeString(text)
	return key, err == nil && len(key) > 0
}

// StandardSecret returns a secret in the form that the libraries of Standard
// Webhooks take: whsec_ and the base64 part. The empty text stays empty.
func StandardSecret(secret string) string {
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		if key, ok := strings.CutPrefix(secret, secretPrefix+string(env)+"_"); ok {
			return secretPrefix + key
		}
	}
	return secret
}

// addSecret puts a fresh secret before the others of an endpoint. The one that
// was current ends at the given instant, and earlier ones no later.
func (s *Service) addSecret(e *Endpoint, until time.Time) (string, error) {
	text, err := NewSecret(e.Scope.Env, s.config.Random)
	if err != nil {
		return "", err
	}
	return text, s.putSecret(e, text, until)
}

// putSecret is addSecret with a secret that is known.
func (s *Service) putSecret(e *Endpoint, text string, until time.Time) error {
	number := 1
	if len(e.Secrets) > 0 {
		number = e.Secrets[0].Number + 1
	}
	sealed, err := s.config.Sealer.Seal([]byte(text), secretContext(e.Scope, number))
	if err != nil {
		return err
	}
	secrets := []Secret{{Number: number, Sealed: sealed}}
	for _, former := range e.Secrets[:min(len(e.Secrets), maxSecrets-1)] {
		if former.ValidUntil.IsZero() || until.Before(former.ValidUntil) {
			former.ValidUntil = until
		}
		secrets = append(secrets, former)
	}
	e.Secrets = secrets
	return nil
}

// openSecrets returns the secrets that sign at an instant, the current one first.
func (s *Service) openSecrets(e Endpoint, now time.Time) ([]string, error) {
	var texts []string
	for _, secret := range validSecrets(e.Secrets, now) {
		text, err := s.config.Sealer.Open(secret.Sealed, secretContext(e.Scope, secret.Number))
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}

// validSecrets returns the secrets that have not ended.
func validSecrets(secrets []Secret, now time.Time) []Secret {
	var valid []Secret
	for _, secret := range secrets {
		if secret.ValidUntil.IsZero() || now.Before(secret.ValidUntil) {
			valid = append(valid, secret)
		}
	}
	return valid
}

func secretContext(scope ferry.Scope, number int) seal.Context {
	return seal.Context{Purpose: "webhook.secret", Env: string(scope.Env), Owner: string(scope.Business), Version: number}
}
