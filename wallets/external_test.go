package wallets_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestAnExternalTransferIsPendingWithItsSignatureThenSuccess(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "100"), b.stranger()
	p := order(w, to, "25.5")
	p.Reference = "payout-981"
	sent, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err)
	require.Equal(t, outgoing.External, sent.Kind)
	require.Equal(t, wallets.Pending, sent.Status)
	require.Equal(t, usdc("0.005"), sent.Fee)
	require.NotEmpty(t, sent.Signature, "the answer carries the signature")
	require.True(t, sent.ConfirmedAt.IsZero())
	require.Equal(t, usdc("74.495"), b.balance(w), "amount and fee are set aside")
	require.Equal(t, money.USDC(0), b.holds(to))
	pending := b.lines(home, wallets.TransactionQuery{Status: wallets.Pending})
	require.Len(t, pending, 1)
	require.Nil(t, pending[0].Balances)
	require.Equal(t, sent.Signature, pending[0].Signature)
	require.Empty(t, b.events(home, wallets.EventSent))
	b.clean()

	b.settle()
	done := b.transfer(sent)
	require.Equal(t, wallets.Success, done.Status)
	require.Equal(t, sent.Signature, done.Signature)
	require.False(t, done.ConfirmedAt.IsZero())
	require.Equal(t, usdc("25.5"), b.holds(to))
	require.Equal(t, usdc("74.5"), b.holds(w.PrimaryAddress), "the fee stays in custody")
	require.Equal(t, usdc("74.495"), b.balance(w))
	line := b.lines(home, wallets.TransactionQuery{Direction: wallets.Out})[0]
	require.Equal(t, &wallets.Balances{Before: usdc("100"), After: usdc("74.495")}, line.Balances)
	require.Equal(t, wallets.TransactionID(sent.ID), line.ID, "an outgoing line is named by its transfer")
	require.Equal(t, usdc("0.005"), line.Fee)

	events := b.events(home, wallets.EventSent)
	require.Len(t, events, 1)
	require.Equal(t, line.Entry.String(), events[0].Entry)
	require.Equal(t, string(sent.ID), events[0].Resource)
	data := b.data(events[0])
	require.Equal(t, "payout-981", data["reference"])
	require.Equal(t, 25.5, data["amount"])
	require.Equal(t, 0.005, data["network_fee"])
	require.Equal(t, string(sent.Signature), data["transaction_hash"])
	require.Contains(t, data["explorer_url"], string(sent.Signature))
	b.clean()
}

func TestATransferIsConfirmedNeitherBeforeItWasMadeNorLater(t *testing.T) {
	for name, off := range map[string]time.Duration{"behind": -time.Hour, "ahead": time.Hour} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			w := b.funded("w", "10")
			b.chain.look = func(ctx context.Context, s []chain.Signature) (chain.StatusReport, error) {
				seen, err := b.chain.Chain.Statuses(ctx, s)
				for i := range seen.Statuses {
					seen.Statuses[i].At = seen.Statuses[i].At.Add(off)
				}
				return seen, err
			}
			sent := b.send(w, b.stranger(), "3")
			b.settle()
			done := b.transfer(sent)
			require.Equal(t, wallets.Success, done.Status)
			require.False(t, done.ConfirmedAt.Before(done.CreatedAt), "created %s, confirmed %s", done.CreatedAt, done.ConfirmedAt)
			require.False(t, done.ConfirmedAt.After(b.clock.Now()), "now %s, confirmed %s", b.clock.Now(), done.ConfirmedAt)
		})
	}
}

func TestATransferIsFoundByAnyOfItsNames(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "100")
	p := order(w, b.stranger(), "1")
	p.Reference = "r-1"
	sent, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err)
	for _, name := range []string{"r-1", string(sent.ID), ferry.UID(string(sent.ID))} {
		found, err := b.FindTransfer(t.Context(), home, name)
		require.NoError(t, err)
		require.Equal(t, sent.ID, found.ID)
		line, err := b.Line(t.Context(), home, name)
		require.NoError(t, err)
		require.Equal(t, wallets.TransactionID(sent.ID), line.ID)
		_, err = b.FindTransfer(t.Context(), away, name)
		require.ErrorIs(t, err, wallets.ErrTransactionNotFound)
		_, err = b.Line(t.Context(), away, name)
		require.ErrorIs(t, err, wallets.ErrTransactionNotFound)
	}
	deposit := b.lines(home, wallets.TransactionQuery{Direction: wallets.In})[0]
	line, err := b.Line(t.Context(), home, string(deposit.ID))
	require.NoError(t, err)
	require.Equal(t, deposit, line)
	_, err = b.Line(t.Context(), home, "r-2")
	require.ErrorIs(t, err, wallets.ErrTransactionNotFound)
}

func TestTransactionsListWithFilters(t *testing.T) {
	b := setup(t)
	one, two := b.funded("one", "10"), b.funded("two", "10")
	start := b.clock.Now()
	b.clock.pass(time.Hour)
	b.send(one, two.PrimaryAddress, "1")
	b.clock.pass(time.Hour)
	b.send(one, b.stranger(), "1")
	of := wallets.WalletRef{Reference: "one"}
	for name, c := range map[string]struct {
		q    wallets.TransactionQuery
		want int
	}{
		"all":           {wallets.TransactionQuery{}, 5},
		"of a wallet":   {wallets.TransactionQuery{Wallet: of}, 3},
		"in":            {wallets.TransactionQuery{Direction: wallets.In}, 3},
		"out of one":    {wallets.TransactionQuery{Wallet: of, Direction: wallets.Out}, 2},
		"pending":       {wallets.TransactionQuery{Status: wallets.Pending}, 1},
		"pending of it": {wallets.TransactionQuery{Wallet: of, Status: wallets.Pending}, 1},
		"failed":        {wallets.TransactionQuery{Status: wallets.Failed}, 0},
		"later":         {wallets.TransactionQuery{Range: ferry.Range{From: start.Add(time.Minute)}}, 3},
		"in between":    {wallets.TransactionQuery{Range: ferry.Range{From: start.Add(time.Minute), To: start.Add(90 * time.Minute)}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := b.Transactions(t.Context(), home, c.q, ferry.Page{Limit: 2})
			require.NoError(t, err)
			require.Equal(t, c.want, list.Total)
			walked := 0
			for _, err := range b.AllTransactions(t.Context(), home, c.q) {
				require.NoError(t, err)
				walked++
			}
			require.Equal(t, c.want, walked)
		})
	}
	_, err := b.Transactions(t.Context(), home, wallets.TransactionQuery{Wallet: wallets.WalletRef{Reference: "three"}}, ferry.Page{})
	require.ErrorIs(t, err, wallets.ErrWalletNotFound)
}

func TestAnAttemptIsCommittedBeforeItIsSent(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.chain.send = func(ctx context.Context, bytes []byte) error {
		found := look(b, func(ctx context.Context, tx store.Tx) (outgoing.Attempt, error) {
			return outgoing.LiveAttempt(ctx, tx, home, b.pending()[0].ID)
		})
		require.Equal(t, found.Bytes, bytes)
		return b.chain.Chain.Send(ctx, bytes)
	}
	sent := b.send(w, b.stranger(), "1")
	require.Equal(t, 1, b.chain.sends)
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
}

func TestAWorkerFinishesWhatAProcessLeftBehind(t *testing.T) {
	// The process dies after the unit that recorded the transfer.
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	sent, err := b.record(b.prepare(w, to, "1"))
	require.NoError(t, err)
	require.Zero(t, b.chain.signs)
	b.restart()
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, usdc("1"), b.holds(to))
	b.clean()
}

func TestAdvanceOfAFinishedTransferChangesNothing(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "10"), b.wallet("other")
	inside, outside := b.send(w, other.PrimaryAddress, "1"), b.send(w, b.stranger(), "1")
	b.settle()
	for _, sent := range []outgoing.Transfer{inside, outside} {
		require.NoError(t, b.Advance(t.Context(), home, sent.ID))
		require.Equal(t, wallets.Success, b.transfer(sent).Status)
	}
	require.ErrorIs(t, b.Advance(t.Context(), away, inside.ID), wallets.ErrTransactionNotFound)
	require.Zero(t, b.runDue())
}

func TestEqualTransfersAreTwoTransactions(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	one, two := b.send(w, to, "1"), b.send(w, to, "1")
	require.NotEqual(t, one.Signature, two.Signature)
	b.settle()
	require.Equal(t, usdc("2"), b.holds(to))
	require.NotEqual(t, b.attempts(one)[0].Memo, b.attempts(two)[0].Memo)
}

func TestTheMemoOfTheCallerStandsOnTheChain(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	p := order(w, b.stranger(), "1")
	p.Memo = "invoice 7"
	sent, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err)
	require.Regexp(t, `^invoice 7 [A-Za-z0-9_-]{32}$`, b.attempts(sent)[0].Memo)
	plain := b.send(w, b.stranger(), "1")
	require.Regexp(t, `^[A-Za-z0-9_-]{32}$`, b.attempts(plain)[0].Memo)
}

func TestAFeeThatIsIncludedComesOutOfTheAmountOfAnExternalTransferOnly(t *testing.T) {
	b := setup(t)
	w, other, to := b.funded("w", "10"), b.wallet("other"), b.stranger()
	net := func(to chain.Address, amount string) outgoing.TransferParams {
		p := order(w, to, amount)
		p.FeeIncluded = true
		return p
	}
	outside, err := b.Transfer(t.Context(), home, net(to, "3"))
	require.NoError(t, err)
	require.Equal(t, usdc("2.995"), outside.Amount)
	require.Equal(t, usdc("7"), b.balance(w))
	inside, err := b.Transfer(t.Context(), home, net(other.PrimaryAddress, "3"))
	require.NoError(t, err)
	require.Equal(t, usdc("3"), inside.Amount)
	_, err = b.Transfer(t.Context(), home, net(to, "0.01"))
	require.ErrorIs(t, err, outgoing.ErrAmountTooLow, "less than the minimum is left")
	b.settle()
	require.Equal(t, usdc("2.995"), b.holds(to))
}

func TestAFreeNetworkTakesNoFee(t *testing.T) {
	b := setup(t, func(c *config) { c.Fee = money.USDC(0) })
	w := b.funded("w", "10")
	sent := b.send(w, b.stranger(), "10")
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, usdc("0"), b.balance(w))
	b.clean()
}

func TestASuspendedWalletsTransfersThatAreUnderWayComplete(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	sent := b.send(w, b.stranger(), "1")
	_, err := b.SetStatus(t.Context(), home, wallets.WalletRef{Reference: "w"}, wallets.Suspended)
	require.NoError(t, err)
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
}

func TestAKeyThatIsNotTheAddressesSignsNothing(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	right := b.config.Sealer
	b.config.Sealer = tampered{right}
	b.restart()
	sent := b.send(w, b.stranger(), "1")
	require.Empty(t, sent.Signature)
	require.Zero(t, b.chain.signs)
	require.Equal(t, wallets.Pending, sent.Status, "the money stays reserved")
	b.config.Sealer = right
	b.restart()
	require.Equal(t, usdc("8.995"), b.balance(w))
}

func TestOneTransferThatCannotGoOnDoesNotStopTheOthers(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	b.chain.send = func(context.Context, []byte) error { return errors.New("rpc: not now") }
	one, two := b.send(w, b.stranger(), "1"), b.send(w, to, "2")
	stuck := one.Signature
	b.chain.send = nil
	b.chain.look = func(ctx context.Context, s []chain.Signature) (chain.StatusReport, error) {
		seen, err := b.chain.Chain.Statuses(ctx, s)
		for i, signature := range s {
			if signature == stuck {
				seen.Statuses[i] = chain.Status{}
			}
		}
		return seen, err
	}
	for range 10 {
		b.clock.pass(2 * time.Second)
		b.runDue()
	}
	require.Equal(t, wallets.Pending, b.transfer(one).Status)
	require.Equal(t, wallets.Success, b.transfer(two).Status)
}
