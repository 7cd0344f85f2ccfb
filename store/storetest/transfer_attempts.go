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
	kind: outgoing.AttemptKind, row: attempt, key: "Signature",
	change: func(a *outgoing.Attempt) { a.State = outgoing.AttemptLanded },
	vary: func(a *outgoing.Attempt, n int) {
		if n%2 == 0 {
			a.State, a.Transfer = outgoing.AttemptFailed, transfer(1).ID
		}
	},
})

func testAttemptsOfATransfer(t *testing.T, open func(*testing.T) store.Backend) {
	b, o := open(t), attemptCase.owned()
	first, second := attempt(home, 2), attempt(home, 1)
	first.Transfer, first.Number, second.Number = second.Transfer, 1, 2
	write(t, b, o.inserted(first))
	refuse(t, b, outgoing.ErrAttemptExists, o.inserted(second))
	again := attempt(live, 3)
	again.Signature = first.Signature
	write(t, b, o.inserted(again))
	first = o.stored(first, 1)
	first.State = outgoing.AttemptExpired
	forged := first
	forged.Transfer, forged.Number, forged.Bytes, forged.Sources = transfer(9).ID, 9, nil, nil
	write(t, b, o.updated(forged)) // which changes the state alone
	write(t, b, o.inserted(second))
	of := func(scope ferry.Scope) []outgoing.Attempt {
		return look(t, b, func(ctx context.Context, p store.Ports) ([]outgoing.Attempt, error) {
			return outgoing.AttemptsOf(ctx, p, scope, second.Transfer)
		})
	}
	require.Equal(t, []outgoing.Attempt{o.stored(first, 2), o.stored(second, 1)}, of(home))
	for _, scope := range []ferry.Scope{away, live} {
		require.Empty(t, of(scope))
		missing(t, b, outgoing.ErrAttemptNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := outgoing.LiveAttempt(ctx, p, scope, second.Transfer)
			return err
		})
	}
}

var anomalyCase = caseOf(kindCase[deposits.AnomalyID, deposits.Anomaly]{
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

func testAnomaliesOfASignature(t *testing.T, open func(*testing.T) store.Backend) {
	b, o := open(t), anomalyCase.owned()
	first := anomalyCase.row(home, 1)
	write(t, b, o.inserted(first))
	for n, differ := range []func(*deposits.Anomaly){
		func(a *deposits.Anomaly) { a.Mint = "other" },
		func(a *deposits.Anomaly) { a.Address = address(2).ID },
	} {
		other := anomalyCase.row(home, n+2)
		other.Signature = first.Signature
		refuse(t, b, wallets.ErrDeposited, o.inserted(other))
		differ(&other)
		write(t, b, o.inserted(other))
	}
}
