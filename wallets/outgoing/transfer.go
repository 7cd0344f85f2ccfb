package outgoing

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Transfer sends USDC from a managed address (docs/api.md, "Wallet transfers").
type Transfer struct {
	ID    wallets.TransferID
	Scope ferry.Scope
	// Reference is unique among the transfers of the scope and never changes.
	// It is the transfer's id when the business chose none.
	Reference string
	Kind      Kind
	// Origin is what the transfer was made for. It never changes.
	Origin Origin

	// Wallet and FromID own the sending address From. A treasury transfer
	// has none: its attempts name their sources.
	Wallet          wallets.ID
	WalletReference string
	FromID          wallets.AddressID
	From            chain.Address
	// To receives; ToID is set when it is a managed address.
	To   chain.Address
	ToID wallets.AddressID

	Amount money.Amount
	// Fee is what the sender pays on top.
	Fee      money.Amount
	Memo     string
	Metadata ferry.Metadata

	Status wallets.TransferStatus
	// Stage is what the transfer waits for before anything of it is signed.
	Stage outflow.Stage
	// Waiting is why a pending transfer that may leave is not signed yet.
	Waiting wallets.Waiting
	// Failure says why a transfer failed.
	Failure string
	// Attempts counts those that were signed and committed, and Signature is
	// that of the live or the landed one, or empty.
	Attempts  int
	Signature chain.Signature
	// WaitsFor is the treasury transfer that gathers the funds for this one,
	// or empty.
	WaitsFor wallets.TransferID

	CreatedAt time.Time
	UpdatedAt time.Time
	// ConfirmedAt is when the transfer succeeded, or zero.
	ConfirmedAt time.Time
	Version     int64
}

// Total is what the transfer takes from its sender: amount and fee.
func (t Transfer) Total() (money.Amount, error) { return t.Amount.Add(t.Fee) }

// reservation holds Total while the transfer is on its way.
func (t Transfer) reservation() ledger.ReservationID { return ledger.ReservationID(t.ID) }

// posting is the one posting of the transfer.
func (t Transfer) posting() ledger.PostingID { return wallets.PostingOf(t.ID) }

// Origin names what the engine made a transfer for. It is zero when the business asked
// for the transfer itself. No client can set it.
type Origin struct {
	Kind OriginKind
	ID   string
}

// OriginKind says what an Origin names.
type OriginKind string

const (
	// NoOrigin: the business asked for the transfer.
	NoOrigin OriginKind = ""
	// FromReceipt: a receipt of a payment that goes back to its sender.
	FromReceipt OriginKind = "receipt"
	// FromRefund: a refund of a payment. It was admitted by the guard when it was made.
	FromRefund OriginKind = "refund"
	// FromOfframp: a deposit of an offramp that goes back to its sender. No guard is asked: it was
	// never the business's, nor the platform's.
	FromOfframp OriginKind = "offramp"
	// FromOnramp: an onramp, whose USDC the platform sends. No guard is asked: it is not the
	// business's.
	FromOnramp OriginKind = "onramp"
)

// Kind says how a transfer moves money.
type Kind string

const (
	// Internal: between managed addresses, in the ledger only.
	Internal Kind = "internal"
	// External: over the chain, to an address that is not managed here.
	External Kind = "external"
	// Treasury: over the chain between managed addresses, to gather fragments
	// that a transfer needs. It belongs to no business and moves nothing in
	// the ledger.
	Treasury Kind = "treasury"
)

// TransferCause is what moves a transfer.
type TransferCause string

const (
	// Settled: the money has moved, and the block is final.
	Settled TransferCause = "settled"
	// Refused: the chain proved that it has not moved.
	Refused TransferCause = "refused"
	// Rejected: its approval was rejected, and nothing of it was signed.
	Rejected TransferCause = "rejected"
)

// TransferLifecycle is docs/api.md, "Wallet transfer status".
var TransferLifecycle = ferry.Lifecycle[wallets.TransferStatus, TransferCause]{
	Name:    "wallet transfer",
	Initial: wallets.Pending,
	Edges: []ferry.Edge[wallets.TransferStatus, TransferCause]{
		{From: wallets.Pending, On: Settled, To: wallets.Success, Event: wallets.EventSent},
		{From: wallets.Pending, On: Refused, To: wallets.Failed, Event: wallets.EventFailed},
		{From: wallets.Pending, On: Rejected, To: wallets.Failed, Event: wallets.EventFailed},
	},
}
