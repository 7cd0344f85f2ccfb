package customers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/seal"
)

func TestNumbersAreSealedAtRestAndBoundToTheirOwner(t *testing.T) {
	b := setup(t)
	p := person(1)
	p.BVN, p.NIN = goodBVN, goodNIN
	one := b.create(p)
	p = person(2)
	p.BVN, p.NIN = goodBVN, goodBVN
	two := b.create(p)
	b.initiate(goodBVN, one.ID)

	require.Equal(t, one.BVN.Digest, two.BVN.Digest, "the same number is found by the same digest")
	require.NotEqual(t, one.BVN.Sealed, two.BVN.Sealed)
	require.NotEqual(t, two.BVN.Digest, two.NIN.Digest, "the same digits of another type are another number")
	foreign, err := b.Create(b.ctx, away, p)
	require.NoError(t, err)
	require.NotEqual(t, one.BVN.Digest, foreign.BVN.Digest, "businesses cannot be joined by it")

	swapped := two
	swapped.BVN = one.BVN
	_, err = b.Masks(swapped)
	require.ErrorIs(t, err, seal.ErrTampered)
	swapped = one
	swapped.BVN, swapped.NIN = one.NIN, one.BVN
	_, err = b.Masks(swapped)
	require.ErrorIs(t, err, seal.ErrTampered)
	swapped = one
	swapped.Scope = live
	_, err = b.Masks(swapped)
	require.ErrorIs(t, err, seal.ErrTampered)
}

// TestNoRowHoldsANumberAPasswordOrAPhoto looks at everything the store keeps of
// a verification.
func TestNoRowHoldsANumberAPasswordOrAPhoto(t *testing.T) {
	b := setup(t)
	p := person(1)
	p.NIN = goodNIN
	c := b.create(p)
	b.initiate(goodBVN, c.ID)
	validation := b.beginValidation(rightOTP)
	o := b.conclude(b.ask(validation))
	require.NotEmpty(t, o.Result.ImageBase64)
	b.initiate(otherBVN, "")
	open := b.beginValidationOf(otherBVN, rightOTP)

	var kept []any
	require.NoError(t, b.units.In(ferry.Test).Read(b.ctx, func(ctx context.Context, tx tx) error {
		for _, id := range []customers.IdentityID{validation.Identity(), open.Identity()} {
			identity, err := customers.IdentityKind.Get(ctx, tx, home, id)
			require.NoError(t, err)
			log, err := customers.InitiationLogKind.Get(ctx, tx, home, customers.RateKey("number/bvn/"+identity.Number.Digest))
			require.NoError(t, err)
			require.NotEmpty(t, log.Initiations)
			kept = append(kept, identity, log)
		}
		return nil
	}))
	kept = append(kept, b.customer(c.ID), b.events(home))
	for _, row := range kept {
		requireNothingSecret(t, fmt.Sprintf("%+v %s", row, mustJSON(t, row)), o.Result.ImageBase64, o.Result.PhoneNumber1)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func requireNothingSecret(t *testing.T, text string, more ...string) {
	t.Helper()
	for _, secret := range append(more, string(goodBVN), string(otherBVN), string(goodNIN), string(rightOTP)) {
		require.NotContains(t, text, secret)
	}
}

func TestNothingThatCarriesANumberOrPasswordPrintsIt(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	done := b.conclude(b.ask(b.beginValidation(rightOTP)))
	params := person(1)
	params.BVN, params.NIN = goodBVN, goodNIN
	carriers := customers.Carriers(goodBVN, rightOTP, kyc.Identity{BVN: string(goodBVN), NIN: string(goodNIN)})
	for _, v := range append(carriers,
		goodBVN, rightOTP, params,
		customers.InitiateParams{Type: kyc.BVN, Number: goodBVN},
		customers.ValidateParams{Type: kyc.BVN, Number: goodBVN, OTP: rightOTP},
		done,
	) {
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		requireNothingSecret(t, fmt.Sprintf("%v %+v %#v %s %q", v, v, v, v, v)+mustJSON(t, v)+log.String())
	}
	op := b.ValidateOp(home, customers.ValidateParams{Type: kyc.BVN, Number: goodBVN, OTP: rightOTP})
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "op", op)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "op", op)
	requireNothingSecret(t, fmt.Sprintf("%v %+v %#v %s %q", op, op, op, op, op)+log.String())
}

func TestANumberShowsItsFirstSixDigitsAndItsLast(t *testing.T) {
	for number, want := range map[customers.Number]string{
		"":              "",
		"12345678901":   "123456****1",
		"RC1234567":     "RC1234567",
		"1234567890":    "[redacted]",
		"123456789012":  "[redacted]",
		"1234567890a":   "[redacted]",
		"12345678901\n": "[redacted]",
	} {
		require.Equal(t, want, number.String())
	}
}

func TestErrorsOfTheProviderAreScrubbed(t *testing.T) {
	b := setup(t)
	b.initiate(goodBVN, "")
	b.provider.check = func(context.Context) (kyc.Identity, error) {
		return kyc.Identity{}, fmt.Errorf("GET /check?number=%s&otp=%s: EOF", string(goodBVN), string(rightOTP))
	}
	_, err := b.validate(goodBVN, rightOTP)
	require.ErrorIs(t, err, customers.ErrUnavailable)
	require.Contains(t, err.Error(), "GET /check?number="+maskGoodBVN+"&otp=[redacted]: EOF")
}
