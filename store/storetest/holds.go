package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// hold is a hold with no field empty.
func hold() wallets.Hold {
	return wallets.Hold{
		Env: ferry.Test, Held: true, Reason: wallets.HoldAsked, Since: after(1), Height: 1 << 40, Round: 2,
		After: address(1).ID, Matched: after(2),
	}
}

func putHold(h wallets.Hold) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().PutHold(ctx, h) }
}

func holdOf(env ferry.Env) func(context.Context, store.Ports) (wallets.Hold, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Hold, error) { return p.Wallets().Hold(ctx, env) }
}

func putSentCursor(env ferry.Env, c onchain.Cursor) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().PutSentCursor(ctx, env, c) }
}

func sentCursorOf(env ferry.Env) func(context.Context, store.Ports) (onchain.Cursor, error) {
	return func(ctx context.Context, p store.Ports) (onchain.Cursor, error) {
		return p.Wallets().SentCursor(ctx, env)
	}
}

func holdUnlessSent(ctx context.Context, p store.Ports) error {
	if sent, err := p.Wallets().SentCursor(ctx, ferry.Test); err != nil || sent != "" {
		return err
	}
	return p.Wallets().PutHold(ctx, wallets.Hold{Env: ferry.Test, Held: true})
}

func sendUnlessHeld(ctx context.Context, p store.Ports) error {
	if h, err := p.Wallets().Hold(ctx, ferry.Test); err != nil || h.Held {
		return err
	}
	return p.Wallets().PutSentCursor(ctx, ferry.Test, "sent")
}

func testHolds(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an environment that was never held has a zero hold", func(t *testing.T) {
		require.Equal(t, wallets.Hold{Env: ferry.Live}, look(t, open(t), holdOf(ferry.Live)))
	})
	t.Run("a hold comes back as it was put, and stays when it has ended", func(t *testing.T) {
		b := open(t)
		write(t, b, putHold(hold()))
		want := hold()
		want.Version = 1
		require.Equal(t, want, look(t, b, holdOf(ferry.Test)))
		require.Equal(t, wallets.Hold{Env: ferry.Live}, look(t, b, holdOf(ferry.Live)))
		want.Held, want.Reason, want.Height, want.Round, want.After, want.Matched = false, wallets.HoldUnknown, 0, 3, "", time.Time{}
		write(t, b, putHold(want))
		refuse(t, b, ferry.ErrStale, putHold(want))
		refuse(t, b, ferry.ErrStale, putHold(hold()))
		want.Version = 2
		require.Equal(t, want, look(t, b, holdOf(ferry.Test)))
	})
	t.Run("of a unit that holds unless something was sent, and one that sends unless held, only one does", func(t *testing.T) {
		for range 10 {
			b := open(t)
			for _, err := range race(2, func(i int) error {
				if i == 0 {
					return b.Write(t.Context(), holdUnlessSent)
				}
				return b.Write(t.Context(), sendUnlessHeld)
			}) {
				require.NoError(t, err)
			}
			sent := look(t, b, sentCursorOf(ferry.Test)) != ""
			require.NotEqual(t, sent, look(t, b, holdOf(ferry.Test)).Held)
		}
	})
	t.Run("the place reached in what was sent is empty at first, and one for each environment", func(t *testing.T) {
		b := open(t)
		place := func(env ferry.Env) onchain.Cursor { return look(t, b, sentCursorOf(env)) }
		require.Empty(t, place(ferry.Test))
		write(t, b, putSentCursor(ferry.Test, "1"))
		write(t, b, putSentCursor(ferry.Test, "2"))
		require.Equal(t, onchain.Cursor("2"), place(ferry.Test))
		require.Empty(t, place(ferry.Live))
	})
}

// outflow is the n-th outflow, with no field empty.
func outflow(n int) wallets.Outflow {
	return wallets.Outflow{
		Env: ferry.Test, Signature: onchain.Signature(idOf("sig", n)), From: "A1", To: "B", Amount: money.USDC(7), Memo: "rent x",
		Transfer: transfer(n).ID, Attempt: 3, Sent: true, Parts: []wallets.Part{{Address: address(1).ID, Minor: -5}, {Address: address(2).ID, Minor: -2}},
		Booked: money.USDC(-5), Suspended: []wallets.AddressID{address(1).ID}, At: after(n), FoundAt: after(n + 1),
	}
}

func insertOutflow(o wallets.Outflow) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().InsertOutflow(ctx, o) }
}

func updateOutflow(o wallets.Outflow) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateOutflow(ctx, o) }
}

func outflowOf(env ferry.Env, n int) func(context.Context, store.Ports) (wallets.Outflow, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Outflow, error) {
		return p.Wallets().Outflow(ctx, env, outflow(n).Signature)
	}
}

func testOutflows(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an outflow comes back as it was inserted and updated", func(t *testing.T) {
		b := open(t)
		write(t, b, insertOutflow(outflow(1)))
		refuse(t, b, wallets.ErrOutflowExists, insertOutflow(outflow(1)))
		want := outflow(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, outflowOf(ferry.Test, 1)))
		want.From, want.To, want.Memo, want.Transfer, want.Sent = "", "", "", "", false
		want.Parts, want.Suspended, want.Booked, want.AdoptedAt = nil, nil, money.USDC(9), after(9)
		write(t, b, updateOutflow(want))
		staleWrite(t, b, updateOutflow(want))
		want.Version = 2
		require.Equal(t, want, look(t, b, outflowOf(ferry.Test, 1)))
		missing(t, b, wallets.ErrOutflowNotFound, fails(outflowOf(ferry.Live, 1)))
		missing(t, b, wallets.ErrOutflowNotFound, fails(outflowOf(ferry.Test, 2)))
	})
	t.Run("those that nobody adopted are listed by signature", func(t *testing.T) {
		b := open(t)
		other, adopted := outflow(5), outflow(4)
		other.Env, adopted.AdoptedAt = ferry.Live, after(1)
		for _, o := range []wallets.Outflow{outflow(3), adopted, outflow(1), other, outflow(2)} {
			write(t, b, insertOutflow(o))
		}
		list := func(after onchain.Signature, limit int) []onchain.Signature {
			found := look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Outflow, error) {
				return p.Wallets().OpenOutflows(ctx, ferry.Test, after, limit)
			})
			var signatures []onchain.Signature
			for _, o := range found {
				signatures = append(signatures, o.Signature)
			}
			return signatures
		}
		require.Equal(t, []onchain.Signature{outflow(1).Signature, outflow(2).Signature}, list("", 2))
		require.Equal(t, []onchain.Signature{outflow(3).Signature}, list(outflow(2).Signature, 2))
		row := look(t, b, outflowOf(ferry.Test, 2))
		row.AdoptedAt = after(3)
		write(t, b, updateOutflow(row))
		reopened := look(t, b, outflowOf(ferry.Test, 4))
		reopened.AdoptedAt = time.Time{}
		write(t, b, updateOutflow(reopened))
		require.Equal(t, []onchain.Signature{outflow(1).Signature, outflow(3).Signature, outflow(4).Signature}, list("", 9))
	})
}
