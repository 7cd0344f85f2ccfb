package ferry_test

import (
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
)

var errTaken = ferry.NewError(ferry.Conflict, "reference_taken", "The reference is taken")

// An error answers to its sentinel, to its kind and by its code.
func ExampleError() {
	err := errTaken.Saying("The reference order-1 is taken")
	fmt.Println(errors.Is(err, errTaken), errors.Is(err, ferry.Conflict), ferry.CodeOf(err))

	var problems ferry.Problems
	problems.Add("email", "Invalid email format")
	problems.Add("phone", "Invalid phone format")
	if refused, ok := errors.AsType[*ferry.Error](problems.Err()); ok {
		fmt.Println(refused.Code, len(refused.Fields), refused.Fields[0].Name)
	}
	// Output:
	// true true reference_taken
	// validation_error 2 email
}
