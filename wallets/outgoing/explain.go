package outgoing

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Explain says why a transfer of USDC has not arrived, by its id in either form or by its reference,
// or what became of one attempt of it, by its signature. Errors: of ferry.NotFound.
func Explain(ctx context.Context, tx wallets.Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	a, err := AttemptBy(ctx, tx, scope.Env, chain.Signature(name))
	switch {
	case err == nil && a.Scope == scope:
		return a.explain(tx.Now()), nil
	case err != nil && !errors.Is(err, ErrAttemptNotFound):
		return nil, err
	}
	t, err := findTransfer(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	x := explain.New("wallet transfer", t.ID, t.Reference, t.Status, tx.Now())
	x.Ended = TransferLifecycle.Final(t.Status)
	switch t.Status {
	case wallets.Pending:
		return x, explainPending(ctx, tx, x, t)
	case wallets.Success:
		x.Say("The transfer of %s to %s has arrived, at %s.", t.Amount, t.To, t.ConfirmedAt)
	case wallets.Failed:
		x.Say("The transfer of %s to %s has failed, and nothing has moved: what was set aside is available again.", t.Amount, t.To)
		x.Refuse(explain.Chain, "failed", t.UpdatedAt, "The reason%s.", orUnknown(t.Failure))
		x.Do(explain.Caller, "again", "Make a new transfer with another reference.")
	}
	return x, nil
}

// orUnknown is what is known of a failure, as the end of a sentence.
func orUnknown(why string) string {
	if why == "" {
		return " is not known"
	}
	return explain.Because(why)
}

// explainPending adds what a pending transfer waits for.
func explainPending(ctx context.Context, tx wallets.Tx, x *explain.Explanation, t Transfer) error {
	x.Say("The transfer of %s to %s has not arrived yet. The amount and its fee are set aside.", t.Amount, t.To)
	if waits, err := outflow.ExplainStage(ctx, tx, x, t.Scope, t.Stage); err != nil || waits {
		return err
	}
	x.Leaves = true
	if t.Signature != "" {
		x.Await(explain.Chain, "final", time.Time{}, "It is on the chain as %s and waits for its block to be final.", t.Signature)
		x.Await(explain.Engine, "attempt", time.Time{}, "If the block is lost, it is signed anew once the first one can no longer land.")
		return nil
	}
	if err := checkSender(ctx, tx, t); err != nil {
		if !errors.Is(err, errSuspended) {
			return err
		}
		x.Await(explain.Caller, "wallet", time.Time{}, "Its wallet %s is suspended and signs nothing.", t.Wallet)
		x.Do(explain.Caller, "wallet", "Explain %s: it says who can end that.", t.Wallet)
		return nil
	}
	if t.WaitsFor != "" {
		x.Await(explain.Chain, "gathering", time.Time{}, "It waits until the funds of several addresses are gathered on one.")
		return nil
	}
	awaitReason(x, t.Waiting)
	return nil
}

// awaitReason adds why a transfer that may leave is not signed yet.
func awaitReason(x *explain.Explanation, why wallets.Waiting) {
	switch why {
	case wallets.NotWaiting:
		x.Await(explain.Engine, "signature", time.Time{}, "It is signed and sent at the next turn.")
	case wallets.ForFeePayer:
		x.Await(explain.Operator, string(why), time.Time{}, "The address that pays the network's fees has too little SOL.")
		x.Do(explain.Operator, string(why), "Send SOL to the fee payer; ferry chain check names it.")
	case wallets.ForFeeBudget:
		tomorrow := x.At.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		x.Await(explain.Engine, string(why), tomorrow, "The operator's limit of network fees is used up for today; the next day begins at %s.", tomorrow)
	case wallets.ForChain:
		x.Await(explain.Chain, string(why), time.Time{}, "No node of the chain answers as it should.")
		x.Do(explain.Operator, string(why), "Look at the nodes with ferry chain check.")
	case wallets.ForOperator:
		x.Await(explain.Operator, string(why), time.Time{}, "It cannot be signed now, for a reason that the log of the server names.")
		x.Do(explain.Operator, string(why), "Look for %s in the log of the server.", x.ID)
	}
}

// explain says what became of signed bytes.
func (a Attempt) explain(now time.Time) *explain.Explanation {
	x := explain.New("attempt of a transfer", a.Signature, "", a.State, now)
	x.Ended, x.Events = AttemptLifecycle.Final(a.State), string(a.Transfer)
	switch a.State {
	case AttemptLive:
		x.Say("Attempt %d of the transfer %s was signed at %s, and may be in a block at any time.", a.Number, a.Transfer, a.CreatedAt)
		x.Await(explain.Chain, "final", time.Time{}, "It lands until block height %d, or never.", a.LastValidHeight)
		x.Leaves = true
	case AttemptLanded:
		x.Say("Attempt %d of the transfer %s is in a final block.", a.Number, a.Transfer)
	case AttemptFailed:
		x.Say("Attempt %d of the transfer %s moved nothing.", a.Number, a.Transfer)
		x.Refuse(explain.Chain, "error", a.UpdatedAt, "It stands in a final block, with an error.")
	case AttemptExpired:
		x.Say("Attempt %d of the transfer %s moved nothing: it can no longer land.", a.Number, a.Transfer)
	}
	x.Do(explain.Caller, "transfer", "Explain %s: it says how the transfer stands.", a.Transfer)
	return x
}
