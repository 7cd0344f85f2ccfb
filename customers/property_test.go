package customers_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/kyc"
)

// model is one customer as docs/api.md tells it, in the plainest words.
type model struct {
	b  *bench
	id customers.ID

	status   customers.Status
	down     bool
	begun    []time.Time                    // initiations that count
	sent     []*sentOTP                     // oldest first
	untaken  map[customers.Number]time.Time // since when the provider did not take one
	wantTold []string
}

type sentOTP struct {
	number  customers.Number
	begun   time.Time
	expires time.Time
	used    int
	done    bool
}

func (s *sentOTP) live(now time.Time) bool { return !s.done && s.used < 5 && now.Before(s.expires) }

func TestAnySequenceOfStepsKeepsToTheTables(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := setupOn(rt, memstore.New(), customers.Config{Guesses: 1 << 20}) // the model does not count them
		m := &model{b: b, id: b.create(person(1)).ID, status: customers.PendingVerification, untaken: map[customers.Number]time.Time{}}
		numbers := rapid.SampledFrom([]customers.Number{goodBVN, otherBVN, badBVN, slowBVN})
		passwords := rapid.SampledFrom([]customers.OTP{rightOTP, wrongOTP})
		b.provider.send = func(context.Context, string) error { return m.outage() }
		rt.Repeat(map[string]func(*rapid.T){
			"initiate":  func(rt *rapid.T) { m.initiate(rt, numbers.Draw(rt, "number")) },
			"validate":  func(rt *rapid.T) { m.validate(rt, numbers.Draw(rt, "number"), passwords.Draw(rt, "otp")) },
			"validate2": func(rt *rapid.T) { m.validate(rt, numbers.Draw(rt, "number"), passwords.Draw(rt, "otp")) },
			"outage":    func(rt *rapid.T) { m.down = !m.down },
			"wait": func(rt *rapid.T) {
				b.clock.pass(rapid.SampledFrom([]time.Duration{time.Minute, 9 * time.Minute, time.Hour, 9 * time.Hour}).Draw(rt, "time"))
			},
			"": func(rt *rapid.T) {
				require.Equal(rt, m.status, b.customer(m.id).Status)
				require.Equal(rt, m.wantTold, b.reasons())
			},
		})
	})
}

func (m *model) outage() error {
	if m.down {
		return kyc.ErrUnavailable
	}
	return nil
}

func (m *model) initiate(t *rapid.T, n customers.Number) {
	want := m.initiated(n)
	_, err := m.b.Initiate(m.b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: n, CustomerID: m.id})
	require.ErrorIs(t, err, want)
}

// initiated moves the model and returns the error to expect.
func (m *model) initiated(n customers.Number) error {
	now := m.b.clock.Now()
	if m.status == customers.Verified {
		return customers.ErrAlreadyVerified
	}
	if since, untaken := m.untaken[n]; !untaken || now.Sub(since) >= 10*time.Minute {
		recent := 0
		for _, at := range m.begun {
			if now.Sub(at) < 24*time.Hour {
				recent++
			}
		}
		if recent >= 5 {
			return customers.ErrTooManyInitiations
		}
		m.begun = append(m.begun, now)
		m.untaken[n] = now
		m.forget(n)
	}
	if m.down {
		return customers.ErrUnavailable
	}
	m.sent = append(m.sent, &sentOTP{number: n, begun: m.untaken[n], expires: now.Add(10 * time.Minute)})
	delete(m.untaken, n)
	m.status = customers.PendingVerification
	return nil
}

// forget drops what a newer initiation of the number makes a thing of the past.
func (m *model) forget(n customers.Number) {
	m.sent = slices.DeleteFunc(m.sent, func(s *sentOTP) bool {
		return s.number == n && m.b.clock.Now().Sub(s.begun) >= 24*time.Hour
	})
}

func (m *model) validate(t *rapid.T, n customers.Number, otp customers.OTP) {
	m.b.provider.check = nil
	if m.down {
		m.b.provider.check = func(context.Context) (kyc.Identity, error) { return kyc.Identity{}, kyc.ErrUnavailable }
	}
	want := m.validated(n, otp)
	_, err := m.b.validate(n, otp)
	require.ErrorIs(t, err, want)
}

// target is the newest live password of a number, else the newest.
func (m *model) target(n customers.Number) *sentOTP {
	var newest, live *sentOTP
	for _, s := range m.sent {
		if s.number == n {
			newest = s
			if s.live(m.b.clock.Now()) {
				live = s
			}
		}
	}
	if live != nil {
		return live
	}
	return newest
}

// validated moves the model and returns the error to expect.
func (m *model) validated(n customers.Number, otp customers.OTP) error {
	s := m.target(n)
	switch {
	case s == nil:
		return customers.ErrIdentityNotFound
	case m.status == customers.Verified:
		return customers.ErrAlreadyVerified
	case s.used == 5:
		return customers.ErrInvalidOTP
	case !m.b.clock.Now().Before(s.expires):
		return m.refused(s, "otp_expired", customers.ErrInvalidOTP)
	case m.down || n == slowBVN:
		m.wantTold = append(m.wantTold, "provider_unavailable")
		return customers.ErrUnavailable
	case otp != rightOTP:
		return m.refused(s, "invalid_otp", customers.ErrInvalidOTP)
	case n == badBVN:
		return m.refused(s, "identity_rejected", customers.ErrNotVerified)
	}
	s.done = true
	m.status = customers.Verified
	m.wantTold = append(m.wantTold, "verified")
	return nil
}

func (m *model) refused(s *sentOTP, reason string, err error) error {
	s.used++
	m.status = customers.Rejected
	m.wantTold = append(m.wantTold, reason)
	return err
}
