package wallets_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

func TestAnInternalTransferIsInstantAndFree(t *testing.T) {
	b := setup(t)
	from, to := b.funded("from", "100"), b.walletOf(away, "to")
	calls := b.chain.signs
	p := order(from, to.PrimaryAddress, "25.5")
	p.Reference, p.Memo, p.Metadata = "r-1", "rent", ferry.Metadata{"order": "1"}
	sent, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err)
	require.Equal(t, outgoing.Internal, sent.Kind)
	require.Equal(t, wallets.Success, sent.Status)
	require.Equal(t, "r-1", sent.Reference)
	require.Zero(t, sent.Fee.Minor())
	require.Empty(t, sent.Signature)
	require.Equal(t, b.clock.Now(), sent.ConfirmedAt)
	require.Equal(t, usdc("74.5"), b.balance(from))
	require.Equal(t, usdc("25.5"), b.balance(to))
	require.Equal(t, calls, b.chain.signs, "the chain is not asked")
	require.Equal(t, usdc("100"), b.holds(from.PrimaryAddress), "nothing moves on the chain")
	b.clean()
}

func TestBothSidesOfAnInternalTransferAreTold(t *testing.T) {
	b := setup(t)
	from, to := b.funded("from", "100"), b.walletOf(away, "to")
	sent := b.send(from, to.PrimaryAddress, "25.5")

	out := b.data(b.events(home, wallets.EventSent)[0])
	require.Equal(t, string(sent.ID), out["id"])
	require.Equal(t, "internal", out["transfer_type"])
	require.Equal(t, "success", out["status"])
	require.Equal(t, 25.5, out["amount"])
	require.Equal(t, 0.0, out["network_fee"])
	require.Nil(t, out["transaction_hash"])

	events := b.events(away, wallets.EventReceived)
	require.Len(t, events, 1)
	require.NotEmpty(t, events[0].Entry, "balances are added from the ledger entry")
	in := b.data(events[0])
	require.Equal(t, string(to.ID), in["wallet_id"])
	require.Equal(t, string(from.PrimaryAddress), in["sender"])
	require.Equal(t, string(from.PrimaryAddress), in["from_address"])
	require.Equal(t, string(to.PrimaryAddress), in["to_address"])
	require.Nil(t, in["transaction_hash"])
	require.Nil(t, in["explorer_url"])
	line := b.lines(away, wallets.TransactionQuery{})[0]
	require.Equal(t, string(line.ID), line.Reference, "the sender's reference is for the sender")
	require.Equal(t, line.Reference, in["reference"])
	require.Equal(t, usdc("25.5"), b.addressOf(to.PrimaryAddress, away).TotalReceived)
}

func TestAnInactiveAddressReceivesInternallyWithoutEvent(t *testing.T) {
	b := setup(t)
	from, to := b.funded("from", "10"), b.wallet("to")
	inactive := wallets.AddressInactive
	_, err := b.UpdateAddress(t.Context(), home, wallets.AddressRef{ID: string(to.Primary)}, wallets.UpdateAddressParams{Status: &inactive})
	require.NoError(t, err)
	before := len(b.events(home, wallets.EventReceived))
	b.send(from, to.PrimaryAddress, "1")
	require.Len(t, b.events(home, wallets.EventReceived), before)
	require.Equal(t, usdc("1"), b.balance(to))
	require.Equal(t, int64(1), b.addressOf(to.PrimaryAddress, home).DepositCount)
}

func TestBalancesOfTheStatementAreTheWalletsPostedOnes(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	second := b.address(w)
	b.deposit(second.Address, "5")
	b.send(w, second.Address, "4") // within one wallet

	lines := b.lines(home, wallets.TransactionQuery{})
	require.Len(t, lines, 4)
	byDirection := map[wallets.Direction]wallets.StatementLine{lines[0].Direction: lines[0], lines[1].Direction: lines[1]}
	unchanged := &wallets.Balances{Before: usdc("15"), After: usdc("15")}
	require.Equal(t, unchanged, byDirection[wallets.Out].Balances, "the wallet never had less")
	require.Equal(t, unchanged, byDirection[wallets.In].Balances)
	require.Equal(t, &wallets.Balances{Before: usdc("10"), After: usdc("15")}, lines[2].Balances)
	require.Equal(t, &wallets.Balances{Before: usdc("0"), After: usdc("10")}, lines[3].Balances)
	require.Equal(t, usdc("6"), b.addressOf(w.PrimaryAddress, home).Balance)
	require.Equal(t, usdc("9"), b.addressOf(second.Address, home).Balance)
	b.clean()
}

func TestEventsTellTheBalancesOfTheStatement(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "10"), b.wallet("other")
	b.send(w, b.address(w).Address, "4")
	b.send(w, other.PrimaryAddress, "1.5")
	b.send(w, b.stranger(), "2")
	b.settle()
	stated := map[string]int{}
	for _, l := range b.lines(home, wallets.TransactionQuery{}) {
		stated[fmt.Sprintln(l.Reference, l.Direction, l.Balances.Before.Major(), l.Balances.After.Major())]++
	}
	require.Len(t, stated, 6)
	hooks := webhook.New(ferry.Narrow(b.units, func(tx store.Tx) webhook.Tx { return tx }), webhook.Config{Sealer: b.config.Sealer})
	feed, err := hooks.Events(t.Context(), home, "", 100)
	require.NoError(t, err)
	require.Len(t, feed.Bodies, 6)
	for _, body := range feed.Bodies {
		var told struct {
			Type string
			Data struct {
				Reference string
				Before    json.Number `json:"balance_before"`
				After     json.Number `json:"balance_after"`
			}
		}
		require.NoError(t, json.Unmarshal(body, &told))
		direction := map[string]wallets.Direction{wallets.EventReceived: wallets.In, wallets.EventSent: wallets.Out}[told.Type]
		require.Contains(t, stated, fmt.Sprintln(told.Data.Reference, direction, told.Data.Before, told.Data.After))
	}
}

func TestATokenAccountOfAManagedAddressIsInternalToo(t *testing.T) {
	b := setup(t)
	from, to := b.funded("from", "10"), b.wallet("to")
	token := b.stranger()
	b.chain.inspect = func(a chain.Address) (chain.Destination, error) {
		require.Equal(t, token, a)
		return chain.Destination{Kind: chain.TokenAccount, Opened: true, Owner: to.PrimaryAddress}, nil
	}
	sent := b.send(from, token, "3")
	require.Equal(t, outgoing.Internal, sent.Kind)
	require.Equal(t, to.PrimaryAddress, sent.To)
	require.Equal(t, usdc("3"), b.balance(to))

	b.chain.inspect = func(chain.Address) (chain.Destination, error) {
		return chain.Destination{Kind: chain.TokenAccount, Opened: true, Owner: from.PrimaryAddress}, nil
	}
	_, err := b.Transfer(t.Context(), home, order(from, token, "3"))
	require.ErrorIs(t, err, outgoing.ErrInvalidAddress, "its own token account is itself")
}

func TestAShortageNamesWhatIsAvailableAndRequired(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "3.2"), b.wallet("other")
	for to, required := range map[chain.Address]string{other.PrimaryAddress: "25.5", b.stranger(): "25.505"} {
		_, err := b.Transfer(t.Context(), home, order(w, to, "25.5"))
		require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
		var short *ledger.Shortage
		require.ErrorAs(t, err, &short)
		require.Equal(t, usdc("3.2"), short.Available)
		require.Equal(t, usdc(required), short.Required)
	}
	require.Empty(t, b.lines(home, wallets.TransactionQuery{Direction: wallets.Out}), "a refusal leaves no record")
	b.clean()
}

func TestMoneyOnAnotherAddressOfTheWalletIsNotTheSenders(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "3")
	b.deposit(b.address(w).Address, "5")
	_, err := b.Transfer(t.Context(), home, order(w, b.stranger(), "4"))
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
}
