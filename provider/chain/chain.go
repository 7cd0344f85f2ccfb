// Package chain is the port to a blockchain that holds USDC. It names what the
// engine asks of a chain and what it may believe of the answers; chaintest is
// its executable contract.
//
// A payment is one set of signed bytes: Sign makes them, the caller commits
// them, Send offers them as often as needed, and Statuses reports what became of
// them. Only Statuses is evidence: the result of Send does not say whether a payment
// happened.
//
// An adapter implements [Chain], and [Minted], [PendingReporter] or [ActivityReporter] where the
// chain can do more. A decorator of a Chain has the abilities that it implements itself, and hides
// those of the chain below it. An adapter gets a [Transfer] with its [Source] addresses, and a
// [Keyring] that signs for them. A program that shows or takes addresses needs [ParseAddress].
// Package chaintest is the adapter's test.
package chain

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// Commitment is how sure the chain is of a block.
type Commitment string

const (
	// Processed: in a block of some fork.
	Processed Commitment = "processed"
	// Confirmed: voted for; it may still be dropped.
	Confirmed Commitment = "confirmed"
	// Finalized: never dropped again.
	Finalized Commitment = "finalized"
)

// Rank orders commitments: a higher one includes the lower. Unknown is 0.
func (c Commitment) Rank() int {
	switch c {
	case Processed:
		return 1
	case Confirmed:
		return 2
	case Finalized:
		return 3
	}
	return 0
}

// Signature names a signed transaction, in base58.
type Signature string

// Transfer is a payment of USDC as the caller wants it. The adapter builds the
// message from it and signs nothing else.
type Transfer struct {
	// Sources are managed addresses that pay, each its part, all in one
	// transaction: all pay or none does.
	Sources []Source
	// Destination is the owner's address, or a token account for USDC.
	Destination Address
	// Memo is written on the chain and is unique per attempt, so that two
	// equal payments are two transactions.
	Memo string
}

// Source is one managed address and what it pays.
type Source struct {
	Address Address
	Amount  money.Amount
}

// Signed is a payment ready to be sent. It is committed before the first Send.
type Signed struct {
	Signature Signature
	Bytes     []byte
	Blockhash string
	// LastValidHeight is the last block height at which the bytes can land.
	LastValidHeight uint64
}

// Status is what a chain knows of a transaction.
type Status struct {
	// Found reports whether the transaction stands in a block. It may still
	// land when it does not, until its last valid height is past.
	Found      bool
	Commitment Commitment
	Slot       uint64
	// Err is the program's error, or empty: a transaction that landed with an
	// error moved nothing.
	Err string
	// At is the block's time.
	At time.Time
}

// StatusReport is the answer of Chain.Statuses: statuses and the height as of which
// they were searched.
type StatusReport struct {
	// Statuses are in the order of the signatures asked for.
	Statuses []Status
	// FinalizedHeight is the block height that was finalized before the
	// statuses were searched, history included. A transaction that is not
	// Found although FinalizedHeight is past its last valid height never lands.
	FinalizedHeight uint64
}

// Kind is what stands at an address that money is to be sent to.
type Kind string

const (
	// Owner: a system-owned or unused on-curve address.
	Owner Kind = "owner"
	// TokenAccount: an existing token account for USDC.
	TokenAccount Kind = "token_account"
	// Unusable: a program, a mint, a token account of another mint, the fee
	// payer, or an address without a private key.
	Unusable Kind = "unusable"
)

// Destination is what is known of an address that money is to be sent to.
type Destination struct {
	Kind Kind
	// Opened reports whether it can hold USDC already; the first payment to
	// an address that cannot costs rent.
	Opened bool
	// Owner is whose money it would be: the address itself, or the owner of
	// the token account. Empty when Unusable.
	Owner Address
}

// ChangeToken differs from an earlier one of the same address when USDC or another
// token moved there, as of a finalized block. It is opaque.
type ChangeToken string

// Cursor is a place in the history of an address, or in another list of a Chain. Where it is
// empty, the list begins.
type Cursor string

// Movement is what one successful, finalized transaction changed on a managed
// address: one net change, whatever happened inside the transaction.
type Movement struct {
	Signature Signature
	Slot      uint64
	// Mint is the token that moved. Supported reports whether it is our USDC;
	// Delta is zero when it is not.
	Mint      string
	Supported bool
	// Delta is balance after minus balance before.
	Delta money.Amount
	// Counterparty is the owner on the other side, where that is one.
	Counterparty Address
	// Own reports whether the engine's own fee payer paid for the transaction.
	// Then the engine sent it.
	Own bool
	// Memo is what the transaction says, or empty.
	Memo string
	At   time.Time
	// Cursor is the place after this movement, to be saved with its effect.
	Cursor Cursor
}

// Payment is a finalized transaction that the engine's own fee payer paid for,
// from whatever addresses.
type Payment struct {
	Signature Signature
	Slot      uint64
	Memo      string
	// Sources lost USDC, each its part, and Destination is the owner who got
	// it. They are empty when the transaction moved none.
	Sources     []Source
	Destination Address
	// Err is the program's error, or empty: then nothing moved.
	Err string
	At  time.Time
	// Cursor is the place after this payment in the list of all.
	Cursor Cursor
}

// Holdings is what addresses hold as of one block.
type Holdings struct {
	// Slot is that of the block, which is finalized.
	Slot uint64
	// Amounts are in the order of the addresses asked for.
	Amounts []money.Amount
}

// Chain is a chain with one USDC mint. It is called outside any unit of work.
// Every method may fail with ErrUnavailable, which says nothing about what
// happened.
type Chain interface {
	// Genesis names the chain, so that an engine can refuse to run on another
	// one than its records were made on.
	Genesis(context.Context) (string, error)
	// Inspect reports what kind of destination an address is. Errors: ErrInvalidAddress.
	Inspect(context.Context, Address) (Destination, error)
	// MaxMemo is how many bytes of memo fit a transfer with that many
	// sources; below zero when so many sources do not fit at all.
	MaxMemo(sources int) int
	// Sign builds the one message for t on a fresh blockhash and has the
	// keyring sign it for every source. It sends nothing. Errors:
	// ErrInvalidTransfer, ErrUnusable, ErrFeePayer, ErrFeeBudget.
	Sign(ctx context.Context, t Transfer, keys Keyring) (Signed, error)
	// Send offers signed bytes to the chain. It may be called again with the
	// same bytes: they land at most once. A nil error does not prove that they
	// will land, and an error does not prove that they will not.
	Send(ctx context.Context, bytes []byte) error
	// Statuses searches signatures, at most MaxStatuses, history included. Without
	// signatures it reports the height only.
	Statuses(ctx context.Context, signatures []Signature) (StatusReport, error)
	// ChangeTokens returns the tokens of managed addresses, at most MaxAddresses, in
	// their order. They are hints: the node that answers may be ahead of the one
	// that answers History, so a token that is not new does not prove that History
	// was read to its end.
	ChangeTokens(ctx context.Context, addresses []Address) ([]ChangeToken, error)
	// History returns the movements of a managed address after a place,
	// oldest first, at most limit, and fewer only at the end. Movements that are not yet finalized, or
	// stand in a dropped block, are never among them. One movement may be
	// reported more than once.
	History(ctx context.Context, address Address, after Cursor, limit int) ([]Movement, error)
	// Sent returns the payments of the engine's own fee payer after a place,
	// oldest first, at most limit: those that stand in a finalized block, with
	// an error or without. Every payment that Sign made is among them once its
	// block is finalized. One may be reported more than once.
	Sent(ctx context.Context, after Cursor, limit int) ([]Payment, error)
	// Holdings returns the USDC on addresses, at most MaxAddresses, as of one
	// finalized block. As with ChangeTokens, the node may be ahead of another one.
	Holdings(ctx context.Context, addresses []Address) (Holdings, error)
	// ExplorerURL is a page where a person sees the transaction.
	ExplorerURL(Signature) string
}

// movementPage is how many movements Movements reads at once.
const movementPage = 100

// Movements iterates over the history of a managed address after a place, to its end. An
// error of History ends it.
func Movements(ctx context.Context, c Chain, address Address, after Cursor) iter.Seq2[Movement, error] {
	return func(yield func(Movement, error) bool) {
		for {
			page, err := c.History(ctx, address, after, movementPage)
			if err != nil {
				yield(Movement{}, err)
				return
			}
			for _, m := range page {
				if after = m.Cursor; !yield(m, nil) {
					return
				}
			}
			if len(page) < movementPage {
				return
			}
		}
	}
}

const (
	// MaxAddresses is how many addresses one call takes.
	MaxAddresses = 100
	// MaxStatuses is how many signatures one call of Statuses takes.
	MaxStatuses = 256
)

var (
	// ErrInvalidTransfer refuses a transfer that cannot be signed: no source
	// or too many, one named twice, an amount that is not positive USDC, a
	// memo that does not fit or is not UTF-8, or something that is no address.
	ErrInvalidTransfer = errors.New("chain: not a transfer that can be signed")
	// ErrUnusable refuses to sign a transfer whose destination was usable once and
	// is Unusable now.
	ErrUnusable = errors.New("chain: the destination can no longer receive")
	// ErrFeePayer says that a transfer cannot be signed now, because the address that pays the
	// fees has too little.
	ErrFeePayer = errors.New("chain: the fee payer has too little")
	// ErrFeeBudget says that a transfer cannot be signed today, because the fees that may be spent
	// in a day are used up.
	ErrFeeBudget = errors.New("chain: the fees of the day are used up")
	// ErrUnavailable says that nothing is known: the chain did not answer.
	ErrUnavailable = errors.New("chain: unavailable")
	// ErrNone says that an environment has no chain. No Chain returns it.
	ErrNone = ferry.NoProvider("blockchain")
)
