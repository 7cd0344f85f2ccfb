package refunds

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// onChain reports whether a refund goes back on the chain: an automatic one of USDC. A transfer
// of package outgoing sends it, and ends it.
func (r Refund) onChain() bool { return r.Mode == AutoSender && r.Amount.Asset() == wallets.Asset }

// unsent reports whether a refund still has to get its transfer on the chain.
func (r Refund) unsent() bool {
	return r.onChain() && !Lifecycle.Final(r.Status) && r.Transfer == ""
}

// toAddress adds to an automatic refund of USDC to which address it goes, from which one, and
// what the network takes. Errors: ErrNoSender, outgoing.ErrAmountTooLow.
func (s *Service) toAddress(ctx context.Context, tx Tx, made *Refund, line statement.Transaction) error {
	receipt, err := receiptOf(ctx, tx, line)
	if err != nil {
		return err
	}
	made.To.AccountNumber = receipt.Sender.Address
	fee, err := s.config.Outgoing.FeeIn(ctx, tx, made.Scope.Env, made.To.AccountNumber, made.Amount)
	if err != nil {
		return err
	}
	made.Fees = fees.Fees{Platform: money.Of(wallets.Asset, 0), Processing: fee}
	cost, err := made.cost()
	if err != nil {
		return ErrExceedsRemaining.Because(err)
	}
	source, err := sourceOf(ctx, tx, receipt, cost)
	made.Source = string(source)
	return err
}

// sourceOf returns the address that pays for a refund: the one that was paid, the primary one of
// its wallet, or another one of that wallet, whichever is the first that has enough. Of the others
// the newest ones with money are asked.
func sourceOf(ctx context.Context, tx Tx, receipt payments.Receipt, cost money.Amount) (wallets.AddressID, error) {
	owner := ferry.Scope{Business: receipt.Holder, Env: receipt.Scope.Env}
	paid, err := wallets.AddressKind.Get(ctx, tx, owner, wallets.AddressID(receipt.Address))
	if err != nil {
		return "", err
	}
	w, err := wallets.WalletKind.Get(ctx, tx, owner, paid.Wallet)
	if err != nil {
		return "", err
	}
	primary, err := wallets.OwnAddress(ctx, tx, owner, string(w.PrimaryAddress))
	if err != nil {
		return "", err
	}
	if source, err := firstThatCovers(ctx, tx, cost, paid, primary); source != "" || err != nil {
		return source, err
	}
	others, err := tx.Wallets().AddressesByBalance(ctx, owner, records.Where(records.Is("wallet", w.ID)), true, ferry.Page{Limit: ferry.MaxLimit})
	if err != nil {
		return "", err
	}
	source, err := firstThatCovers(ctx, tx, cost, others.Data...)
	return cmp.Or(source, paid.ID), err // and reserving the money says what is missing
}

// firstThatCovers returns the first of some addresses that has what a refund costs, or none.
func firstThatCovers(ctx context.Context, tx Tx, cost money.Amount, all ...wallets.Address) (wallets.AddressID, error) {
	for _, a := range all {
		tx.Ledger().PrefetchAccount(a.Account())
	}
	for _, a := range all {
		books, err := tx.Ledger().Account(ctx, a.Account())
		if err != nil {
			return "", err
		}
		if books.Available().Minor() >= cost.Minor() {
			return a.ID, nil
		}
	}
	return "", nil
}

// send makes the transfer that sends a refund back on the chain. A wallet that is not active
// lets it wait; an address that can receive nothing cancels it. While the chain does not answer,
// it waits without an end.
func (s *Service) send(ctx context.Context, c lease.Claim, r Refund) error {
	units := s.units.Of(r.Scope)
	transfer, err := s.prepareTransfer(ctx, r)
	if err == nil {
		err = units.Write(ctx, func(ctx context.Context, tx Tx) error { return s.sendIn(ctx, tx, c, r, transfer) })
	}
	switch {
	case errors.Is(err, wallets.ErrWalletNotActive):
		return units.Write(ctx, func(ctx context.Context, tx Tx) error {
			return waitIn(ctx, tx, c, r, "The wallet that received the money is not active")
		})
	case errors.Is(err, outgoing.ErrInvalidAddress):
		return units.Write(ctx, func(ctx context.Context, tx Tx) error {
			return endIn(ctx, tx, c, r, "The address of the sender cannot receive USDC")
		})
	case errors.Is(err, ferry.Unavailable):
		return errors.Join(err, units.Write(ctx, func(ctx context.Context, tx Tx) error {
			return tx.Leases().Retry(ctx, c, tx.Now().Add(chainPause))
		}))
	}
	return err
}

// prepareTransfer checks the transfer of a refund, and asks the chain about its destination.
func (s *Service) prepareTransfer(ctx context.Context, r Refund) (steps ferry.Steps[wallets.Tx, outgoing.Transfer], err error) {
	from, err := ferry.InRead(ctx, s.units.Of(r.Scope), func(ctx context.Context, tx Tx) (wallets.Address, error) {
		return wallets.AddressKind.Get(ctx, tx, r.Scope, wallets.AddressID(r.Source))
	})
	if err != nil {
		return steps, err
	}
	steps = s.config.Outgoing.TransferOp(r.Scope, outgoing.TransferParams{
		From: string(from.Address), To: r.To.AccountNumber, Amount: r.Amount, Whole: true,
		Metadata: ferry.Metadata{"refund_id": string(r.ID), "refund_reference": r.Reference},
		Origin:   outgoing.Origin{Kind: outgoing.FromRefund, ID: string(r.ID)},
	}).Begin()
	return steps, steps.Prepare(ctx, "")
}

// sendIn moves a refund on, and gives what it has set aside to its transfer. A transfer that
// stays inside is done with it, and ends the refund in this unit: see SentIn.
func (s *Service) sendIn(ctx context.Context, tx Tx, c lease.Claim, r Refund, transfer ferry.Steps[wallets.Tx, outgoing.Transfer]) error {
	r, err := Kind.Get(ctx, tx, r.Scope, r.ID)
	if err != nil || !r.unsent() {
		return errors.Join(err, tx.Leases().Finish(ctx, c))
	}
	if held, err := s.holdIn(ctx, tx, c, r.Scope.Env); err != nil || held {
		return err
	}
	if r.Status == Pending {
		if r, err = startIn(ctx, tx, r); err != nil {
			return err
		}
		if err := Kind.Update(ctx, tx, r); err != nil {
			return err
		}
	}
	held, err := r.held()
	if err != nil {
		return err
	}
	if err := ledger.Release(ctx, tx.Ledger(), held.ID); err != nil {
		return err
	}
	made, err := transfer.Record(ctx, tx, "")
	if err != nil {
		return err
	}
	if r, err = Kind.Get(ctx, tx, r.Scope, r.ID); err != nil {
		return err
	}
	r.Transfer = wallets.TransferID(made.Resource)
	return errors.Join(Kind.Update(ctx, tx, r), tx.Leases().Finish(ctx, c))
}

// SentIn ends the refund that a transfer has sent back. A transfer of another origin is no
// concern of it.
func SentIn(ctx context.Context, tx Tx, t outgoing.Transfer) error {
	return followIn(ctx, tx, t, func(r Refund) (Refund, error) {
		r.ProviderReference = string(t.Signature)
		return paidIn(ctx, tx, r)
	})
}

// NotSentIn ends the refund whose transfer has moved nothing, and never will. A transfer of
// another origin is no concern of it.
func NotSentIn(ctx context.Context, tx Tx, t outgoing.Transfer) error {
	return followIn(ctx, tx, t, func(r Refund) (Refund, error) {
		r.ProviderReference, r.ProviderResponse = string(t.Signature), t.Failure
		return failedIn(ctx, tx, r, Fail)
	})
}

func followIn(ctx context.Context, tx Tx, t outgoing.Transfer, end func(Refund) (Refund, error)) error {
	if t.Origin.Kind != outgoing.FromRefund {
		return nil
	}
	r, err := Kind.Get(ctx, tx, t.Scope, ID(t.Origin.ID))
	if err != nil || r.Status != Processing {
		return err
	}
	r.Transfer = t.ID // not known yet when it stays inside and is done at once
	if r, err = end(r); err != nil {
		return err
	}
	return Kind.Update(ctx, tx, r)
}
