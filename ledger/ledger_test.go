package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

func TestAPostingThatWouldMakeTheBooksWrongIsRefused(t *testing.T) {
	s := movedBooks(t)
	for name, p := range map[string]ledger.Posting{
		"without an id":  {Legs: pair("w/a", "w/b", 1)},
		"without legs":   {ID: "p"},
		"of one leg":     {ID: "p", Legs: pair("w/a", "w/b", 1)[:1]},
		"of two assets":  {ID: "p", Legs: []ledger.Leg{{Account: "w/a", Amount: money.USDC(-1)}, {Account: "x", Amount: money.NGN(1)}}},
		"off balance":    {ID: "p", Legs: []ledger.Leg{{Account: "w/a", Amount: money.USDC(-1)}, {Account: "x", Amount: money.USDC(2)}}},
		"with idle legs": {ID: "p", Legs: append(pair("w/a", "w/b", 1), ledger.Leg{Account: "x", Amount: money.USDC(0)})},
		"too great to sum": {ID: "p", Legs: []ledger.Leg{
			{Account: "w/a", Amount: money.USDC(1<<63 - 1)}, {Account: "x", Amount: money.USDC(1)}, {Account: "w/b", Amount: money.USDC(-1 << 62)},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p.Env = ferry.Test
			require.Error(t, s.Write(t.Context(), func(ctx context.Context, ports store.Ports) error {
				return ledger.Post(ctx, ports.Ledger(), p)
			}))
			findings, err := auditOf(t, s, tampered{})
			require.NoError(t, err)
			require.Empty(t, findings)
		})
	}
}

func TestOnlyAPositiveAmountIsReserved(t *testing.T) {
	s := movedBooks(t)
	for _, minor := range []int64{0, -1} {
		require.Error(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			return ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: "s", Account: "w/a", Amount: money.USDC(minor)})
		}))
	}
}

func TestAReservationBeginsOpenWhateverTheCallerSays(t *testing.T) {
	s := movedBooks(t)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		return ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{
			ID: "s", Account: "w/a", Amount: money.USDC(1), State: ledger.Settled, Settled: money.USDC(1),
		})
	}))
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		r, err := p.Ledger().Reservation(ctx, "s")
		require.NoError(t, err)
		require.Equal(t, ledger.Open, r.State)
		require.True(t, r.Settled.IsZero())
		return nil
	}))
}

func TestASettlementTakesSomethingAndNoMoreThanWasReserved(t *testing.T) {
	for name, legs := range map[string][]ledger.Leg{
		"more than was reserved":        pair("w/a", chainID, 31),
		"nothing of its account":        pair("w/b", chainID, 1),
		"into its account":              pair(chainID, "w/a", 1),
		"as much as it gives back":      append(pair("w/a", chainID, 5), pair(chainID, "w/a", 5)...),
		"another asset than was set by": {{Account: "w/a", Amount: money.NGN(-1)}, {Account: "x", Amount: money.NGN(1)}},
		"off balance":                   {{Account: "w/a", Amount: money.USDC(-1)}, {Account: "x", Amount: money.USDC(2)}},
	} {
		t.Run(name, func(t *testing.T) {
			s := movedBooks(t)
			settle := func(legs []ledger.Leg) error {
				return s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
					return ledger.Settle(ctx, p.Ledger(), "r", ledger.Posting{ID: "p", Env: ferry.Test, Legs: legs})
				})
			}
			require.Error(t, settle(legs))
			require.NoError(t, settle(pair("w/a", chainID, 30)), "the reservation is still open")
		})
	}
}

func TestEveryEnvironmentHasItsSystemAccountsOfEachAsset(t *testing.T) {
	seen := map[ledger.AccountID]bool{}
	for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
		for _, a := range ledger.SystemAccounts(env) {
			require.False(t, seen[a.ID], "%s is there twice", a.ID)
			require.True(t, a.Uncounted)
			require.Equal(t, ferry.Scope{Env: env}, a.Scope)
			seen[a.ID] = true
		}
	}
	for _, asset := range []money.Asset{money.AssetNGN, money.AssetUSDC} {
		for _, name := range []ledger.System{ledger.Chain, ledger.Bank, ledger.NetworkFees, ledger.PlatformFees, ledger.ProcessingFees, ledger.Suspense, ledger.Returns, ledger.Cards, ledger.Exchange} {
			require.True(t, seen[ledger.SystemAccount(ferry.Live, name, asset)], "%s %s", name, asset)
		}
	}
}

func TestAccountsOfRecordsDoNotMeet(t *testing.T) {
	scope := ferry.Scope{Business: "biz_1", Env: ferry.Test}
	require.Len(t, map[ledger.AccountID]bool{
		ledger.AddressAccount("1"):                     true,
		ledger.WalletAccount("1"):                      true,
		ledger.BusinessAccount(scope, money.AssetNGN):  true,
		ledger.BusinessAccount(scope, money.AssetUSDC): true,
		ledger.BusinessAccount(ferry.Scope{Business: "biz_1", Env: ferry.Live}, money.AssetUSDC): true,
	}, 5)
}

func TestAPostingOffBalanceIsToldByHowMuch(t *testing.T) {
	require.ErrorContains(t, movedBooks(t).Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		legs := []ledger.Leg{{Account: "w/a", Amount: money.NGN(-1_00)}, {Account: "x", Amount: money.NGN(3_50)}}
		return ledger.Post(ctx, p.Ledger(), ledger.Posting{ID: "p", Env: ferry.Test, Legs: legs})
	}), "off balance by 2.5 NGN")
}
