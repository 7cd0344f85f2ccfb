package seal_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/seal"
)

// A sealed text opens under its own context only.
func Example() {
	sealer := must(seal.New(bytes.Repeat([]byte{7}, seal.KeySize))) // from your secrets

	of := seal.Context{Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 1}
	sealed := must(sealer.Seal([]byte("22212345678"), of))
	fmt.Println(string(must(sealer.Open(sealed, of))))

	other := of
	other.Owner = "cus_2"
	_, err := sealer.Open(sealed, other)
	fmt.Println(errors.Is(err, seal.ErrTampered))
	// Output:
	// 22212345678
	// true
}

// must returns v, or panics: a program returns the error instead.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
