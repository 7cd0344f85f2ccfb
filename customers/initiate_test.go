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
	"github.com/ferrypay/ferry/store"
)

func TestAnInitiationSendsAPasswordAndAnswersMasked(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	o, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: " BvN", Number: goodBVN, CustomerID: c.ID})
	require.NoError(t, err)
	require.Regexp(t, `^idn_[0-9a-f]{32}$`, o.Identity.ID)
	require.Equal(t, kyc.BVN, o.Identity.Type)
	require.Equal(t, maskGoodBVN, o.Number)
	require.Equal(t, customers.IdentitySent, o.Identity.Status)
	require.Equal(t, b.clock.Now().Add(10*time.Minute), o.Identity.ExpiresAt)
	require.Zero(t, o.Result)
	require.Empty(t, b.events(home), "an initiation is no attempt")
	require.Equal(t, customers.PendingVerification, b.customer(c.ID).Status)
}

func TestAnInitiationNamesAllRefusedFields(t *testing.T) {
	b := setup(t)
	for _, given := range []struct {
		params customers.InitiateParams
		want   map[string]string
	}{
		{customers.InitiateParams{}, map[string]string{"type": "Missing required field", "number": "Missing required field"}},
		{customers.InitiateParams{Type: "passport", Number: "A1"}, map[string]string{"type": "Must be one of bvn, nin, cac"}},
		{customers.InitiateParams{Type: kyc.BVN, Number: "123"}, map[string]string{"number": "Invalid BVN format"}},
		{customers.InitiateParams{Type: kyc.NIN, Number: "RC123"}, map[string]string{"number": "Invalid NIN format"}},
		{customers.InitiateParams{Type: kyc.CAC, Number: goodBVN}, map[string]string{"number": "Invalid CAC number"}},
	} {
		_, err := b.Initiate(b.ctx, home, given.params)
		requireFields(t, err, given.want)
	}
}

func TestTheNumberMustBeOfAKindThatTheCustomerCanHave(t *testing.T) {
	b := setup(t)
	want := map[string]string{"type": "Must be bvn or nin for an individual, cac for a business"}
	_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.CAC, Number: goodCAC, CustomerID: b.create(person(1)).ID})
	requireFields(t, err, want)
	_, err = b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, CustomerID: b.create(company(2)).ID})
	requireFields(t, err, want)
}

func TestAnInitiationForACustomerOfAnotherBusinessFindsNone(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	for _, scope := range []ferry.Scope{away, live} {
		_, err := b.Initiate(b.ctx, scope, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, CustomerID: c.ID})
		require.ErrorIs(t, err, customers.ErrNotFound)
	}
}

func TestFiveInitiationsOfACustomerWithinADay(t *testing.T) {
	b := setup(t)
	c, other := b.create(person(1)), b.create(person(2))
	for i := range 5 {
		b.initiate(customers.Number(fmt.Sprintf("2221234%d670", i)), c.ID) // whatever the number
		b.clock.pass(time.Hour)
	}
	_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.NIN, Number: goodNIN, CustomerID: c.ID})
	require.ErrorIs(t, err, customers.ErrTooManyInitiations)
	require.ErrorIs(t, err, ferry.RateLimited)
	e, _ := errors.AsType[*ferry.Error](err)
	require.Equal(t, "rate_limit_exceeded", e.Code)
	require.Equal(t, 19*time.Hour, e.RetryAfter, "until the first is a day old")

	b.initiate(goodBVN, other.ID) // another customer has its own five
	b.clock.pass(e.RetryAfter)
	b.initiate(goodBVN, c.ID)
	_, err = b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, CustomerID: c.ID})
	require.ErrorIs(t, err, customers.ErrTooManyInitiations)
	e, _ = errors.AsType[*ferry.Error](err)
	require.Equal(t, time.Hour, e.RetryAfter, "until the second is a day old")
}

func TestFiveInitiationsOfANumberWhenNoCustomerIsNamed(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID) // counts for the customer, not for the number
	for range 5 {
		b.initiate(goodBVN, "")
	}
	_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN})
	require.ErrorIs(t, err, customers.ErrTooManyInitiations)
	b.initiate(otherBVN, "")
	b.initiate(goodBVN, c.ID)
	_, err = b.Initiate(b.ctx, away, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN})
	require.NoError(t, err, "businesses do not share limits")
	_, err = b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.NIN, Number: goodBVN})
	require.NoError(t, err, "the same digits of another type are another number")
}

func TestOfManyInitiationsAtOnceNoMoreThanFiveAreSent(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	taken := 0
	for _, err := range race(20, func(i int) error {
		_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: customers.Number(fmt.Sprintf("222123400%02d", i)), CustomerID: c.ID})
		return err
	}) {
		if err == nil {
			taken++
		} else {
			require.ErrorIs(t, err, customers.ErrTooManyInitiations)
		}
	}
	require.Equal(t, 5, taken)
}

func TestAProviderThatDoesNotTakeAnInitiationIsAskedAgainForTheSameOne(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	params := customers.InitiateParams{Type: kyc.BVN, Number: goodBVN, CustomerID: c.ID}
	var attempts []string
	down := true
	b.provider.send = func(_ context.Context, attempt string) error {
		attempts = append(attempts, attempt)
		if down {
			return fmt.Errorf("dial 10.0.0.1 for %s: %w", goodBVN, kyc.ErrUnavailable)
		}
		return nil
	}
	for range 7 {
		_, err := b.Initiate(b.ctx, home, params)
		require.ErrorIs(t, err, customers.ErrUnavailable)
		require.ErrorIs(t, err, ferry.Unavailable)
		require.NotContains(t, err.Error(), string(goodBVN))
		require.Contains(t, err.Error(), "dial 10.0.0.1 for "+maskGoodBVN)
	}
	require.Empty(t, b.events(home))
	down = false
	o, err := b.Initiate(b.ctx, home, params)
	require.NoError(t, err, "what was not taken does not count")
	for _, attempt := range attempts {
		require.Equal(t, string(o.Identity.ID), attempt, "so that the provider sends one password")
	}
	again, err := b.Initiate(b.ctx, home, params)
	require.NoError(t, err)
	require.NotEqual(t, o.Identity.ID, again.Identity.ID, "a sent one is not sent again")
}

func TestAnInitiationThatNobodyTookForTooLongIsNotContinued(t *testing.T) {
	b := setup(t)
	var attempts []string
	b.provider.send = func(_ context.Context, attempt string) error {
		attempts = append(attempts, attempt)
		return kyc.ErrUnavailable
	}
	for range 2 {
		_, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN})
		require.ErrorIs(t, err, customers.ErrUnavailable)
		b.clock.pass(10 * time.Minute)
	}
	require.NotEqual(t, attempts[0], attempts[1])
}

func TestAVerifiedCustomerIsNotVerifiedAgain(t *testing.T) {
	b := setup(t)
	c := b.create(person(1))
	b.initiate(goodBVN, c.ID)
	_, err := b.validate(goodBVN, rightOTP)
	require.NoError(t, err)
	_, err = b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.NIN, Number: goodNIN, CustomerID: c.ID})
	require.ErrorIs(t, err, customers.ErrAlreadyVerified)
	_, err = b.validate(goodBVN, rightOTP)
	require.ErrorIs(t, err, customers.ErrAlreadyVerified)
	require.Equal(t, []string{"verified"}, b.reasons())
}

func TestAnEnvironmentWithoutProviderIsUnavailable(t *testing.T) {
	b := setup(t)
	service := customers.New(ferry.Narrow(b.units, func(tx store.Tx) customers.Tx { return tx }), customers.Config{Sealer: b.config.Sealer})
	_, err := service.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.BVN, Number: goodBVN})
	require.ErrorIs(t, err, customers.ErrUnavailable)
}

func TestACompanyIsJudgedAtOnce(t *testing.T) {
	for name, given := range map[string]struct {
		stored, number customers.Number
		err            error
		status         customers.Status
		identity       customers.IdentityStatus
		reason         string
	}{
		"accepted":        {goodCAC, goodCAC, nil, customers.Verified, customers.IdentityVerified, "verified"},
		"not accepted":    {badCAC, badCAC, customers.ErrNotVerified, customers.Rejected, customers.IdentityRejected, "identity_rejected"},
		"another company": {badCAC, goodCAC, customers.ErrNotVerified, customers.Rejected, customers.IdentityRejected, "identity_mismatch"},
		"no answer":       {slowCAC, slowCAC, customers.ErrUnavailable, customers.PendingVerification, customers.IdentityRequested, "provider_unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			p := company(1)
			p.CACNumber = string(given.stored)
			c := b.create(p)
			o, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: "CAC", Number: given.number, CustomerID: c.ID})
			require.ErrorIs(t, err, given.err)
			require.Equal(t, given.identity, o.Identity.Status)
			require.Equal(t, given.err == nil, o.Result.BusinessName != "")
			require.Equal(t, given.status, b.customer(c.ID).Status)
			require.Equal(t, []string{given.reason}, b.reasons())
			require.Equal(t, "cac", b.events(home)[0].Data["verification_method"])
		})
	}
}

func TestARejectedCompanyMayTryAgain(t *testing.T) {
	b := setup(t)
	c := b.create(company(1))
	params := customers.InitiateParams{Type: kyc.CAC, Number: goodCAC, CustomerID: c.ID}
	b.provider.lookUp = func(context.Context) (kyc.Identity, error) { return kyc.Identity{}, kyc.ErrRejected }
	_, err := b.Initiate(b.ctx, home, params)
	require.ErrorIs(t, err, customers.ErrNotVerified)
	b.provider.lookUp = func(context.Context) (kyc.Identity, error) { return kyc.Identity{}, kyc.ErrUnavailable }
	_, err = b.Initiate(b.ctx, home, params)
	require.ErrorIs(t, err, customers.ErrUnavailable)
	require.Equal(t, customers.Rejected, b.customer(c.ID).Status, "unchanged")
	b.provider.lookUp = nil
	_, err = b.Initiate(b.ctx, home, params)
	require.NoError(t, err)
	require.Equal(t, customers.Verified, b.customer(c.ID).Status)
	require.Equal(t, []string{"identity_rejected", "provider_unavailable", "verified"}, b.reasons())
	require.Equal(t, "rejected", b.events(home)[1].Data["status"])
}

func TestACompanyWithoutCustomerHasAResultAndNoEvent(t *testing.T) {
	b := setup(t)
	o, err := b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.CAC, Number: goodCAC})
	require.NoError(t, err)
	require.NotEmpty(t, o.Result.BusinessName)
	require.Equal(t, o.Result.BusinessName, o.Identity.VerifiedName)
	_, err = b.Initiate(b.ctx, home, customers.InitiateParams{Type: kyc.CAC, Number: badCAC})
	require.ErrorIs(t, err, customers.ErrNotVerified)
	require.Empty(t, b.events(home))
}
