package tinkseal_test

import (
	"errors"
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
	err = keepKeys(filepath.Join(dir, "kek"), filepath.Join(dir, "keys.json"))
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// current: false
	// current: true 22212345678
	// [redacted]
}

func keepKeys(kekFile, keyFile string) error {
	// Once.
	if err := tinkseal.CreateKEK(kekFile); err != nil {
		return err
	}
	kek, err := tinkseal.FileKEK(kekFile)
	if err != nil {
		return err
	}
	if err := tinkseal.Create(keyFile, kek); err != nil {
		return err
	}

	// At every start.
	keys, err := tinkseal.Load(keyFile, kek)
	if err != nil {
		return err
	}
	context := seal.Context{Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 1}
	text, err := keys.Seal([]byte("22212345678"), context)
	if err != nil {
		return err
	}

	// From time to time. What was sealed before still opens.
	if err := tinkseal.Rotate(keyFile, kek); err != nil {
		return err
	}
	fmt.Println("current:", keys.Current(text))
	fresh, err := seal.Reseal(keys, text, context, context)
	if err != nil {
		return err
	}
	plain, err := keys.Open(fresh, context)
	fmt.Println("current:", keys.Current(fresh), string(plain))
	fmt.Println(keys)
	return err
}
