package custody

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// OutflowHoldKind is what a hold is as a row: one for each environment that was ever held.
var OutflowHoldKind = records.Define(records.Kind[ferry.Env, OutflowHold]{
	Name: "wallet_holds",
	Columns: func(h *OutflowHold) []records.Column {
		return []records.Column{
			records.Env(&h.Env), records.Version(&h.Version),
			records.Bool("held", &h.Held),
			records.Word("reason", &h.Reason, HoldAsked, HoldUnknown),
			records.Time("since", &h.Since),
			records.Uint("height", &h.Height),
			records.Int("round", &h.Round),
			records.Text("after_address", &h.After),
			records.Time("matched_at", &h.Matched),
			records.Time("stopped_at", &h.Stopped),
			records.Text("stop_reason", &h.StopReason),
		}
	},
	Key:   []string{"env"},
	Scope: func(h *OutflowHold) ferry.Scope { return ferry.Scope{Env: h.Env} },
})

// holdOf returns the hold of an environment, a zero one when it was never held.
func holdOf(ctx context.Context, tx records.Tx, env ferry.Env) (OutflowHold, error) {
	return OutflowHoldKind.GetOr(ctx, tx, OutflowHold{Env: env})
}

// SentCursor is the place reached in the chain's list of what an environment sent.
type SentCursor struct {
	Env     ferry.Env
	Cursor  chain.Cursor
	Version int64
}

// SentCursorKind is what a SentCursor is as a row.
var SentCursorKind = records.Define(records.Kind[ferry.Env, SentCursor]{
	Name: "wallet_sent",
	Columns: func(s *SentCursor) []records.Column {
		return []records.Column{records.Env(&s.Env), records.Version(&s.Version), records.Text("cursor", &s.Cursor)}
	},
	Key:   []string{"env"},
	Scope: func(s *SentCursor) ferry.Scope { return ferry.Scope{Env: s.Env} },
})

// sentCursor returns the place reached, an empty one at first.
func sentCursor(ctx context.Context, tx wallets.Tx, env ferry.Env) (SentCursor, error) {
	return SentCursorKind.GetOr(ctx, tx, SentCursor{Env: env})
}

// isOpen matches outflows that were not adopted.
var isOpen = records.None("adopted_at")

// OutflowKind is what an outflow is as a row.
var OutflowKind = records.Define(records.Kind[chain.Signature, Outflow]{
	Name: "wallet_outflows",
	Columns: func(o *Outflow) []records.Column {
		return []records.Column{
			records.Env(&o.Env), records.Version(&o.Version),
			records.Text("signature", &o.Signature),
			records.Text("from_address", &o.From),
			records.Text("to_address", &o.To),
			records.Amount("amount", &o.Amount, wallets.Asset),
			records.Text("memo", &o.Memo),
			records.Text("transfer", &o.Transfer),
			records.Int("attempt", &o.Attempt),
			records.Bool("sent", &o.Sent),
			records.Document("parts", &o.Parts),
			records.Amount("booked", &o.Booked, wallets.Asset),
			records.Document("suspended", &o.Suspended),
			records.Time("at", &o.At), records.Time("found_at", &o.FoundAt), records.Time("adopted_at", &o.AdoptedAt),
		}
	},
	Key:     []string{"env", "signature"},
	Scope:   func(o *Outflow) ferry.Scope { return ferry.Scope{Env: o.Env} },
	Groups:  []records.Group{{By: []string{"env"}, When: isOpen}},
	Missing: ErrOutflowNotFound,
	Exists:  ErrOutflowExists,
})

// OpenIn selects the outflows of an environment that were not adopted.
func OpenIn(env ferry.Env) records.Query { return records.Where(records.Is("env", env), isOpen) }

func outflowOf(ctx context.Context, tx wallets.Tx, env ferry.Env, signature chain.Signature) (Outflow, error) {
	return OutflowKind.Get(ctx, tx, ferry.Scope{Env: env}, signature)
}
