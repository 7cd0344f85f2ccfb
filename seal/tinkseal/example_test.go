package tinkseal_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/seal/tinkseal"
)

func Example() {
	dir, err := os.MkdirTemp("", "ferry-keys-")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	kekFile, keyFile := filepath.Join(dir, "kek"), filepath.Join(dir, "keys.json")

	// Once.
	if err := tinkseal.CreateKEK(kekFile); err != nil {
		log.Fatal(err)
	}
	kek, err := tinkseal.FileKEK(kekFile)
	if err != nil {
		log.Fatal(err)
	}
	if err := tinkseal.Create(keyFile, kek); err != nil {
		log.Fatal(err)
	}

	// At every start.
	keys, err := tinkseal.Load(keyFile, kek)
	if err != nil {
		log.Fatal(err)
	}
	context := seal.Context{Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 1}
	text, err := keys.Seal([]byte("22212345678"), context)
	if err != nil {
		log.Fatal(err)
	}

	// From time to time. What was sealed before still opens.
	if err := tinkseal.Rotate(keyFile, kek); err != nil {
		log.Fatal(err)
	}
	fmt.Println("current:", keys.Current(text))
	fresh, err := seal.Reseal(keys, text, context, context)
	if err != nil {
		log.Fatal(err)
	}
	plain, err := keys.Open(fresh, context)
	fmt.Println("current:", keys.Current(fresh), string(plain), err)
	fmt.Println(keys)
	// Output:
	// current: false
	// current: true 22212345678 <nil>
	// [redacted]
}
