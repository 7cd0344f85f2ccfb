// Package on says which mutant a test runs with. The sources that [github.com/ferrypay/ferry/internal/mutants]
// writes ask it at each place that they can change; no other source does.
//
// The process reads two variables when it starts. FERRY_MUTANT is the number of the mutant, and without it
// there is none. FERRY_MUTANTS_SEEN is a file that gets the numbers of those that were asked for.
package on

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync"
)

var (
	active = number(os.Getenv("FERRY_MUTANT"))
	file   = os.Getenv("FERRY_MUTANTS_SEEN")
	seen   sync.Map // of the numbers that file has
)

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// Mutant reports whether mutant n is the one to run with.
func Mutant(n int) bool {
	if file != "" {
		note(n)
	}
	return n == active
}

func note(n int) {
	if _, known := seen.LoadOrStore(n, true); known {
		return
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, n)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// And is a && b. Mutant left leaves a out, and mutant right leaves b out.
func And(left, right int, a bool, b func() bool) bool {
	return (a || Mutant(left)) && (Mutant(right) || b())
}

// Or is a || b. Mutant left leaves a out, and mutant right leaves b out.
func Or(left, right int, a bool, b func() bool) bool {
	return a && !Mutant(left) || !Mutant(right) && b()
}

// Less is a < b. Mutant n takes equal ones for less, and the next one says the opposite.
func Less[T cmp.Ordered](n int, a, b T) bool {
	return (a < b || Mutant(n) && a == b) != Mutant(n+1)
}

// AtMost is a <= b. Mutant n does not take equal ones, and the next one says the opposite.
func AtMost[T cmp.Ordered](n int, a, b T) bool { return !Less(n, b, a) }

// More is a > b. Mutant n takes equal ones for more, and the next one says the opposite.
func More[T cmp.Ordered](n int, a, b T) bool { return Less(n, b, a) }

// AtLeast is a >= b. Mutant n does not take equal ones, and the next one says the opposite.
func AtLeast[T cmp.Ordered](n int, a, b T) bool { return !Less(n, a, b) }

// Plus is a + b, and a - b with mutant n.
func Plus[T ~int | ~int64 | ~uint64 | ~int32 | ~uint32 | ~uint8](n int, a, b T) T {
	if Mutant(n) {
		return a - b
	}
	return a + b
}

// Minus is a - b, and a + b with mutant n.
func Minus[T ~int | ~int64 | ~uint64 | ~int32 | ~uint32 | ~uint8](n int, a, b T) T {
	if Mutant(n) {
		return a + b
	}
	return a - b
}

// Pick is a, and b with mutant n.
func Pick[T any](n int, a, b T) T {
	if Mutant(n) {
		return b
	}
	return a
}

// Case is the value of a case, and with mutant n one that no switch has.
func Case[T ~string](n int, value T) T {
	if Mutant(n) {
		return value + "\x00"
	}
	return value
}
