package ledger

import "github.com/ferrypay/ferry/money"

// Opposite returns the legs that take back what a posting brought from one account to
// others, but for what it brought to one of them, which stays.
func Opposite(entries []Entry, but AccountID) (legs []Leg, err error) {
	var back Leg
	for _, e := range entries {
		switch {
		case e.Amount.Sign() < 0:
			back.Account = e.Account
		case e.Account != but:
			legs = append(legs, Leg{Account: e.Account, Amount: e.Amount.Neg()})
			if back.Amount, err = back.Amount.Add(e.Amount); err != nil {
				return nil, err
			}
		}
	}
	if back.Amount == (money.Amount{}) {
		return nil, nil // all of it stays
	}
	return append(legs, back), nil
}
