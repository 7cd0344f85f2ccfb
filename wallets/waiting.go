package wallets

// Waiting says why an outgoing transfer that may leave was not signed yet, as of the last try. The
// engine tries again by itself every few seconds.
type Waiting string

const (
	// NotWaiting: it is signed, was not tried yet, or waits for something else, as an approval.
	NotWaiting Waiting = ""
	// ForFeePayer: the address that pays the fees has too little. An operator sends it more.
	ForFeePayer Waiting = "fee_payer"
	// ForFeeBudget: the operator's limit of fees of a day is used up. The next day moves it on.
	ForFeeBudget Waiting = "fee_budget"
	// ForChain: no node of the chain answers as it should.
	ForChain Waiting = "chain"
	// ForOperator: for another reason, which the log of the server names.
	ForOperator Waiting = "operator"
)

// Waitings are all that Waiting can be.
func Waitings() []Waiting {
	return []Waiting{NotWaiting, ForFeePayer, ForFeeBudget, ForChain, ForOperator}
}
