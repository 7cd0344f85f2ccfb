package kyc_test

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/kyc"
)

// registry is an identity provider that knows one person.
type registry struct{}

func (registry) SendOTP(_ context.Context, attempt string, _ kyc.Type, _ string) (kyc.Challenge, error) {
	return kyc.Challenge(attempt), nil // and a message to the owner of the number
}

func (registry) Check(_ context.Context, _ kyc.Challenge, t kyc.Type, number, otp string) (kyc.Identity, error) {
	if otp != "271828" {
		return kyc.Identity{}, kyc.ErrWrongOTP
	}
	return kyc.Identity{Type: t, Number: number, FirstName: "Ada", LastName: "Obi"}, nil
}

func (registry) Lookup(context.Context, kyc.Type, string) (kyc.Identity, error) {
	return kyc.Identity{}, kyc.ErrRejected
}

// An engine asks the provider of the program.
func ExampleProvider() {
	ctx := context.Background()
	e := must(engine.New(engine.Config{Store: memstore.New(), Test: engine.Providers{KYC: registry{}}}))
	shop := must(e.Bootstrap(ctx)).Business.Scope

	must(e.Customers.Initiate(ctx, shop, customers.InitiateParams{Type: kyc.BVN, Number: "22212345670"}))
	proved := must(e.Customers.Validate(ctx, shop, customers.ValidateParams{Type: kyc.BVN, Number: "22212345670", OTP: "271828"}))
	fmt.Println(proved.Identity.Status, proved.Result.FirstName)
	// Output: verified Ada
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
