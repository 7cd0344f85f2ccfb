package wallets

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// TransactionID names a transaction: trx_ and 32 hexadecimal digits. That of an
// outgoing one is the id of its transfer.
type TransactionID string

// TransferID names a transfer: trx_ and 32 hexadecimal digits.
type TransferID string

// PostingOf is the id of the posting by which a transfer moves money.
func PostingOf(id TransferID) ledger.PostingID { return ledger.PostingID("transfer:" + string(id)) }

// TransferStatus is where a transfer stands.
type TransferStatus string

const (
	// Pending: amount and fee are reserved and the chain is, or will be,
	// asked. The worker moves it on; a crash leaves it for another one.
	Pending TransferStatus = "pending"
	// Success: posted. Final.
	Success TransferStatus = "success"
	// Failed: the chain proved that nothing moved, and the reservation is
	// released. Final.
	Failed TransferStatus = "failed"
)

// Direction says which way money went, as seen from a wallet.
type Direction string

const (
	// In: to the wallet.
	In Direction = "IN"
	// Out: from the wallet.
	Out Direction = "OUT"
)

// Transaction is one line of a wallet's statement: a deposit, or one side of a
// transfer (docs/api.md, "Transactions").
type Transaction struct {
	ID    TransactionID
	Scope ferry.Scope
	// Reference is the transfer's, or the transaction's own id for a deposit.
	Reference       string
	Direction       Direction
	Wallet          ID
	WalletReference string
	Address         AddressID
	// Transfer is the transfer that made it, or empty for a deposit.
	Transfer TransferID
	// From is empty when the chain does not name the sender.
	From, To chain.Address
	Amount   money.Amount
	// Fee is what was paid on top; on outgoing transactions only.
	Fee       money.Amount
	Status    TransferStatus
	Signature chain.Signature
	// Waiting is why a pending transfer is not signed yet.
	Waiting Waiting
	// Entry is the ledger entry on the wallet's address. It is zero while
	// nothing is posted.
	Entry       ledger.EntryID
	CreatedAt   time.Time
	ConfirmedAt time.Time
	Version     int64
}

// TransactionFilter keeps transactions; the zero value keeps all.
type TransactionFilter struct {
	Wallet    ID
	Status    TransferStatus
	Direction Direction
	Range     ferry.Range
}

// StatementLine is a transaction with the wallet's posted balance around it.
type StatementLine struct {
	Transaction
	// Balances is nil while nothing is posted.
	Balances *Balances
}

// Balances are a wallet's posted balance before and after a transaction.
type Balances struct{ Before, After money.Amount }
