package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
)

// envOf is the environment of a scope, or the n-th that is none, as rows whose key it is
// need one each.
func envOf(scope ferry.Scope, n int) ferry.Env {
	if n == 1 {
		return scope.Env
	}
	return ferry.Env(fmt.Sprintf("%s-%d", scope.Env, n))
}

var _ = caseOf(kindCase[ferry.Env, custody.OutflowHold]{
	kind: custody.OutflowHoldKind,
	row: func(scope ferry.Scope, n int) custody.OutflowHold {
		return custody.OutflowHold{
			Env: envOf(scope, n), Held: true, Reason: custody.HoldAsked, Since: after(1), Height: 1 << 40, Round: 2,
			After: address(1).ID, Matched: after(2), Stopped: after(3), StopReason: "a thief has a key",
		}
	},
	change: func(h *custody.OutflowHold) {
		h.Held, h.Reason, h.Height, h.After, h.Matched = false, custody.HoldUnknown, 0, "", time.Time{}
		h.Stopped, h.StopReason = time.Time{}, ""
	},
})

var _ = caseOf(kindCase[ferry.Env, custody.SentCursor]{
	kind: custody.SentCursorKind,
	row: func(scope ferry.Scope, n int) custody.SentCursor {
		return custody.SentCursor{Env: envOf(scope, n), Cursor: "1"}
	},
	change: func(s *custody.SentCursor) { s.Cursor = "2" },
})

// heldOf and sentOf are what an environment begins with, or what it has.
func heldOf(ctx context.Context, p store.Ports) (custody.OutflowHold, error) {
	return custody.OutflowHoldKind.GetOr(ctx, p, custody.OutflowHold{Env: ferry.Test})
}

func sentOf(ctx context.Context, p store.Ports) (custody.SentCursor, error) {
	return custody.SentCursorKind.GetOr(ctx, p, custody.SentCursor{Env: ferry.Test})
}

func holdUnlessSent(ctx context.Context, p store.Ports) error {
	if sent, err := sentOf(ctx, p); err != nil || sent.Cursor != "" {
		return err
	}
	return custody.OutflowHoldKind.Put(ctx, p, custody.OutflowHold{Env: ferry.Test, Held: true, Reason: custody.HoldAsked})
}

func sendUnlessHeld(ctx context.Context, p store.Ports) error {
	if h, err := heldOf(ctx, p); err != nil || h.Held {
		return err
	}
	return custody.SentCursorKind.Put(ctx, p, custody.SentCursor{Env: ferry.Test, Cursor: "sent"})
}

// Both units read the absence of the row that the other one writes.
func testHoldsAndSends(t *testing.T, open func(*testing.T) store.Backend) {
	for range 10 {
		b := open(t)
		together(t, 2, func(i int) error { return b.Write(t.Context(), []body{holdUnlessSent, sendUnlessHeld}[i]) })
		require.NotEqual(t, look(t, b, sentOf).Cursor != "", look(t, b, heldOf).Held)
	}
}

var _ = caseOf(kindCase[onchain.Signature, custody.Outflow]{
	kind: custody.OutflowKind,
	row: func(scope ferry.Scope, n int) custody.Outflow {
		return custody.Outflow{
			Env: scope.Env, Signature: onchain.Signature(idOf("sig", n)), From: "A1", To: "B", Amount: money.USDC(7), Memo: "rent x",
			Transfer: transfer(n).ID, Attempt: 3, Sent: true, Parts: []custody.Part{{Address: address(1).ID, Minor: -5}, {Address: address(2).ID, Minor: -2}},
			Booked: money.USDC(-5), Suspended: []wallets.AddressID{address(1).ID}, At: after(n), FoundAt: after(n + 1),
		}
	},
	needed: []string{"found_at"},
	change: func(o *custody.Outflow) {
		o.From, o.To, o.Memo, o.Transfer, o.Sent = "", "", "", "", false
		o.Parts, o.Suspended, o.Booked, o.AdoptedAt = nil, nil, money.USDC(9), after(9)
	},
	vary: func(o *custody.Outflow, n int) {
		if n%2 == 0 {
			o.AdoptedAt = after(n)
		}
	},
})
