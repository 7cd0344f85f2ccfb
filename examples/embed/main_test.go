package main

import (
	"context"
	"os"
)

func Example() {
	if err := run(context.Background(), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// transfer is pending
	// transfer is success
	// balance is 15.495 USDC
	// findings: 0
}
