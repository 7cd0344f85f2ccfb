package checkout

import "github.com/ferrypay/ferry/provider/chain"

// PaymentRequest asks a payer's wallet for what is left to pay through an instruction that ValidAt
// allows to be shown. mint is that of the chain, or empty.
func (i Instruction) PaymentRequest(mint chain.Address) (chain.PaymentRequest, error) {
	left, err := i.Amount.Sub(i.Received)
	return chain.PaymentRequest{To: i.Deposit, Mint: mint, Amount: left}, err
}
