package wallets_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
)

func TestADepositIsCreditedWhenItIsFinal(t *testing.T) {
	b := setup(t)
	w, sender := b.wallet("w"), b.stranger()
	signature, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("25.5"), Sender: sender})
	require.NoError(t, err)
	b.clock.pass(2 * sandbox.SlotTime)
	b.sweep()
	require.Equal(t, usdc("25.5"), b.holds(w.PrimaryAddress), "it stands in a block")
	require.Equal(t, usdc("0"), b.balance(w), "which may yet vanish")

	b.finalize()
	b.sweep()
	require.Equal(t, usdc("25.5"), b.balance(w))
	line := b.lines(home, wallets.TransactionQuery{})[0]
	require.Equal(t, wallets.In, line.Direction)
	require.Equal(t, string(line.ID), line.Reference)
	require.Equal(t, sender, line.From)
	require.Equal(t, w.PrimaryAddress, line.To)
	require.Equal(t, wallets.Success, line.Status)
	require.Equal(t, signature, line.Signature)
	require.Equal(t, &wallets.Balances{Before: usdc("0"), After: usdc("25.5")}, line.Balances)

	a := b.addressOf(w.PrimaryAddress, home)
	require.Equal(t, usdc("25.5"), a.TotalReceived)
	require.Equal(t, int64(1), a.DepositCount)
	require.False(t, a.LastDepositAt.IsZero())
	b.clean()
}

func TestTheEventOfADepositHasAllFields(t *testing.T) {
	b := setup(t)
	w := b.wallet("treasury")
	a, err := b.CreateAddress(t.Context(), home, wallets.AddressParams{
		Wallet: wallets.WalletRef{ID: string(w.ID)}, Metadata: ferry.Metadata{"order": "17"},
	})
	require.NoError(t, err)
	signature := b.deposit(a.Address, "25.5")
	events := b.events(home, wallets.EventReceived)
	require.Len(t, events, 1)
	require.Equal(t, string(a.ID), events[0].Resource)
	require.NotEmpty(t, events[0].Entry)
	line := b.lines(home, wallets.TransactionQuery{})[0]
	data := b.data(events[0])
	for field, want := range map[string]any{
		"reference": string(line.ID), "wallet_id": string(w.ID), "wallet_reference": "treasury",
		"address_id": string(a.ID), "address": string(a.Address), "amount": 25.5, "asset": "USDC", "network": "solana",
		"transaction_hash": string(signature), "explorer_url": b.ExplorerURL(ferry.Test, signature),
		"sender": string(line.From), "from_address": string(line.From), "to_address": string(a.Address),
		"metadata": map[string]any{"order": "17"}, "confirmed_at": line.ConfirmedAt.Format("2006-01-02T15:04:05.000Z"),
	} {
		require.Equal(t, want, data[field], field)
	}
	require.Len(t, data, 15, "the balances are added by the delivery")
	require.False(t, line.ConfirmedAt.Before(line.CreatedAt), "confirmed %s, created %s", line.ConfirmedAt, line.CreatedAt)
}

func TestADepositOnAnInactiveAddressIsCreditedWithoutEvent(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	inactive := wallets.AddressInactive
	_, err := b.UpdateAddress(t.Context(), home, wallets.AddressRef{ID: string(w.Primary)}, wallets.UpdateAddressParams{Status: &inactive})
	require.NoError(t, err)
	b.deposit(w.PrimaryAddress, "5")
	require.Equal(t, usdc("5"), b.balance(w))
	require.Equal(t, int64(1), b.addressOf(w.PrimaryAddress, home).DepositCount)
	require.Empty(t, b.events(home, wallets.EventReceived))
}

func TestAnotherTokenIsRecordedAndNeverCredited(t *testing.T) {
	b := setup(t)
	w, mint := b.wallet("w"), b.stranger()
	signature, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("5"), Mint: string(mint)})
	require.NoError(t, err)
	arrival := func() deposits.Arrival {
		found, err := b.ArrivalOf(t.Context(), ferry.Test, w.PrimaryAddress, signature)
		require.NoError(t, err)
		return found
	}
	require.Equal(t, deposits.ArrivalUnknown, arrival())
	b.finalize()
	b.sweep()
	require.Equal(t, deposits.ArrivalUnsupported, arrival())
	require.Equal(t, usdc("0"), b.balance(w))
	require.Empty(t, b.lines(home, wallets.TransactionQuery{}))
	require.Empty(t, b.events(home, wallets.EventReceived))
	credited := b.deposit(w.PrimaryAddress, "1")
	found, err := b.ArrivalOf(t.Context(), ferry.Test, w.PrimaryAddress, credited)
	require.NoError(t, err)
	require.Equal(t, deposits.ArrivalCredited, found)
	b.clean()
}

func TestADepositOfADroppedBlockIsNeverCredited(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.inject(sandbox.ForkDropped, 1)
	_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("5")})
	require.NoError(t, err)
	for range 30 {
		b.clock.pass(sandbox.SlotTime)
		b.sweep()
		require.Equal(t, usdc("0"), b.balance(w))
	}
	b.clean()
}

func TestADepositThatLandsAgainAfterAForkIsCreditedOnce(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.inject(sandbox.ForkLandedAgain, 1)
	_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("5")})
	require.NoError(t, err)
	for range 40 {
		b.clock.pass(sandbox.SlotTime)
		b.sweep()
	}
	require.Equal(t, usdc("5"), b.balance(w))
	require.Len(t, b.lines(home, wallets.TransactionQuery{}), 1)
	b.clean()
}

func TestADepositThatIsToldTwiceIsCreditedOnce(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.inject(sandbox.Duplicate, 5)
	b.deposit(w.PrimaryAddress, "5")
	b.deposit(w.PrimaryAddress, "2")
	b.sweep()
	require.Equal(t, usdc("7"), b.balance(w))
	require.Equal(t, int64(2), b.addressOf(w.PrimaryAddress, home).DepositCount)
	require.Len(t, b.events(home, wallets.EventReceived), 2)
	b.clean()
}

func TestAHistoryThatBeginsAnewCreditsNothingAgain(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	for range 3 {
		b.deposit(w.PrimaryAddress, "1")
	}
	b.chain.history = func(ctx context.Context, a chain.Address, _ chain.Cursor, limit int) ([]chain.Movement, error) {
		return b.chain.Chain.History(ctx, a, "", limit)
	}
	_, err := b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(t, err)
	require.Equal(t, usdc("3"), b.balance(w))
	b.clean()
}

func TestAMovementOfZeroIsIgnored(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.chain.history = func(_ context.Context, _ chain.Address, after chain.Cursor, _ int) ([]chain.Movement, error) {
		if after != "" {
			return nil, nil
		}
		return []chain.Movement{{Signature: "s", Supported: true, Mint: sandbox.USDCMint, Delta: money.USDC(0), Cursor: "1"}}, nil
	}
	done, err := b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(t, err)
	require.Equal(t, 1, done)
	require.Empty(t, b.lines(home, wallets.TransactionQuery{}))
	b.clean()
}

func TestADepositIsCreditedByItsAddressesOwnMovementsOnly(t *testing.T) {
	b := setup(t)
	w, other := b.wallet("w"), b.walletOf(away, "w")
	b.deposit(w.PrimaryAddress, "5")
	require.Equal(t, usdc("5"), b.balance(w))
	require.Equal(t, usdc("0"), b.balance(other))
	require.Empty(t, b.lines(away, wallets.TransactionQuery{}))
	_, err := b.ScanAddress(t.Context(), ferry.Test, b.stranger())
	require.ErrorIs(t, err, wallets.ErrAddressNotFound)
}

func TestMoneyThatLeavesWithoutATransferSuspendsTheWallet(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	stolen := []chain.Movement{{
		Signature: "thief", Supported: true, Mint: sandbox.USDCMint, Delta: money.USDC(-4_000_000), Cursor: "99999999999999999999",
	}}
	stolen = append(stolen, stolen[0]) // told twice
	b.chain.history = func(_ context.Context, _ chain.Address, after chain.Cursor, _ int) ([]chain.Movement, error) {
		if after == stolen[0].Cursor {
			return nil, nil
		}
		return stolen, nil
	}
	_, err := b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(t, err)
	require.Equal(t, wallets.Suspended, b.get(w).Status)
	_, err = b.Transfer(t.Context(), home, order(w, b.stranger(), "1"))
	require.ErrorIs(t, err, wallets.ErrWalletNotActive)
	require.Equal(t, usdc("10"), b.balance(w), "the business is owed it all the same")
	require.Equal(t, usdc("6"), b.custodies()[0].OnChain)
	var checks []string
	for _, f := range b.findings() {
		checks = append(checks, f.Check)
	}
	require.Equal(t, []string{"unexplained", "custody"}, checks)
	x, err := ferry.InRead(t.Context(), b.walletUnits().Of(home), func(ctx context.Context, tx wallets.Tx) (*explain.Explanation, error) {
		return deposits.Explain(ctx, tx, home, "thief")
	})
	require.NoError(t, err)
	require.Contains(t, x.Summary, "-4 USDC moved on the address "+string(w.Primary)+" without a transfer.")
}

func TestASweepReadsOnlyWhatChanged(t *testing.T) {
	b := setup(t, silent)
	w := b.wallet("w")
	for range 149 {
		b.address(w)
	}
	b.sweep()
	b.sweep() // the tokens of unused addresses are known now
	b.chain.tokens, b.chain.histories = 0, 0
	b.sweep()
	require.Equal(t, 2, b.chain.tokens, "150 addresses are two calls")
	require.Zero(t, b.chain.histories)
	b.deposit(w.PrimaryAddress, "1")
	require.Equal(t, 1, b.chain.histories)
	for range 3 {
		b.sweep()
		require.Equal(t, 2, b.chain.histories, "and again a little later")
	}
	b.clock.pass(25 * time.Hour)
	b.sweep()
	require.Equal(t, 152, b.chain.histories, "once a day every history is read")
}

func TestASweepGoesOnWhereItsLimitEndedIt(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		w := b.wallet("w")
		var all []wallets.Address
		for range 249 {
			all = append(all, b.address(w))
		}
		for _, a := range all {
			_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: a.Address, Amount: usdc("1")})
			require.NoError(t, err)
		}
		b.finalize()
		total := 0
		for range 3 {
			done, err := b.Sweep(t.Context(), 100)
			require.NoError(t, err)
			require.LessOrEqual(t, done, 100)
			total += done
		}
		require.Equal(t, 250, total)
		require.Equal(t, usdc("249"), b.balance(w))
	})
}

func TestAnAddressThatCannotBeReadKeepsNoOtherFromItsMoney(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		w := b.wallet("w")
		var last wallets.Address
		for range chain.MaxAddresses {
			last = b.address(w)
		}
		for _, to := range []chain.Address{w.PrimaryAddress, last.Address} {
			_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: usdc("1")})
			require.NoError(t, err)
		}
		b.finalize()
		b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
			if a == w.PrimaryAddress {
				return nil, chain.ErrUnavailable
			}
			return b.chain.Chain.History(ctx, a, after, limit)
		}
		done, err := b.Sweep(t.Context(), 1000)
		require.ErrorIs(t, err, wallets.ErrUnavailable)
		require.Equal(t, chain.MaxAddresses, done)
		require.Equal(t, usdc("1"), b.addressOf(last.Address, home).Balance, "on the page after it")
		b.chain.history = nil
		b.sweep()
		require.Equal(t, usdc("2"), b.balance(w))
	})
}

func TestAMarkThatTheHistoryDoesNotExplainIsReadAgain(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		// The node that tells change tokens is ahead of the one that tells histories.
		b := setup(t, how)
		w := b.wallet("w")
		b.sweep()
		b.sweep()
		_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("1")})
		require.NoError(t, err)
		b.finalize()
		b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) { return nil, nil }
		b.sweep()
		require.Equal(t, usdc("0"), b.balance(w))
		b.chain.history = nil
		b.sweep()
		require.Equal(t, usdc("1"), b.balance(w))
	})
}

func TestANodeThatLagsBehindTheMarksHidesNoMoney(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		w := b.funded("w", "1")
		for _, amount := range []string{"2", "4"} {
			_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc(amount)})
			require.NoError(t, err)
		}
		b.finalize()
		later := b.clock.Now().Add(80 * time.Second)
		b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
			moves, err := b.chain.Chain.History(ctx, a, after, limit)
			if b.clock.Now().Before(later) {
				moves = moves[:len(moves)/2] // of two the first, of one none
			}
			return moves, err
		}
		for range 100 {
			b.sweep()
			b.clock.pass(2 * time.Second)
		}
		require.Equal(t, usdc("7"), b.balance(w))
		histories := b.chain.histories
		b.clock.pass(time.Hour)
		b.sweep()
		require.Equal(t, histories, b.chain.histories, "by then the mark is believed")
	})
}

func TestTwoWhoSweepAtOnceLookOnce(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		b.wallet("w")
		other := b.another()
		swept := false
		b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
			if !swept {
				swept = true
				_, err := other.Sweep(ctx, 10)
				require.NoError(t, err)
			}
			return b.chain.Chain.History(ctx, a, after, limit)
		}
		b.sweep()
		require.Equal(t, 1, b.custodies()[0].PendingReads, "else a token would be believed too early")
	})
}

func TestASweepGoesOnBehindOneThatOvertookItAndDied(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	for range 3 {
		_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("5")})
		require.NoError(t, err)
	}
	b.finalize()
	other := b.another()
	b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
		all, err := b.chain.Chain.History(ctx, a, after, limit)
		b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
			b.chain.history = nil
			return all[:1], nil // it dies after the first
		}
		_, failed := other.ScanAddress(ctx, ferry.Test, a)
		require.NoError(t, failed)
		return all, err
	}
	n, err := b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Len(t, b.events(home, wallets.EventReceived), 3)
	b.clean()
}

func TestAChainThatDoesNotAnswerStopsASweepWithoutHarm(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		w := b.wallet("w")
		_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("1")})
		require.NoError(t, err)
		b.finalize()
		b.inject(sandbox.Unavailable, 1)
		_, err = b.Sweep(t.Context(), 10)
		require.ErrorIs(t, err, wallets.ErrUnavailable, "no change tokens")
		b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
			return nil, chain.ErrUnavailable
		}
		_, err = b.Sweep(t.Context(), 10)
		require.ErrorIs(t, err, wallets.ErrUnavailable, "no history")
		b.chain.history = nil
		b.sweep()
		require.Equal(t, usdc("1"), b.balance(w))
	})
}

// balances makes the change token of an address what it holds, as on a chain that knows no more.
func balances(c *config) {
	watched := c.chains[ferry.Test].(reporting).watched
	watched.changes = func(ctx context.Context, addresses []chain.Address) ([]chain.ChangeToken, error) {
		held, err := watched.Holdings(ctx, addresses)
		tokens := make([]chain.ChangeToken, len(addresses))
		for i := range held.Amounts {
			tokens[i] = chain.ChangeToken(held.Amounts[i].String())
		}
		return tokens, err
	}
	c.chains[ferry.Test] = watched
}

func TestADepositAsGreatAsAPaymentIsCreditedWhereTokensAreBalances(t *testing.T) {
	b := setup(t, balances)
	w := b.funded("w", "10")
	b.settled()
	b.send(w, b.stranger(), "4")
	b.finalize()
	b.deposit(w.PrimaryAddress, "4") // final before anybody sweeps: the balance is what it was
	require.Equal(t, usdc("10"), b.holds(w.PrimaryAddress))
	b.settle()
	require.Equal(t, usdc("9.995"), b.balance(w), "10 without the fee of 0.005")
}
