package outgoing

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Attempt is one set of signed bytes that may carry out a transfer. It is
// committed before the bytes are first sent, and only these bytes are ever
// sent for it.
type Attempt struct {
	Transfer wallets.TransferID
	Scope    ferry.Scope
	// Number counts the attempts of the transfer from 1.
	Number int
	chain.Signed
	// Memo is what the bytes say on the chain: unique, so that no two
	// attempts are the same transaction.
	Memo    string
	Sources []Source
	// To is the managed address that receives, for a treasury transfer.
	To    wallets.AddressID
	State AttemptState
	// Seen is set when the history of an address shows the attempt.
	Seen      bool
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// Source is one managed address and the part that it pays.
type Source struct {
	ID      wallets.AddressID
	Address chain.Address
	Amount  money.Amount
}

// Total is the sum of the parts.
func (a Attempt) Total() (money.Amount, error) {
	var total money.Amount
	var err error
	for _, s := range a.Sources {
		if total, err = total.Add(s.Amount); err != nil {
			return money.Amount{}, err
		}
	}
	return total, nil
}

// outlived reports whether a finalized height is past the last one at which the
// attempt could land, by more than a margin.
func (a Attempt) outlived(height, margin uint64) bool {
	return height > a.LastValidHeight && height-a.LastValidHeight > margin
}

// EffectOn is what the attempt, once it lands, changes on a managed address
// between accounts of the engine itself: what a source pays, and what a
// treasury transfer brings. It is booked when the attempt settles.
func (a Attempt) EffectOn(id wallets.AddressID) (money.Amount, error) {
	effect := money.Of(wallets.Asset, 0)
	for _, s := range a.Sources {
		if s.ID == id {
			var err error
			if effect, err = effect.Sub(s.Amount); err != nil {
				return money.Amount{}, err
			}
		}
	}
	if a.To != id {
		return effect, nil
	}
	total, err := a.Total()
	if err != nil {
		return money.Amount{}, err
	}
	return effect.Add(total)
}

// NoteSeenIn notes that the history of an address shows an attempt, and makes its transfer
// due: its end can be seen.
func NoteSeenIn(ctx context.Context, tx wallets.Tx, a Attempt) error {
	if a.Seen {
		return nil
	}
	a.Seen, a.UpdatedAt = true, tx.Now()
	if err := AttemptKind.Update(ctx, tx, a); err != nil {
		return err
	}
	due := dueKey(Transfer{Scope: a.Scope, ID: a.Transfer})
	return tx.Leases().Schedule(ctx, QueueTransfers.In(a.Scope.Env), due, tx.Now())
}

// AttemptState is where an attempt stands.
type AttemptState string

const (
	// AttemptLive: the bytes may land at any time, whether or not they were
	// ever sent. Only evidence from the chain moves it on.
	AttemptLive AttemptState = "live"
	// AttemptLanded: finalized without error; the transfer has succeeded. Final.
	AttemptLanded AttemptState = "landed"
	// AttemptFailed: finalized with an error; nothing moved. Final.
	AttemptFailed AttemptState = "failed"
	// AttemptExpired: the finalized chain is past the last block in which the
	// bytes could land and does not have them. Final.
	AttemptExpired AttemptState = "expired"
)

// AttemptCause is what moves an attempt: what the chain shows of it.
type AttemptCause string

const (
	// Landed: it stands in a finalized block, without error.
	Landed AttemptCause = "landed"
	// Errored: it stands in a finalized block, with an error.
	Errored AttemptCause = "errored"
	// Outlived: it can no longer land.
	Outlived AttemptCause = "outlived"
)

// AttemptLifecycle is the life of signed bytes.
var AttemptLifecycle = ferry.Lifecycle[AttemptState, AttemptCause]{
	Name:    "attempt",
	Initial: AttemptLive,
	Edges: []ferry.Edge[AttemptState, AttemptCause]{
		{From: AttemptLive, On: Landed, To: AttemptLanded},
		{From: AttemptLive, On: Errored, To: AttemptFailed},
		{From: AttemptLive, On: Outlived, To: AttemptExpired},
	},
}
