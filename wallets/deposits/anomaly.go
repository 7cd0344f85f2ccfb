package deposits

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// AnomalyID identifies an anomaly.
type AnomalyID string

// Anomaly is a movement on a managed address that was not credited. It is noted once:
// ErrDeposited.
type Anomaly struct {
	ID        AnomalyID
	Scope     ferry.Scope
	Wallet    wallets.ID
	Address   wallets.AddressID
	Signature chain.Signature
	Mint      string
	Reason    AnomalyReason
	// Delta is what moved of our USDC; zero for another token.
	Delta     money.Amount
	CreatedAt time.Time
	Version   int64
}

// AnomalyReason says what is wrong with a movement.
type AnomalyReason string

const (
	// Unsupported: another token than our USDC arrived.
	Unsupported AnomalyReason = "unsupported"
	// Unexplained: USDC left although no live attempt paid it, or moved by an
	// attempt that was given up or that the store does not know. Audit reports
	// it until its Outflow is adopted.
	Unexplained AnomalyReason = "unexplained"
)

// noteUnsupported records another token than our USDC, without a credit.
func (s *Service) noteUnsupported(ctx context.Context, tx wallets.Tx, custody wallets.Custody, m chain.Movement) error {
	if err := AnomalyKind.Insert(ctx, tx, anomaly(tx, custody, m, Unsupported)); err != nil {
		return err
	}
	if err := wallets.CustodyKind.Update(ctx, tx, custody); err != nil {
		return err
	}
	return s.hooks.unsupported(ctx, tx, custody.ID)
}

// alarm records that money moved on an address without an attempt of ours.
func (s *Service) alarm(ctx context.Context, tx wallets.Tx, custody wallets.Custody, m chain.Movement, delta money.Amount) error {
	s.config.Logger.ErrorContext(ctx, "USDC moved on an address without a transfer",
		"address", custody.Address, "wallet", custody.Wallet, "signature", m.Signature, "delta", delta.String())
	note := anomaly(tx, custody, m, Unexplained)
	note.Delta = delta
	if err := AnomalyKind.Insert(ctx, tx, note); err != nil {
		return err
	}
	return s.hooks.unexplained(ctx, tx, custody, m, delta)
}

func anomaly(tx wallets.Tx, custody wallets.Custody, m chain.Movement, reason AnomalyReason) Anomaly {
	return Anomaly{
		ID:        AnomalyID(tx.NewID("anm_")),
		Scope:     custody.Scope,
		Wallet:    custody.Wallet,
		Address:   custody.ID,
		Signature: m.Signature,
		Mint:      m.Mint,
		Reason:    reason,
		Delta:     money.Of(wallets.Asset, 0),
		CreatedAt: tx.Now(),
	}
}
