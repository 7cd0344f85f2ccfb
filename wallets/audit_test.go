package wallets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// TestAnAuditFinds breaks one thing at a time behind the service's back.
func TestAnAuditFinds(t *testing.T) {
	for name, c := range map[string]struct {
		check  string
		damage func(first wallets.Custody, sent outgoing.Transfer, tx store.Tx) error
	}{
		"money on the chain that the books do not know": {"custody", func(first wallets.Custody, _ outgoing.Transfer, tx store.Tx) error {
			first.OnChain = usdc("11")
			return wallets.CustodyKind.Update(t.Context(), tx, first)
		}},
		"a commitment that no attempt has": {"committed", func(first wallets.Custody, _ outgoing.Transfer, tx store.Tx) error {
			first.Committed = usdc("5")
			return wallets.CustodyKind.Update(t.Context(), tx, first)
		}},
		"a pending transfer without its reservation": {"transfer_reservation", func(_ wallets.Custody, sent outgoing.Transfer, tx store.Tx) error {
			return ledger.Release(t.Context(), tx.Ledger(), ledger.ReservationID(sent.ID))
		}},
		"a pending transfer that reserved another amount": {"transfer_reservation", func(_ wallets.Custody, sent outgoing.Transfer, tx store.Tx) error {
			sent.Amount = usdc("3")
			return outgoing.TransferKind.Update(t.Context(), tx, sent)
		}},
		"a pending transfer that never reserved": {"transfer_reservation", func(_ wallets.Custody, sent outgoing.Transfer, tx store.Tx) error {
			sent.ID, sent.Reference = "trx_none", "none"
			return outgoing.TransferKind.Insert(t.Context(), tx, sent)
		}},
		"a reservation of a transfer that is over": {"transfer_reservation", func(_ wallets.Custody, sent outgoing.Transfer, tx store.Tx) error {
			return ledger.Reserve(t.Context(), tx.Ledger(), ledger.Reservation{
				ID: "trx_over", Account: ledger.AddressAccount(string(sent.FromID)), Amount: money.USDC(1),
			})
		}},
		"money that left unexplained": {"unexplained", func(first wallets.Custody, _ outgoing.Transfer, tx store.Tx) error {
			return deposits.AnomalyKind.Insert(t.Context(), tx, deposits.Anomaly{
				ID: "anm_1", Scope: home, Address: first.ID, Reason: deposits.Unexplained, Delta: money.USDC(-1), Signature: "s",
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := setupOn(t, memstore.New())
			w := b.funded("w", "10")
			sent := b.send(w, b.stranger(), "4")
			b.clean()
			first, row := b.custodies()[0], b.transfer(sent)
			require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(_ context.Context, tx store.Tx) error {
				return c.damage(first, row, tx)
			}))
			var checks []string
			for _, f := range b.findings() {
				checks = append(checks, f.Check)
			}
			require.Contains(t, checks, c.check)
		})
	}
}

func TestAPromiseGreaterThanWhatIsThereIsFound(t *testing.T) {
	b := setupOn(t, memstore.New())
	w := b.funded("w", "10")
	b.send(w, b.stranger(), "4")
	first := b.custodies()[0]
	first.OnChain = usdc("3")
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return wallets.CustodyKind.Update(ctx, tx, first)
	}))
	found := b.findings()
	require.Equal(t, "committed", found[0].Check)
	require.Contains(t, found[0].Text, "on chain 3 USDC, committed 4 USDC")
}

func TestAnEnvironmentWithoutBooksIsClean(t *testing.T) {
	b := setup(t)
	require.Empty(t, look(b, func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		return custody.Audit(ctx, tx, ferry.Live)
	}))
}
