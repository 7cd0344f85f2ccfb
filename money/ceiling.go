package money

import "fmt"

// Ceiling is the most that one operation moves, in minor units of either asset: 100
// billion naira, or 10 million USDC. Below it no sum of the parts of one operation
// overflows an Amount.
const Ceiling = 10_000_000_000_000

// AboveCeiling reports whether a is more than one operation moves.
func (a Amount) AboveCeiling() bool { return a.minor > Ceiling }

// Most is Ceiling of an asset.
func Most(asset Asset) Amount { return Amount{Ceiling, asset} }

// CeilingProblem says, for people, what is wrong with an amount above the ceiling. It is
// empty for any other.
func (a Amount) CeilingProblem() string {
	if !a.AboveCeiling() {
		return ""
	}
	return fmt.Sprintf("Must not be more than %s", Most(a.asset))
}
