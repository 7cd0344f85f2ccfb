package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// attempt is the n-th attempt of a scope, that of the n-th transfer, with no field empty.
func attempt(scope ferry.Scope, n int) wallets.Attempt {
	return wallets.Attempt{
		Transfer: transfer(n).ID, Scope: scope, Number: n,
		Signed: onchain.Signed{Signature: onchain.Signature(idOf("sig", n)), Bytes: []byte{0, byte(n), 255}, Blockhash: "h", LastValidHeight: 1 << 40},
		Memo:   "rent 1", Sources: []wallets.Source{
			{ID: address(1).ID, Address: address(1).Address, Amount: money.USDC(20)},
			{ID: address(2).ID, Address: address(2).Address, Amount: money.USDC(5)},
		},
		To: address(3).ID, State: wallets.AttemptLive, Seen: true, CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var attemptCase = caseOf(kindCase[onchain.Signature, wallets.Attempt]{
	kind: wallets.AttemptKind, row: attempt, key: "Signature",
	change: func(a *wallets.Attempt) { a.State = wallets.AttemptLanded },
	vary: func(a *wallets.Attempt, n int) {
		if n%2 == 0 {
			a.State, a.Transfer = wallets.AttemptFailed, transfer(1).ID
		}
	},
})

func testAttemptsOfATransfer(t *testing.T, open func(*testing.T) store.Backend) {
	b, o := open(t), attemptCase.owned()
	first, second := attempt(home, 2), attempt(home, 1)
	first.Transfer, first.Number, second.Number = second.Transfer, 1, 2
	write(t, b, o.inserted(first))
	refuse(t, b, wallets.ErrAttemptExists, o.inserted(second))
	again := attempt(live, 3)
	again.Signature = first.Signature
	write(t, b, o.inserted(again))
	first = o.stored(first, 1)
	first.State = wallets.AttemptExpired
	forged := first
	forged.Transfer, forged.Number, forged.Bytes, forged.Sources = transfer(9).ID, 9, nil, nil
	write(t, b, o.updated(forged)) // which changes the state alone
	write(t, b, o.inserted(second))
	of := func(scope ferry.Scope) []wallets.Attempt {
		return look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Attempt, error) {
			return wallets.AttemptsOf(ctx, p, scope, second.Transfer)
		})
	}
	require.Equal(t, []wallets.Attempt{o.stored(first, 2), o.stored(second, 1)}, of(home))
	for _, scope := range []ferry.Scope{away, live} {
		require.Empty(t, of(scope))
		missing(t, b, wallets.ErrAttemptNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := wallets.LiveAttempt(ctx, p, scope, second.Transfer)
			return err
		})
	}
}

var _ = caseOf(kindCase[wallets.AnomalyID, wallets.Anomaly]{
	kind: wallets.AnomalyRecord,
	row: func(scope ferry.Scope, n int) wallets.Anomaly {
		return wallets.Anomaly{
			ID: wallets.AnomalyID(idOf("anm_", n)), Scope: scope, Wallet: custodyWallet(1).ID, Address: address(1).ID,
			Signature: onchain.Signature(idOf("sig", n)), Mint: "mint", Kind: wallets.Unsupported, Delta: money.USDC(-3), CreatedAt: after(n),
		}
	},
	change: func(*wallets.Anomaly) {},
	vary: func(a *wallets.Anomaly, n int) {
		if n%2 == 0 {
			a.Address, a.Kind = address(2).ID, wallets.Unexplained
		}
	},
})
