package wallets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
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

// TestAnAuditComparesTheRowsOfAnAddress adds an address of which one row says something else.
func TestAnAuditComparesTheRowsOfAnAddress(t *testing.T) {
	const id = "addr_000000000000000000000000000000ff"
	type rows struct {
		address *wallets.Address
		key     *wallets.SealedKey
		custody wallets.Custody
	}
	for name, c := range map[string]struct {
		change func(*rows)
		says   []string
	}{
		"which agree":                 {func(*rows) {}, nil},
		"whose row is gone":           {func(r *rows) { r.address = nil }, []string{"has no row"}},
		"whose key is gone":           {func(r *rows) { r.key = nil }, []string{"has no key"}},
		"whose row and key are gone":  {func(r *rows) { r.address, r.key = nil, nil }, []string{"has no row", "has no key"}},
		"whose row has another one":   {func(r *rows) { r.address.Address = "other" }, []string{"its row says other of"}},
		"whose row names a wallet":    {func(r *rows) { r.address.Wallet = "wal_other" }, []string{"of wal_other"}},
		"whose key has another one":   {func(r *rows) { r.key.PublicKey = "other" }, []string{"its key says other of"}},
		"whose key names a wallet":    {func(r *rows) { r.key.Wallet = "wal_other" }, []string{"of wal_other"}},
		"that is primary as a second": {func(r *rows) { r.address.Primary = true }, []string{"is primary", "its wallet says"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := setupOn(t, memstore.New())
			w := b.wallet("w")
			at := b.stranger()
			r := rows{
				address: &wallets.Address{
					ID: id, Scope: home, Wallet: w.ID, WalletReference: w.Reference, Address: at, Status: wallets.AddressActive, TotalReceived: usdc("0"),
				},
				key:     &wallets.SealedKey{ID: id, Scope: home, Wallet: w.ID, PublicKey: at},
				custody: wallets.Custody{ID: id, Scope: home, Wallet: w.ID, Address: at, OnChain: usdc("0"), Committed: usdc("0")},
			}
			c.change(&r)
			require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
				if r.address != nil {
					if err := wallets.AddressKind.Insert(ctx, tx, *r.address); err != nil {
						return err
					}
				}
				if r.key != nil {
					if err := wallets.SealedKeyKind.Insert(ctx, tx, *r.key); err != nil {
						return err
					}
				}
				return wallets.CustodyKind.Insert(ctx, tx, r.custody)
			}))
			found := b.findings()
			require.Len(t, found, len(c.says))
			for i, says := range c.says {
				require.Equal(t, []string{"deposit_address", id}, []string{found[i].Check, found[i].Subject})
				require.Contains(t, found[i].Text, says)
			}
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

func TestAPromiseBelowZeroIsFound(t *testing.T) {
	b := setupOn(t, memstore.New())
	b.funded("w", "10")
	first := b.custodies()[0]
	first.Committed = money.USDC(-1_000_000)
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return wallets.CustodyKind.Update(ctx, tx, first)
	}))
	found := b.findings()
	require.Len(t, found, 2)
	require.Contains(t, found[0].Text, "on chain 10 USDC, committed -1 USDC")
	require.Contains(t, found[1].Text, "live attempts take 0 USDC")
}

func TestEveryUnexplainedMovementIsFound(t *testing.T) {
	b := setupOn(t, memstore.New())
	b.funded("w", "10")
	first := b.custodies()[0]
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, id := range []string{"1", "2"} {
			if err := deposits.AnomalyKind.Insert(ctx, tx, deposits.Anomaly{
				ID: deposits.AnomalyID("anm_" + id), Scope: home, Address: first.ID, Reason: deposits.Unexplained, Delta: money.USDC(-1), Signature: chain.Signature(id),
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Len(t, b.findings(), 2)
}

func TestAnEnvironmentWithoutBooksIsClean(t *testing.T) {
	b := setup(t)
	require.Empty(t, look(b, func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		return custody.Audit(ctx, tx, ferry.Live)
	}))
}
