package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// attempt is the n-th attempt of a scope, that of the n-th transfer, with no field empty.
func attempt(scope ferry.Scope, n int) outgoing.Attempt {
	return outgoing.Attempt{
		Transfer: transfer(n).ID, Scope: scope, Number: n,
		Signed: onchain.Signed{Signature: onchain.Signature(idOf("sig", n)), Bytes: []byte{0, byte(n), 255}, Blockhash: "h", LastValidHeight: 1 << 40},
		Memo:   "rent 1", Sources: []outgoing.Source{
			{ID: address(1).ID, Address: address(1).Address, Amount: money.USDC(20)},
			{ID: address(2).ID, Address: address(2).Address, Amount: money.USDC(5)},
		},
		To: address(3).ID, State: outgoing.AttemptLive, Seen: true, CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var attemptCase = caseOf(kindCase[onchain.Signature, outgoing.Attempt]{
	kind: outgoing.AttemptKind, row: attempt,
	change: func(a *outgoing.Attempt) { a.State = outgoing.AttemptLanded },
	vary: func(a *outgoing.Attempt, n int) {
		if n%2 == 0 {
			a.State, a.Transfer = outgoing.AttemptFailed, transfer(1).ID
		}
	},
})

var _ = caseOf(kindCase[deposits.AnomalyID, deposits.Anomaly]{
	kind: deposits.AnomalyKind,
	row: func(scope ferry.Scope, n int) deposits.Anomaly {
		return deposits.Anomaly{
			ID: deposits.AnomalyID(idOf("anm_", n)), Scope: scope, Wallet: custodyWallet(1).ID, Address: address(1).ID,
			Signature: onchain.Signature(idOf("sig", n)), Mint: "mint", Reason: deposits.Unsupported, Delta: money.USDC(-3), CreatedAt: after(n),
		}
	},
	change: func(*deposits.Anomaly) {},
	vary: func(a *deposits.Anomaly, n int) {
		if n%2 == 0 {
			a.Address, a.Reason = address(2).ID, deposits.Unexplained
		}
	},
})

func testAttemptsOfATransfer(t *testing.T, open func(*testing.T) store.Backend) {
	b, k := open(t), attemptCase
	first, second := attempt(home, 2), attempt(home, 1)
	first.Transfer, first.Number, second.Number = second.Transfer, 1, 2
	write(t, b, k.inserted(first))
	refuse(t, b, outgoing.ErrAttemptExists, k.inserted(second))
	again := attempt(live, 3)
	again.Signature = first.Signature
	write(t, b, k.inserted(again))
	first.Version, first.State = 1, outgoing.AttemptExpired
	forged := first
	forged.Transfer, forged.Number, forged.Bytes, forged.Sources = transfer(9).ID, 9, nil, nil
	write(t, b, k.updated(forged)) // which changes the state alone
	write(t, b, k.inserted(second))
	of := func(scope ferry.Scope) []outgoing.Attempt {
		return look(t, b, func(ctx context.Context, p store.Ports) ([]outgoing.Attempt, error) {
			return outgoing.AttemptsOf(ctx, p, scope, second.Transfer)
		})
	}
	first.Version, second.Version = 2, 1
	require.Equal(t, []outgoing.Attempt{first, second}, of(home))
	for _, scope := range []ferry.Scope{away, live} {
		require.Empty(t, of(scope))
		missing(t, b, outgoing.ErrAttemptNotFound, fails(func(ctx context.Context, p store.Ports) (outgoing.Attempt, error) {
			return outgoing.LiveAttempt(ctx, p, scope, second.Transfer)
		}))
	}
}
