package outgoing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// liveOfTransfer finds the one attempt of a Transfer that is live.
var liveOfTransfer = &records.Unique{Columns: []string{"transfer"}, When: records.Is("state", AttemptLive), Taken: ErrAttemptExists}

// AttemptKind is what an attempt is as a row. What was signed, and who pays, never changes.
var AttemptKind = records.Define(records.Kind[chain.Signature, Attempt]{
	Name: "transfer_attempts",
	Columns: func(a *Attempt) []records.Column {
		return []records.Column{
			records.Owner(&a.Scope), records.Version(&a.Version),
			records.Text("transfer", &a.Transfer),
			records.Int("number", &a.Number),
			records.Text("signature", &a.Signature),
			records.Bytes("bytes", &a.Bytes),
			records.Text("blockhash", &a.Blockhash),
			records.Uint("last_valid_height", &a.LastValidHeight),
			records.Text("memo", &a.Memo),
			records.Document("sources", &a.Sources),
			records.Text("to_id", &a.To),
			records.Word("state", &a.State, AttemptLifecycle.States()...),
			records.Bool("seen", &a.Seen),
			records.CreatedAt(&a.CreatedAt), records.Time("updated_at", &a.UpdatedAt),
		}
	},
	Key:     []string{"env", "signature"},
	Scope:   func(a *Attempt) ferry.Scope { return a.Scope },
	Unique:  []*records.Unique{liveOfTransfer},
	Fixed:   []string{"transfer", "number", "bytes", "blockhash", "last_valid_height", "sources"},
	Groups:  []records.Group{{By: []string{"env", "transfer"}}},
	Missing: ErrAttemptNotFound,
	Exists:  ErrAttemptExists,
})

// payer is a source as it is stored: in minor units.
type payer struct {
	ID      wallets.AddressID `json:"id"`
	Address chain.Address     `json:"address"`
	Minor   int64             `json:"minor"`
}

// MarshalJSON writes a source as it is stored.
func (s Source) MarshalJSON() ([]byte, error) {
	return json.Marshal(payer{s.ID, s.Address, s.Amount.Minor()})
}

// UnmarshalJSON reads a source as it is stored.
func (s *Source) UnmarshalJSON(text []byte) error {
	var p payer
	err := json.Unmarshal(text, &p)
	*s = Source{p.ID, p.Address, money.Of(wallets.Asset, p.Minor)}
	return err
}

// AttemptBy returns the attempt of a signature, whosever it is, or ErrAttemptNotFound.
func AttemptBy(ctx context.Context, tx records.Tx, env ferry.Env, signature chain.Signature) (Attempt, error) {
	return AttemptKind.Anyones(ctx, tx, Attempt{Scope: ferry.Scope{Env: env}, Signed: chain.Signed{Signature: signature}})
}

// LiveAttempt returns the live attempt of a transfer, or ErrAttemptNotFound.
func LiveAttempt(ctx context.Context, tx records.Tx, scope ferry.Scope, id wallets.TransferID) (Attempt, error) {
	a, err := AttemptKind.Find(ctx, tx, liveOfTransfer, Attempt{Transfer: id})
	if err == nil && a.Scope != scope {
		return Attempt{}, ErrAttemptNotFound
	}
	return a, err
}

// LiveAttempts iterates over the live attempts of an environment, by their transfers.
func LiveAttempts(ctx context.Context, tx records.Tx, env ferry.Env) iter.Seq2[Attempt, error] {
	return func(yield func(Attempt, error) bool) {
		for t, err := range TransferKind.Walk(ctx, tx, PendingIn(env)) {
			var a Attempt
			if err == nil {
				a, err = LiveAttempt(ctx, tx, t.Scope, t.ID)
			}
			if !errors.Is(err, ErrAttemptNotFound) && !yield(a, err) {
				return
			}
		}
	}
}

// AttemptsOf returns all attempts of a transfer, oldest first.
func AttemptsOf(ctx context.Context, tx records.Tx, scope ferry.Scope, id wallets.TransferID) ([]Attempt, error) {
	own := records.Where(records.Is("env", scope.Env), records.Is("business", scope.Business), records.Is("transfer", id))
	all := []Attempt{}
	for a, err := range AttemptKind.Walk(ctx, tx, own) {
		if err != nil {
			return nil, err
		}
		if a.Scope == scope { // which may be without a business
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b Attempt) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

var (
	// ErrAttemptExists refuses a second live attempt of a transfer, and a
	// second attempt of one signature.
	ErrAttemptExists = errors.New("wallets: attempt exists")
	// ErrAttemptNotFound says that there is no such attempt.
	ErrAttemptNotFound = errors.New("wallets: no such attempt")
)
