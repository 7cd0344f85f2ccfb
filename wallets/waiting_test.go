package wallets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// refused is a bench whose chain does not sign, and what it logs.
func refused(t *testing.T) (*bench, *bytes.Buffer) {
	var log bytes.Buffer
	b := setup(t, func(c *config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	return b, &log
}

// line is a transfer's line of the statement.
func (b *bench) line(t outgoing.Transfer) wallets.StatementLine {
	b.t.Helper()
	line, err := b.Line(b.t.Context(), t.Scope, string(t.ID))
	require.NoError(b.t, err)
	return line
}

// try has what is due tried once more.
func (b *bench) try() {
	b.clock.pass(3 * time.Second)
	b.runDue()
}

func TestATransferSaysWhyItIsNotSigned(t *testing.T) {
	for want, err := range map[wallets.Waiting]error{
		wallets.ForFeePayer:  fmt.Errorf("a node: %w", chain.ErrFeePayer),
		wallets.ForFeeBudget: fmt.Errorf("a node: %w", chain.ErrFeeBudget),
		wallets.ForChain:     fmt.Errorf("a node: %w", chain.ErrUnavailable),
		wallets.ForOperator:  errors.New("what nobody foresaw"),
	} {
		t.Run(string(want), func(t *testing.T) {
			b, _ := refused(t)
			w, to := b.funded("w", "10"), b.stranger()
			b.chain.sign = func() error { return err }
			sent := b.send(w, to, "3")
			require.Equal(t, wallets.Pending, sent.Status)
			require.Equal(t, want, sent.Waiting, "the answer of the request says it")
			require.Equal(t, want, b.line(sent).Waiting)
			require.Len(t, look(b, func(ctx context.Context, tx store.Tx) ([]outgoing.Transfer, error) {
				return outgoing.TransferKind.After(ctx, tx, outgoing.WaitingIn(ferry.Test, want), "", 10)
			}), 1)
			b.try()
			require.Equal(t, want, b.transfer(sent).Waiting)

			b.chain.sign = nil
			b.try()
			require.Equal(t, wallets.NotWaiting, b.transfer(sent).Waiting)
			require.Equal(t, wallets.NotWaiting, b.line(sent).Waiting)
			b.settleReserved(w, "6.995")
			require.Equal(t, wallets.Success, b.transfer(sent).Status)
			require.Equal(t, usdc("3"), b.holds(to), "paid once")
			b.finalize()
			b.sweep()
			b.clean()
		})
	}
}

func TestATransferThatWaitsForOneThingAfterTheOtherSaysTheNewOne(t *testing.T) {
	b, _ := refused(t)
	w, to := b.funded("w", "10"), b.stranger()
	b.chain.sign = func() error { return chain.ErrUnavailable }
	sent := b.send(w, to, "3")
	require.Equal(t, wallets.ForChain, sent.Waiting)
	b.chain.sign = func() error { return chain.ErrFeePayer }
	b.try()
	require.Equal(t, wallets.ForFeePayer, b.transfer(sent).Waiting)
	require.Equal(t, wallets.ForFeePayer, b.line(sent).Waiting)
}

func TestWhyATransferWaitsIsLoggedWhenItChangesAndThenMoreSeldom(t *testing.T) {
	b, log := refused(t)
	w, to := b.funded("w", "10"), b.stranger()
	lines := func() int { return strings.Count(log.String(), "a transfer was not signed") }
	lamports := 0
	b.chain.sign = func() error { // each text is another one
		lamports++
		return fmt.Errorf("%w: it has %d lamports", chain.ErrFeePayer, lamports)
	}
	b.send(w, to, "3")
	require.Equal(t, 1, lines(), log)
	for range 63 {
		b.try()
	}
	require.Equal(t, 64, lamports)
	require.Equal(t, 7, lines(), "after 1, 2, 4, 8, 16, 32 and 64 tries")
	b.chain.sign = func() error { return chain.ErrFeeBudget }
	b.try()
	require.Equal(t, 8, lines(), "another reason")
	require.Contains(t, log.String(), "tries=64")
}
