package customers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
)

// The table of docs/api.md, "Identity verification".
func TestSituationsAtValidate(t *testing.T) {
	for name, given := range map[string]struct {
		stored, number customers.Number
		otp            customers.OTP
		after          time.Duration
		err            error
		status         customers.Status
		reasons        []string
	}{
		"right OTP, identity accepted": {"", goodBVN, rightOTP, 0, nil, customers.Verified, []string{"verified"}},
		"right OTP, number as stored":  {goodBVN, goodBVN, rightOTP, 0, nil, customers.Verified, []string{"verified"}},
		"wrong OTP":                    {"", goodBVN, wrongOTP, 0, customers.ErrInvalidOTP, customers.Rejected, []string{"invalid_otp"}},
		"OTP at its last moment":       {"", goodBVN, rightOTP, 10*time.Minute - 1e6, nil, customers.Verified, []string{"verified"}},
		"OTP of 10 minutes":            {"", goodBVN, rightOTP, 10 * time.Minute, customers.ErrInvalidOTP, customers.Rejected, []string{"otp_expired"}},
		"OTP of 30 days":               {"", goodBVN, rightOTP, 720 * time.Hour, customers.ErrInvalidOTP, customers.Rejected, []string{"otp_expired"}},
		"identity not accepted":        {"", badBVN, rightOTP, 0, customers.ErrNotVerified, customers.Rejected, []string{"identity_rejected"}},
		"another number than stored":   {otherBVN, goodBVN, rightOTP, 0, customers.ErrNotVerified, customers.Rejected, []string{"identity_mismatch"}},
		"wrong OTP, another number":    {otherBVN, goodBVN, wrongOTP, 0, customers.ErrInvalidOTP, customers.Rejected, []string{"invalid_otp"}},
		"provider does not answer":     {"", slowBVN, rightOTP, 0, customers.ErrUnavailable, customers.PendingVerification, []string{"provider_unavailable"}},
		"malformed OTP":                {"", goodBVN, "12345x", 0, ferry.ErrValidation, customers.PendingVerification, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			p := person(1)
			p.BVN = given.stored
			c := b.create(p)
			b.initiate(given.number, c.ID)
			b.clock.pass(given.after)
			o, err := b.validate(given.number, given.otp)
			require.ErrorIs(t, err, given.err)
			require.Equal(t, given.err == nil, o.Result.FirstName != "", "a result is for who proved to be its owner")
			require.Equal(t, given.status, b.customer(c.ID).Status)
			require.Equal(t, given.reasons, b.reasons())
		})
	}
}

func TestASuccessTellsWhoItIsAndStoresTheNumberOnly(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	b.clock.pass(time.Minute)
	o, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	require.Equal(t, maskGoodBVN, o.Number)
	require.Equal(t, maskGoodBVN, o.Result.BVN)
	require.Equal(t, maskGoodBVN, o.Result.Number)
	require.NotEmpty(t, o.Result.ImageBase64)
	name := o.Result.FirstName + " " + o.Result.MiddleName + " " + o.Result.LastName

	verified := b.customer(c.ID)
	require.Equal(t, customers.Verification{Method: kyc.BVN, VerifiedAt: b.clock.Now(), VerifiedName: name}, verified.Verification)
	require.Equal(t, "Ada Obi", verified.Name(), "the customer keeps its name")
	masks, err := b.Masks(verified)
	require.NoError(t, err)
	require.Equal(t, customers.Masks{BVN: maskGoodBVN}, masks)
	require.Equal(t, name, o.Identity.VerifiedName)
	require.Equal(t, b.clock.Now(), o.Identity.VerifiedAt)
}

func TestANINVerifiesToo(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: "NIN", Number: goodNIN, CustomerID: c.ID})
	require.NoError(t, err)
	o, err := b.Validate(b.ctx, home, customers.ValidateParams{Type: "Nin", Number: goodNIN, OTP: rightOTP})
	require.NoError(t, err)
	require.Equal(t, "555123****0", o.Result.NIN)
	masks, err := b.Masks(b.customer(c.ID))
	require.NoError(t, err)
	require.Equal(t, customers.Masks{NIN: "555123****0"}, masks)
	require.Equal(t, kyc.NIN, b.customer(c.ID).Verification.Method)
}

func TestAValidationNamesAllRefusedFields(t *testing.T) {
	b := setup(t)
	_, err := b.Validate(b.ctx, home, customers.ValidateParams{})
	requireFields(t, err, map[string]string{
		"type": "Missing required field", "number": "Missing required field", "otp": "Missing required field",
	})
	_, err = b.Validate(b.ctx, home, customers.ValidateParams{Type: kyc.CAC, Number: goodCAC, OTP: "12"})
	requireFields(t, err, map[string]string{"type": "Must be one of bvn, nin", "otp": "Must be 4 to 10 digits"})
}

func TestAValidationNeedsAnInitiationOfTheSameTypeNumberAndScope(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	for _, other := range []struct {
		scope  ferry.Scope
		t      kyc.Type
		number customers.Number
	}{{home, kyc.NIN, goodBVN}, {home, kyc.BVN, otherBVN}, {away, kyc.BVN, goodBVN}, {live, kyc.BVN, goodBVN}} {
		_, err := b.Validate(b.ctx, other.scope, customers.ValidateParams{Type: other.t, Number: other.number, OTP: rightOTP})
		require.ErrorIs(t, err, customers.ErrIdentityNotFound)
	}
	b.provider.send = func(context.Context, string) error { return kyc.ErrUnavailable }
	_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: otherBVN})
	require.ErrorIs(t, err, customers.ErrUnavailable)
	_, err = b.validate(otherBVN, rightOTP)
	require.ErrorIs(t, err, customers.ErrIdentityNotFound, "a password that was not sent cannot be right")
}

func TestFiveAttemptsAndThenAnInitiationIsDead(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	for range 5 {
		_, err := b.validate(goodBVN, wrongOTP)
		require.ErrorIs(t, err, customers.ErrInvalidOTP)
	}
	for range 2 {
		_, err := b.validate(goodBVN, rightOTP)
		require.ErrorIs(t, err, customers.ErrInvalidOTP, "the right one comes too late")
	}
	require.Len(t, b.reasons(), 5, "a refusal without judgement tells nothing")
	require.Equal(t, customers.Rejected, b.customer(c.ID).Status)

	b.initiate(goodBVN, c.ID)
	require.Equal(t, customers.PendingVerification, b.customer(c.ID).Status, "a new initiation makes it pending again")
	_, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	require.Equal(t, customers.Verified, b.customer(c.ID).Status)
}

func TestExpiredPasswordsUseAttemptsUp(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	b.clock.pass(time.Hour)
	for range 8 {
		_, err := b.validate(goodBVN, rightOTP)
		require.ErrorIs(t, err, customers.ErrInvalidOTP)
	}
	require.Len(t, b.reasons(), 5)
}

func TestAFurtherAttemptOnALiveInitiationIsJudged(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	_, err := b.validate(goodBVN, wrongOTP)
	require.ErrorIs(t, err, customers.ErrInvalidOTP)
	require.Equal(t, customers.Rejected, b.customer(c.ID).Status)
	_, err = b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	require.Equal(t, customers.Verified, b.customer(c.ID).Status)
	require.Equal(t, []string{"invalid_otp", "verified"}, b.reasons())
}

func TestATimeOutIsNoAttempt(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	_, err := b.validate(goodBVN, wrongOTP)
	require.ErrorIs(t, err, customers.ErrInvalidOTP)
	b.provider.check = func(context.Context) (kyc.Identity, error) { return kyc.Identity{}, context.DeadlineExceeded }
	for range 9 {
		_, err := b.validate(goodBVN, rightOTP)
		require.ErrorIs(t, err, customers.ErrUnavailable)
		e, _ := errors.AsType[*ferry.Error](err)
		require.Positive(t, e.RetryAfter)
	}
	require.Equal(t, customers.Rejected, b.customer(c.ID).Status, "unchanged")
	for _, e := range b.events(home)[1:] {
		require.Equal(t, "provider_unavailable", e.Data["failure_reason"])
		require.Equal(t, "rejected", e.Data["status"])
	}
	b.provider.check = nil
	for range 3 {
		_, err = b.validate(goodBVN, wrongOTP)
		require.ErrorIs(t, err, customers.ErrInvalidOTP)
	}
	_, err = b.validate(goodBVN, rightOTP)
	require.NoError(t, err, "the fifth attempt")
	require.Len(t, b.reasons(), 1+9+3+1)
}

func TestTheNewestLiveInitiationIsJudged(t *testing.T) {
	b := setup(t)
	first, second := b.create(person(1)), b.create(person(2))
	b.initiate(goodBVN, first.ID)
	b.clock.pass(time.Minute)
	b.initiate(goodBVN, second.ID)
	_, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	require.Equal(t, customers.Verified, b.customer(second.ID).Status)
	require.Equal(t, customers.PendingVerification, b.customer(first.ID).Status)

	_, err = b.validate(goodBVN, rightOTP)
	require.NoError(t, err, "the older one lives on")
	require.Equal(t, customers.Verified, b.customer(first.ID).Status)
}

func TestWithoutCustomerThereIsAResultAndNoEvent(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	_, err := b.validate(goodBVN, wrongOTP)
	require.ErrorIs(t, err, customers.ErrInvalidOTP)
	o, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	require.NotEmpty(t, o.Result.FirstName)
	_, err = b.validate(goodBVN, rightOTP)
	require.ErrorIs(t, err, customers.ErrInvalidOTP, "used up")
	require.Empty(t, b.events(home))
}

func TestAUsedPasswordDoesNotReachTheProvider(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	_, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	b.provider.check = func(context.Context) (kyc.Identity, error) {
		require.Fail(t, "the provider was asked")
		return kyc.Identity{}, nil
	}
	_, err = b.validate(goodBVN, rightOTP)
	require.ErrorIs(t, err, customers.ErrInvalidOTP)
}

func TestAnotherNINThanTheStoredOneIsAMismatch(t *testing.T) {
	b := setup(t)
	p := person(1)
	p.NIN = "55512345680"
	c := b.create(p)
	_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.NIN, Number: goodNIN, CustomerID: c.ID})
	require.NoError(t, err)
	_, err = b.Validate(b.ctx, home, customers.ValidateParams{Type: kyc.NIN, Number: goodNIN, OTP: rightOTP})
	require.ErrorIs(t, err, customers.ErrNotVerified)
	require.Equal(t, []string{"identity_mismatch"}, b.reasons())
}

func TestAnAnswerAboutAnotherNumberIsAMismatch(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	b.provider.check = func(context.Context) (kyc.Identity, error) { return kyc.Identity{Number: string(otherBVN)}, nil }
	_, err := b.validate(goodBVN, rightOTP)
	require.ErrorIs(t, err, customers.ErrNotVerified)
	require.Equal(t, []string{"identity_mismatch"}, b.reasons())
}

func TestOfManyGuessesAtOnceNoMoreThanFiveReachTheProvider(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	asked := make(chan struct{}, 100)
	b.provider.check = func(context.Context) (kyc.Identity, error) {
		asked <- struct{}{}
		return kyc.Identity{}, kyc.ErrWrongOTP
	}
	for _, err := range race(30, func(i int) error {
		_, err := b.validate(goodBVN, customers.OTP(fmt.Sprintf("%06d", i)))
		return err
	}) {
		require.ErrorIs(t, err, customers.ErrInvalidOTP)
	}
	require.Len(t, asked, 5)
	require.Len(t, b.reasons(), 5)
}

func TestACustomerVerifiedMeanwhileIsNotJudgedAgain(t *testing.T) {
	for name, late := range map[string]struct{ answer, want error }{
		"accepted":  {nil, customers.ErrAlreadyVerified},
		"wrong OTP": {kyc.ErrWrongOTP, customers.ErrAlreadyVerified},
		"no answer": {kyc.ErrUnavailable, customers.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			c := b.create(person(1))
			b.initiate(goodBVN, c.ID)
			_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.NIN, Number: goodNIN, CustomerID: c.ID})
			require.NoError(t, err)
			b.provider.check = func(context.Context) (kyc.Identity, error) {
				b.provider.check = nil
				_, err := b.Validate(b.ctx, home, customers.ValidateParams{Type: kyc.NIN, Number: goodNIN, OTP: rightOTP})
				require.NoError(t, err)
				return kyc.Identity{FirstName: "Ada"}, late.answer
			}
			o, err := b.validate(goodBVN, rightOTP)
			require.ErrorIs(t, err, late.want)
			require.Zero(t, o.Result)
			require.Equal(t, []string{"verified"}, b.reasons())
			require.Equal(t, kyc.NIN, b.customer(c.ID).Verification.Method)
		})
	}
}

func TestAnIdentityIsReadBack(t *testing.T) {
	b := setup(t)
	_, err := b.Identity(b.ctx, home, kyc.BVN, goodBVN)
	require.ErrorIs(t, err, customers.ErrIdentityNotFound)
	_, err = b.Identity(b.ctx, home, "", "1")
	requireFields(t, err, map[string]string{"type": "Missing required field"})
	first := b.initiate(goodBVN, "")
	second := b.initiate(goodBVN, b.create(person(1)).ID)
	for range 2 {
		read, err := b.Identity(b.ctx, home, "BVN", goodBVN)
		require.NoError(t, err)
		require.Equal(t, second.Identity.ID, read.ID)
		require.NotEqual(t, first.Identity.ID, read.ID)
		b.clock.pass(1000 * time.Hour)
	}
	_, err = b.Identity(b.ctx, away, kyc.BVN, goodBVN)
	require.ErrorIs(t, err, customers.ErrIdentityNotFound)
}

func TestAnIdentityAnswersWhetherItWasVerifiedForABusiness(t *testing.T) {
	b := setup(t)
	o := b.initiate(goodBVN, "")
	verified := func(scope ferry.Scope) error {
		return b.units.In(ferry.Test).Read(b.ctx, func(ctx context.Context, tx tx) error {
			_, err := customers.VerifiedIdentity(ctx, tx, scope, o.Identity.ID)
			return err
		})
	}
	require.ErrorIs(t, verified(home), customers.ErrNotVerified)
	_, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	require.NoError(t, verified(home))
	require.ErrorIs(t, verified(away), customers.ErrIdentityNotFound)
	require.ErrorIs(t, verified(live), customers.ErrIdentityNotFound)
}
