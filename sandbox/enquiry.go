package sandbox

import (
	"context"
	"crypto/sha256"

	"github.com/ferrypay/ferry/provider/bank"
)

// NoHolder is the account number that belongs to nobody, at every bank.
const NoHolder = "0000000000"

// Enquire answers for accounts of every bank: the name follows from the number. The holder of
// an account that the sandbox bank opened is the one it was opened for.
func (b simBank) Enquire(ctx context.Context, bankCode, number string) (bank.Holder, error) {
	var own bank.Account
	err := b.provider().query(ctx, func(m *moment) error {
		_, err := load(m, accountKey(number), &own)
		return err
	})
	switch {
	case err != nil:
		return bank.Holder{}, err
	case number == NoHolder:
		return bank.Holder{}, bank.ErrNoHolder
	}
	d := dice(sha256.Sum256([]byte("account" + bankCode + number)))
	holder := bank.Holder{
		Party:     bank.Party{BankCode: bankCode, AccountNumber: number, AccountName: from(d, 1, womensNames) + " " + from(d, 3, lastNames)},
		SessionID: d.digits(30),
	}
	if own.BankCode == bankCode {
		holder.AccountName = own.AccountName
	}
	return holder, nil
}

// digits returns n digits, at most as many as there are dice.
func (d dice) digits(n int) string {
	all := make([]byte, n)
	for i := range all {
		all[i] = '0' + d[i]%10
	}
	return string(all)
}
