// Package kyctest is the executable contract of the port in package kyc.
//
//	func TestMine(t *testing.T) {
//		kyctest.Run(t, func(t *testing.T) kyctest.Subject { return open(t) })
//	}
package kyctest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/kyc"
)

// Subject is a provider under test, and what a test knows of its people.
type Subject interface {
	Provider() kyc.Provider
	// Numbers are identity numbers of known outcome.
	Numbers(t kyc.Type) Numbers
	// OTP is the one-time password last sent to the owner of a number.
	OTP(ctx context.Context, number string) (string, error)
}

// Numbers are identity numbers of one type.
type Numbers struct {
	// Valid ones verify, Rejected does not, TimedOut is never answered; empty
	// means that the provider has none such.
	Valid              []string
	Rejected, TimedOut string
}

// Faulty is a Subject that goes wrong on request.
type Faulty interface {
	// Inject makes the next count calls that the fault applies to go wrong.
	// Errors: ErrNoFault.
	Inject(ctx context.Context, fault Fault, count int) error
}

// ErrNoFault says that a subject cannot go wrong in that way.
var ErrNoFault = errors.New("kyctest: no such fault")

// Fault is a way to go wrong.
type Fault string

const (
	// Unavailable: the call has no effect and no answer.
	Unavailable Fault = "unavailable"
	// AnswerLost: the one-time password is sent, and the answer is lost.
	AnswerLost Fault = "answer_lost"
)

// Run tests a provider. open returns a fresh subject.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	start := func(t *testing.T) *stage {
		s := open(t)
		return &stage{s, t, t.Context(), s.Provider()}
	}
	for _, idType := range []kyc.Type{kyc.BVN, kyc.NIN} {
		t.Run("OTP of a "+string(idType), func(t *testing.T) { testOTP(t, start, idType) })
	}
	t.Run("Lookup", func(t *testing.T) { testLookup(t, start) })
	t.Run("Faults", func(t *testing.T) { testFaults(t, start) })
}

type stage struct {
	Subject
	t        *testing.T
	ctx      context.Context
	provider kyc.Provider
}

func (s *stage) sendOTP(attempt string, t kyc.Type, number string) (kyc.Challenge, string) {
	c, err := s.provider.SendOTP(s.ctx, attempt, t, number)
	require.NoError(s.t, err)
	require.NotEmpty(s.t, c)
	otp, err := s.OTP(s.ctx, number)
	require.NoError(s.t, err)
	return c, otp
}

// inject arms a fault, or skips the test of a subject that cannot go wrong so.
func (s *stage) inject(fault Fault, count int) {
	faulty, ok := s.Subject.(Faulty)
	if !ok {
		s.t.Skip("the subject has no faults")
	}
	err := faulty.Inject(s.ctx, fault, count)
	if errors.Is(err, ErrNoFault) {
		s.t.Skipf("the subject has no fault %q", fault)
	}
	require.NoError(s.t, err)
}

func testOTP(t *testing.T, start func(t *testing.T) *stage, idType kyc.Type) {
	t.Run("the right one-time password tells the identity", func(t *testing.T) {
		s := start(t)
		for _, number := range s.Numbers(idType).Valid {
			c, otp := s.sendOTP("attempt "+number, idType, number)
			id, err := s.provider.Check(s.ctx, c, idType, number, otp)
			require.NoError(t, err)
			require.Equal(t, idType, id.Type)
			require.Equal(t, number, id.Number)
			require.NotEmpty(t, id.FirstName)
			require.NotEmpty(t, id.LastName)
			require.Regexp(t, `^\d{4}-\d{2}-\d{2}$`, id.DateOfBirth)
		}
	})
	t.Run("the same number tells the same identity", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(idType).Valid[0]
		c, otp := s.sendOTP("one", idType, number)
		first, err := s.provider.Check(s.ctx, c, idType, number, otp)
		require.NoError(t, err)
		c, otp = s.sendOTP("two", idType, number)
		second, err := s.provider.Check(s.ctx, c, idType, number, otp)
		require.NoError(t, err)
		require.Equal(t, first, second)
	})
	t.Run("the same question again has the same answer", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(idType).Valid[0]
		c, otp := s.sendOTP("one", idType, number)
		first, err := s.provider.Check(s.ctx, c, idType, number, otp)
		require.NoError(t, err)
		again, err := s.provider.Check(s.ctx, c, idType, number, otp)
		require.NoError(t, err)
		require.Equal(t, first, again)
	})
	t.Run("the same attempt is the same challenge", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(idType).Valid[0]
		first, _ := s.sendOTP("one", idType, number)
		again, _ := s.sendOTP("one", idType, number)
		require.Equal(t, first, again)
		other, _ := s.sendOTP("two", idType, number)
		require.NotEqual(t, first, other)
	})
	t.Run("another one-time password is wrong", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(idType).Valid[0]
		c, otp := s.sendOTP("one", idType, number)
		for _, wrong := range []string{"", otp + "0", "0" + otp[1:] + "x"} {
			_, err := s.provider.Check(s.ctx, c, idType, number, wrong)
			require.ErrorIs(t, err, kyc.ErrWrongOTP)
		}
	})
	t.Run("a one-time password is good for its challenge, type and number only", func(t *testing.T) {
		s := start(t)
		numbers := s.Numbers(idType).Valid
		c, otp := s.sendOTP("one", idType, numbers[0])
		other := map[kyc.Type]kyc.Type{kyc.BVN: kyc.NIN, kyc.NIN: kyc.BVN}[idType]
		_, err := s.provider.Check(s.ctx, "no such challenge", idType, numbers[0], otp)
		require.ErrorIs(t, err, kyc.ErrWrongOTP)
		_, err = s.provider.Check(s.ctx, c, idType, numbers[1], otp)
		require.ErrorIs(t, err, kyc.ErrWrongOTP)
		_, err = s.provider.Check(s.ctx, c, other, numbers[0], otp)
		require.ErrorIs(t, err, kyc.ErrWrongOTP)
	})
	t.Run("an identity that is not valid is rejected after the right one-time password", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(idType).Rejected
		c, otp := s.sendOTP("one", idType, number)
		_, err := s.provider.Check(s.ctx, c, idType, number, otp)
		require.ErrorIs(t, err, kyc.ErrRejected)
		_, err = s.provider.Check(s.ctx, c, idType, number, otp+"0")
		require.ErrorIs(t, err, kyc.ErrWrongOTP)
	})
	t.Run("a check that is not answered tells nothing", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(idType).TimedOut
		if number == "" {
			t.Skip("the provider always answers")
		}
		c, otp := s.sendOTP("one", idType, number)
		_, err := s.provider.Check(s.ctx, c, idType, number, otp)
		require.ErrorIs(t, err, kyc.ErrUnavailable)
	})
}

func testLookup(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("a registered company is told by name", func(t *testing.T) {
		s := start(t)
		for _, number := range s.Numbers(kyc.CAC).Valid {
			id, err := s.provider.Lookup(s.ctx, kyc.CAC, number)
			require.NoError(t, err)
			require.Equal(t, kyc.CAC, id.Type)
			require.Equal(t, number, id.Number)
			require.NotEmpty(t, id.BusinessName)
		}
	})
	t.Run("a company that is not valid is rejected", func(t *testing.T) {
		s := start(t)
		_, err := s.provider.Lookup(s.ctx, kyc.CAC, s.Numbers(kyc.CAC).Rejected)
		require.ErrorIs(t, err, kyc.ErrRejected)
	})
	t.Run("nobody is told about a person without a one-time password", func(t *testing.T) {
		s := start(t)
		for _, idType := range []kyc.Type{kyc.BVN, kyc.NIN} {
			_, err := s.provider.Lookup(s.ctx, idType, s.Numbers(idType).Valid[0])
			require.ErrorIs(t, err, kyc.ErrRejected)
		}
	})
	t.Run("a look-up that is not answered tells nothing", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(kyc.CAC).TimedOut
		if number == "" {
			t.Skip("the provider always answers")
		}
		_, err := s.provider.Lookup(s.ctx, kyc.CAC, number)
		require.ErrorIs(t, err, kyc.ErrUnavailable)
	})
}

func testFaults(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("every call says that it was not answered", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(kyc.BVN).Valid[0]
		c, otp := s.sendOTP("one", kyc.BVN, number)
		for name, call := range map[string]func() error{
			"SendOTP": func() error { _, err := s.provider.SendOTP(s.ctx, "two", kyc.BVN, number); return err },
			"Check":   func() error { _, err := s.provider.Check(s.ctx, c, kyc.BVN, number, otp); return err },
			"Lookup": func() error {
				_, err := s.provider.Lookup(s.ctx, kyc.CAC, s.Numbers(kyc.CAC).Valid[0])
				return err
			},
		} {
			s.inject(Unavailable, 1)
			require.ErrorIs(t, call(), kyc.ErrUnavailable, name)
			require.NoError(t, call(), name)
		}
	})
	t.Run("a challenge whose answer was lost is found again by its attempt", func(t *testing.T) {
		s := start(t)
		number := s.Numbers(kyc.BVN).Valid[0]
		s.inject(AnswerLost, 1)
		_, err := s.provider.SendOTP(s.ctx, "one", kyc.BVN, number)
		require.ErrorIs(t, err, kyc.ErrUnavailable)
		c, otp := s.sendOTP("one", kyc.BVN, number)
		_, err = s.provider.Check(s.ctx, c, kyc.BVN, number, otp)
		require.NoError(t, err)
	})
}
