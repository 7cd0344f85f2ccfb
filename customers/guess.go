package customers

import (
	"errors"
	"regexp"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/provider/kyc"
)

// guesses counts, by environment, how often businesses named a number that is not the
// one on record. Masks hide four digits, so without a limit a key that may ask whether
// a number is right finds them in 10,000 requests.
type guesses map[ferry.Env]*traffic.Buckets

func newGuesses() guesses {
	return guesses{ferry.Test: traffic.NewBuckets(), ferry.Live: traffic.NewBuckets()}
}

// Forget forgets the guesses of the test environment: its clock and its numbers begin
// anew.
func (s *Service) Forget() { s.guesses[ferry.Test].Clear() }

// guess counts an answer that says whether a number is on record: a wrong number costs
// one of the guesses of the business, a right one nothing. When none is left, both are
// refused with ErrTooManyGuesses. A number that is malformed says nothing.
func (s *Service) guess(scope ferry.Scope, now time.Time, form *regexp.Regexp, n Number, right bool) error {
	if !form.MatchString(string(n)) {
		return nil
	}
	rate := traffic.Rate{Every: guessWindow / time.Duration(s.config.Guesses), Burst: s.config.Guesses}
	count := s.guesses[scope.Env].Take
	if right {
		count = s.guesses[scope.Env].Wait
	}
	if wait := count(string(scope.Business), rate, now); wait > 0 {
		return ErrTooManyGuesses.After(wait)
	}
	return nil
}

// sought counts a search for what was initiated for a number, which ended with err.
func (s *Service) sought(scope ferry.Scope, now time.Time, t kyc.Type, n Number, err error) error {
	if err != nil && !errors.Is(err, ErrIdentityNotFound) {
		return err
	}
	form := numberPattern
	if t == kyc.CAC {
		form = cacPattern
	}
	if refused := s.guess(scope, now, form, n, err == nil); refused != nil {
		return refused
	}
	return err
}

// compared counts the numbers that p names and c already has.
func (s *Service) compared(c Customer, p UpdateParams, now time.Time) error {
	var refused error
	if p.CACNumber != nil && c.CACNumber != "" {
		refused = s.guess(c.Scope, now, cacPattern, Number(*p.CACNumber), *p.CACNumber == c.CACNumber)
	}
	if refused == nil {
		refused = s.comparedTo(c.BVN, c.Scope, kyc.BVN, p.BVN, now)
	}
	if refused == nil {
		refused = s.comparedTo(c.NIN, c.Scope, kyc.NIN, p.NIN, now)
	}
	return refused
}

func (s *Service) comparedTo(stored SealedNumber, scope ferry.Scope, t kyc.Type, n *Number, now time.Time) error {
	if n == nil || stored.IsZero() {
		return nil
	}
	return s.guess(scope, now, numberPattern, *n, stored.Digest == s.digest(scope, t, *n))
}
