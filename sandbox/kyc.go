package sandbox

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/ferrypay/ferry/provider/kyc"
)

const (
	// MagicOTP is the one-time password of every challenge.
	MagicOTP = "123456"
	// WrongOTP: a right one-time password is refused.
	WrongOTP Kind = "wrong_otp"
	// Rejected: a valid identity is rejected.
	Rejected Kind = "rejected"
)

// What the last digit of an identity number decides; any other verifies.
const (
	endsRejected = '1'
	endsTimedOut = '2'
)

// simKYC is the simulated identity provider.
type simKYC struct{ world *World }

var _ kyc.Provider = simKYC{}

func (k simKYC) provider() provider { return provider{k.world, TargetKYC, kyc.ErrUnavailable} }

func (k simKYC) SendOTP(ctx context.Context, attempt string, t kyc.Type, number string) (kyc.Challenge, error) {
	sent, err := answered(ctx, k.provider().effect, func(m *moment) (sent challenge, err error) {
		found, err := load(m, attemptKey(attempt), &sent)
		if err != nil || found {
			return sent, err
		}
		id := kyc.Challenge("otp_" + hex.EncodeToString(m.derive("challenge:" + attempt)[:16]))
		sent = challenge{ID: id, Proof: k.world.proof(m, t, number, MagicOTP)}
		for _, key := range []string{attemptKey(attempt), challengeKey(id), k.world.sentKey(m, number)} {
			if err := save(m, key, sent); err != nil {
				return sent, err
			}
		}
		return sent, nil
	})
	return sent.ID, err
}

func (k simKYC) Check(ctx context.Context, c kyc.Challenge, t kyc.Type, number, otp string) (kyc.Identity, error) {
	var right bool
	var struck Kind
	err := k.provider().query(ctx, func(m *moment) (err error) {
		var sent challenge
		if _, err = load(m, challengeKey(c), &sent); err != nil {
			return err
		}
		right = sent.ID == c && k.world.hidden(m, sent).Proof == k.world.proof(m, t, number, otp)
		struck, err = m.strike(TargetKYC, WrongOTP, Rejected)
		return err
	})
	switch {
	case err != nil:
		return kyc.Identity{}, err
	case ending(number) == endsTimedOut:
		return kyc.Identity{}, kyc.ErrUnavailable
	case struck == WrongOTP, !right:
		return kyc.Identity{}, kyc.ErrWrongOTP
	case struck == Rejected:
		return kyc.Identity{}, kyc.ErrRejected
	}
	return judge(t, number)
}

func (k simKYC) Lookup(ctx context.Context, t kyc.Type, number string) (kyc.Identity, error) {
	struck, err := answered(ctx, k.provider().query, func(m *moment) (Kind, error) { return m.strike(TargetKYC, Rejected) })
	switch {
	case err != nil:
		return kyc.Identity{}, err
	case ending(number) == endsTimedOut:
		return kyc.Identity{}, kyc.ErrUnavailable
	case struck == Rejected, t != kyc.CAC:
		return kyc.Identity{}, kyc.ErrRejected
	}
	return judge(t, number)
}

// OTP returns the one-time password last sent to the owner of a number, and
// whether one was.
func (w *World) OTP(ctx context.Context, number string) (otp string, sent bool, err error) {
	sent, err = answered(ctx, w.read, func(m *moment) (bool, error) {
		_, sent, err := m.Get(w.sentKey(m, number))
		if err == nil && !sent {
			_, sent, err = m.Get(plainKey(number))
		}
		return sent, err
	})
	if err != nil || !sent {
		return "", false, err
	}
	return MagicOTP, true, nil
}

// judge verifies a well-formed number or rejects it.
func judge(t kyc.Type, number string) (kyc.Identity, error) {
	if !wellFormed(t, number) || ending(number) == endsRejected {
		return kyc.Identity{}, kyc.ErrRejected
	}
	return identityOf(t, number), nil
}

func wellFormed(t kyc.Type, number string) bool {
	digits, length := number, 11
	if t == kyc.CAC {
		var ok bool
		if digits, ok = strings.CutPrefix(number, "RC"); !ok {
			return false
		}
		length = max(len(digits), 1)
	}
	return len(digits) == length && strings.Trim(digits, "0123456789") == ""
}

func ending(number string) byte {
	if number == "" {
		return 0
	}
	return number[len(number)-1]
}
