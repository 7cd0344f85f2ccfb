package statement

import "github.com/ferrypay/ferry/provider/bank"

// Sender is where money came from: a bank account or an address on the chain.
type Sender struct {
	BankCode, AccountNumber, AccountName string
	Address                              string
}

// SenderOf is where a credit came from.
func SenderOf(c bank.Credit) Sender {
	return Sender{BankCode: c.Sender.BankCode, AccountNumber: c.Sender.AccountNumber, AccountName: c.Sender.AccountName}
}
