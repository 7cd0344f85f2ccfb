package customers_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
)

// newService returns a service in memory, with the simulated identity provider.
func newService() *customers.Service {
	world := sandbox.New(sandbox.Config{})
	units := store.Open(memstore.New(), ferry.OneClock(world.Clock()), ferry.NewIDs(rand.Reader))
	return customers.New(ferry.Narrow(units, func(tx store.Tx) customers.Tx { return tx }), customers.Config{
		Providers: map[ferry.Env]kyc.Provider{ferry.Test: world.KYC()},
		Sealer:    seal.Ephemeral(),
	})
}

func ExampleService_Create() {
	ctx, shop := context.Background(), ferry.Scope{Business: "biz_1", Env: ferry.Test}
	service := newService()
	ada, err := service.Create(ctx, shop, customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi",
		Email: "Ada@Example.com", Phone: "+234 801 234 5678", BVN: "22212345670",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	masks, err := service.Masks(ada)
	fmt.Println(ada.Name(), ada.Email, ada.Phone, masks.BVN, ada.Status, err)

	_, err = service.Create(ctx, shop, customers.CreateParams{Type: customers.Individual, Email: "ada", Phone: "0801"})
	problem, _ := errors.AsType[*ferry.Error](err)
	for _, field := range problem.Fields {
		fmt.Println(field.Name+":", field.Message)
	}
	// Output:
	// Ada Obi ada@example.com +2348012345678 222123****0 pending_verification <nil>
	// first_name: Missing required field
	// last_name: Missing required field
	// email: Invalid email format
	// phone: Invalid phone format
}

func ExampleService_Validate() {
	ctx, shop := context.Background(), ferry.Scope{Business: "biz_1", Env: ferry.Test}
	service := newService()
	ada, err := service.Create(ctx, shop, customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348012345678",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	sent, err := service.Initiate(ctx, shop, customers.InitiateParams{Type: kyc.BVN, Number: "22212345670", CustomerID: ada.ID})
	fmt.Println(sent.Number, sent.Identity.Status, err)

	_, err = service.Validate(ctx, shop, customers.ValidateParams{Type: kyc.BVN, Number: "22212345670", OTP: "000000"})
	fmt.Println(errors.Is(err, customers.ErrInvalidOTP))

	proved, err := service.Validate(ctx, shop, customers.ValidateParams{Type: kyc.BVN, Number: "22212345670", OTP: sandbox.MagicOTP})
	fmt.Println(proved.Identity.Status, proved.Result.BVN, err)
	ada, err = service.Customer(ctx, shop, ada.ID)
	fmt.Println(ada.Status, ada.Verification.Method, err)
	// Output:
	// 222123****0 otp_sent <nil>
	// true
	// verified 222123****0 <nil>
	// verified bvn <nil>
}
