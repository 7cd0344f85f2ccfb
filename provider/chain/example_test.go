package chain_test

import (
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/provider/chain"
)

// Addresses are checked before they are kept: a letter in the wrong case is another address,
// or none.
func ExampleParseAddress() {
	to, err := chain.ParseAddress("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM")
	fmt.Println(to, err)
	_, err = chain.ParseAddress("0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae")
	fmt.Println(errors.Is(err, chain.ErrInvalidAddress))
	// Output:
	// 9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM <nil>
	// true
}
