package banks_test

import (
	"fmt"

	"github.com/ferrypay/ferry/provider/bank/banks"
)

// A bank is known by either of its codes.
func ExampleFind() {
	for _, code := range []string{"058", "000013"} {
		b, _ := banks.Find(code)
		fmt.Println(b.Name, b.Code())
	}
	fmt.Println(banks.Problem("059"))
	// Output:
	// Guaranty Trust Bank 058
	// Guaranty Trust Bank 058
	// Is not the code of a bank
}
