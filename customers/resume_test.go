package customers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
)

// The tests below take a verification apart into its steps, as a crash does.

// begun is a run of an operation of which the question is recorded.
type begun struct {
	steps ferry.Steps[customers.Tx, customers.Outcome]
	step  ferry.Step[customers.Outcome]
}

func (q begun) Identity() customers.IdentityID { return customers.IdentityID(q.step.Resource) }

func (b *bench) record(op ferry.Operation[customers.Tx, customers.Outcome]) begun {
	b.Helper()
	q := begun{steps: op.Begin()}
	err := op.Units.Write(b.ctx, func(ctx context.Context, tx customers.Tx) (err error) {
		q.step, err = q.steps.Record(ctx, tx, "")
		return err
	})
	require.NoError(b, err)
	require.True(b, q.step.Open)
	return q
}

func (b *bench) beginValidation(otp customers.OTP) begun {
	b.Helper()
	return b.beginValidationOf(goodBVN, otp)
}

func (b *bench) beginValidationOf(n customers.Number, otp customers.OTP) begun {
	b.Helper()
	return b.record(b.ValidateOp(home, customers.ValidateParams{Type: kyc.BVN, Number: n, OTP: otp}))
}

func (b *bench) beginInitiation(p customers.InitiateParams) begun {
	b.Helper()
	return b.record(b.InitiateOp(home, p))
}

// asked is a run of which the question was put.
type asked begun

func (b *bench) ask(q begun) asked {
	q.steps.Act(b.ctx)
	return asked(q)
}

func (b *bench) conclude(q asked) customers.Outcome {
	b.Helper()
	step, err := ferry.InUnit(b.ctx, b.InitiateOp(home, customers.InitiateParams{}).Units, q.steps.Conclude)
	require.NoError(b, err)
	require.Equal(b, step.Out.Refused, step.Refused)
	require.Equal(b, q.step.Resource, step.Resource)
	return step.Out
}

func TestAnInitiationThatACrashCutOffIsContinued(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	params := customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, CustomerID: c.ID}
	var attempts []string
	b.provider.send = func(_ context.Context, attempt string) error {
		attempts = append(attempts, attempt)
		return nil
	}
	first := b.beginInitiation(params) // crash before the call
	b.clock.pass(time.Minute)
	second := b.beginInitiation(params)
	require.Equal(t, first.Identity(), second.Identity())
	b.ask(second) // crash after the call
	b.clock.pass(time.Minute)
	third := b.beginInitiation(params)
	o := b.conclude(b.ask(third))
	require.NoError(t, o.Refused)
	require.Equal(t, first.Identity(), o.Identity.ID)
	require.Equal(t, []string{string(first.Identity()), string(first.Identity())}, attempts)
}

func TestTwoRequestsThatShareAnInitiationAgree(t *testing.T) {
	b := setup(t)
	params := customers.InitiateParams{Type: kyc.BVN, Number: goodBVN}
	one, two := b.beginInitiation(params), b.beginInitiation(params)
	first := b.conclude(b.ask(one))
	b.clock.pass(time.Minute)
	second := b.conclude(b.ask(two))
	require.NoError(t, second.Refused)
	require.Equal(t, first.Identity.ExpiresAt, second.Identity.ExpiresAt, "the password is not made to live longer")
}

func TestAnAttemptThatACrashCutOffIsContinued(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	for range 7 { // more often than there are attempts
		b.ask(b.beginValidation(wrongOTP))
	}
	q := b.beginValidation(wrongOTP)
	o := b.conclude(b.ask(q))
	require.ErrorIs(t, o.Refused, customers.ErrInvalidOTP)
	require.Len(t, o.Identity.Attempts, 1)
	require.Equal(t, []string{"invalid_otp"}, b.reasons())
}

func TestACompanyThatACrashCutOffIsContinued(t *testing.T) {
	b := setup(t)
	c := b.create(company(1))
	params := customers.InitiateParams{Type: kyc.CAC, Number: goodCAC, CustomerID: c.ID}
	first := b.beginInitiation(params)
	b.ask(first)
	second := b.beginInitiation(params)
	require.Equal(t, first.Identity(), second.Identity())
	require.NoError(t, b.conclude(b.ask(second)).Refused)
	require.Equal(t, []string{"verified"}, b.reasons())
}

func TestTheLastAttemptCanBeContinuedToo(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	for i := range 4 {
		_, err := b.validate(goodBVN, customers.OTP(fmt.Sprint("00000", i)))
		require.ErrorIs(t, err, customers.ErrInvalidOTP)
	}
	b.beginValidation(rightOTP)
	_, err := b.validate(goodBVN, wrongOTP)
	require.ErrorIs(t, err, customers.ErrInvalidOTP, "no attempt is left for another one")
	_, err = b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
}

func TestAnOpenAttemptIsContinuedOnItsOwnInitiation(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	newest := b.initiate(goodBVN, "")
	for i := range 4 {
		_, err := b.validate(goodBVN, customers.OTP(fmt.Sprint("00000", i)))
		require.ErrorIs(t, err, customers.ErrInvalidOTP)
	}
	b.beginValidation(rightOTP) // the last attempt of the newest; the older one is live
	require.Equal(t, newest.Identity.ID, b.beginValidation(rightOTP).Identity())
}

func TestTwoRequestsThatShareAnAttemptAreJudgedOnce(t *testing.T) {
	for name, given := range map[string]struct {
		otp    customers.OTP
		second error // what the provider says to the second request
		err    error
		reason string
	}{
		"right":                     {rightOTP, nil, nil, "verified"},
		"wrong":                     {wrongOTP, nil, customers.ErrInvalidOTP, "invalid_otp"},
		"right, the second too old": {rightOTP, kyc.ErrUnavailable, customers.ErrUnavailable, "verified"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			c := b.create(person(1))
			b.initiate(goodBVN, c.ID)
			one, two := b.beginValidation(given.otp), b.beginValidation(given.otp)
			answer := b.ask(one)
			if given.second != nil {
				b.provider.check = func(context.Context) (kyc.Identity, error) { return kyc.Identity{}, given.second }
			}
			late := b.ask(two)
			first, second := b.conclude(answer), b.conclude(late)
			require.ErrorIs(t, second.Refused, given.err)
			if given.second == nil {
				require.Equal(t, first.Result, second.Result)
			}
			require.Equal(t, []string{given.reason}, b.reasons())
		})
	}
}

func TestASharedAttemptWithoutAnswerIsToldOnceAndAnAnswerStillCounts(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	one, two, three := b.beginValidation(rightOTP), b.beginValidation(rightOTP), b.beginValidation(rightOTP)
	answer := b.ask(three)
	b.provider.check = func(context.Context) (kyc.Identity, error) { return kyc.Identity{}, kyc.ErrUnavailable }
	for _, q := range []begun{one, two} {
		require.ErrorIs(t, b.conclude(b.ask(q)).Refused, customers.ErrUnavailable)
	}
	require.Equal(t, []string{"provider_unavailable"}, b.reasons())
	require.NoError(t, b.conclude(answer).Refused)
	require.Equal(t, []string{"provider_unavailable", "verified"}, b.reasons())
	require.Equal(t, customers.Verified, b.customer(c.ID).Status)
}

func TestAnAttemptThatEndsAfterAnotherVerifiedTheIdentityChangesNothing(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	wrong, right := b.beginValidation(wrongOTP), b.beginValidation(rightOTP)
	require.NoError(t, b.conclude(b.ask(right)).Refused)
	o := b.conclude(b.ask(wrong))
	require.ErrorIs(t, o.Refused, customers.ErrInvalidOTP)
	require.Equal(t, customers.IdentityVerified, o.Identity.Status)
}

func TestASharedAttemptWithAnotherAnswerHasNothingToShow(t *testing.T) {
	for name, second := range map[string]struct {
		known kyc.Identity
		err   error
	}{
		"used":           {kyc.Identity{}, kyc.ErrWrongOTP},
		"another number": {kyc.Identity{Number: string(otherBVN)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			c := b.create(person(1))
			b.initiate(goodBVN, c.ID)
			one, two := b.beginValidation(rightOTP), b.beginValidation(rightOTP)
			require.NoError(t, b.conclude(b.ask(one)).Refused)
			b.provider.check = func(context.Context) (kyc.Identity, error) { return second.known, second.err }
			o := b.conclude(b.ask(two))
			require.ErrorIs(t, o.Refused, customers.ErrUnavailable)
			require.Zero(t, o.Result)
			require.Equal(t, []string{"verified"}, b.reasons())
		})
	}
}

func TestTheOutcomeIsRecordedWhenTheCallerGoesAway(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	ctx, leave := context.WithCancel(b.ctx)
	b.provider.check = func(ctx context.Context) (kyc.Identity, error) {
		leave()
		return kyc.Identity{FirstName: "Ada"}, ctx.Err()
	}
	_, err := b.Validate(ctx, home, customers.ValidateParams{Type: kyc.BVN, Number: goodBVN, OTP: rightOTP})
	require.NoError(t, err)
	require.Equal(t, customers.Verified, b.customer(c.ID).Status)
}

func TestAProviderThatHangsIsGivenUp(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	hasty := setupOn(t, b.backend, customers.Config{ProviderTimeout: time.Millisecond})
	hasty.provider.check = func(ctx context.Context) (kyc.Identity, error) {
		<-ctx.Done()
		return kyc.Identity{}, ctx.Err()
	}
	_, err := hasty.validate(goodBVN, rightOTP)
	require.ErrorIs(t, err, customers.ErrUnavailable)
	require.Equal(t, customers.PendingVerification, b.customer(c.ID).Status)
}
