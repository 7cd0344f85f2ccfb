package checkout

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// Audit holds payments and receipts of one environment against the books:
//
//   - every receipt that is held has a reservation of just that, and no other receipt
//     has one (check "held_receipt");
//   - what acquirers owe is what was paid by card and mobile wallet, and not reversed
//     (check "cards");
//   - every conversion credits its business with what its payment or its line says,
//     and all of them are what the platform gave for USDC (check "exchange");
//   - every instruction says the address that custody says (check "deposit_address").
//
// It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	a := audit{ctx: ctx, tx: tx, env: env}
	for _, check := range []func() error{a.checkReservations, a.checkHeld, a.checkCards, a.checkExchange, a.checkInstructions} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return a.findings, nil
}

type audit struct {
	ctx      context.Context
	tx       Tx
	env      ferry.Env
	findings []ledger.Finding
}

func (a *audit) find(check, subject, text string, args ...any) {
	a.findings = append(a.findings, ledger.Finding{Check: check, Subject: subject, Text: fmt.Sprintf(text, args...)})
}

// checkReservations looks for reservations that no receipt has.
func (a *audit) checkReservations() error {
	open := ferry.WalkKeys(func(after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
		return a.tx.Ledger().OpenReservations(a.ctx, a.env, after, limit)
	}, func(r ledger.Reservation) ledger.ReservationID { return r.ID })
	for r, err := range open {
		if err == nil {
			err = a.checkReservation(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *audit) checkReservation(r ledger.Reservation) error {
	kind, id, _ := strings.Cut(string(r.ID), ":")
	if kind != "receipt" && kind != "excess" {
		return nil
	}
	id, _, _ = strings.Cut(id, ":") // the refund that failed
	address := strings.TrimPrefix(string(r.Account), string(ledger.AddressAccount("")))
	i, err := InstructionKind.Anyones(a.ctx, a.tx, Instruction{Address: wallets.AddressID(address)})
	if errors.Is(err, ErrInstructionNotFound) {
		a.find("held_receipt", string(r.ID), "%s is reserved on an address of no session", r.Amount)
		return nil
	}
	if err != nil {
		return err
	}
	found, err := payments.ReceiptKind.Get(a.ctx, a.tx, i.Scope, payments.ReceiptID(id))
	switch {
	case errors.Is(err, payments.ErrReceiptNotFound):
		a.find("held_receipt", string(r.ID), "%s is reserved for no receipt", r.Amount)
	case err != nil:
		return err
	case found.State != payments.Held || found.HeldBy() != r.ID || found.Held.Minor() != r.Amount.Minor():
		a.find("held_receipt", string(r.ID), "%s is reserved, the receipt is %s and holds %s", r.Amount, found.State, found.Held)
	}
	return nil
}

// checkHeld looks for receipts that are held without a reservation. One over another
// amount is found with the reservations.
func (a *audit) checkHeld() error {
	for r, err := range a.receipts(payments.Held) {
		if err != nil {
			return err
		}
		by, err := a.tx.Ledger().Reservation(a.ctx, r.HeldBy())
		if err != nil && !errors.Is(err, ledger.ErrReservationNotFound) {
			return err
		}
		if err != nil || by.State != ledger.Open {
			a.find("held_receipt", string(r.ID), "%s is held, and nothing is reserved", r.Held)
		}
	}
	return nil
}

// receipts walks the receipts of the environment in a state.
func (a *audit) receipts(in payments.ReceiptState) iter.Seq2[payments.Receipt, error] {
	return payments.ReceiptKind.Walk(a.ctx, a.tx, records.Where(records.Is("env", a.env), records.Is("state", in)))
}

// paidBy walks the successful payments of the environment by a means.
func (a *audit) paidBy(method payments.Method) iter.Seq2[payments.Payment, error] {
	return payments.PaymentKind.Walk(a.ctx, a.tx, payments.PaidBy(a.env, method))
}

// checkCards sums what acquirers took for us.
func (a *audit) checkCards() error {
	owed := money.NGN(0)
	for _, method := range []payments.Method{payments.Card, payments.Wallet} {
		for p, err := range a.paidBy(method) {
			if err == nil {
				owed, err = owed.Add(p.Expected)
			}
			if err != nil {
				return err
			}
		}
	}
	return a.compare("cards", ledger.Cards, owed, "acquirers took %s for payments, the books say %s")
}

// compare holds what an account of the engine has given away, by its rows, against
// its entries.
func (a *audit) compare(check string, of ledger.System, given money.Amount, text string) error {
	account := ledger.SystemAccount(a.env, of, money.AssetNGN)
	booked, err := ledger.Sum(a.ctx, a.tx.Ledger(), account)
	if err == nil && booked.Neg().Minor() != given.Minor() {
		a.find(check, string(account), text, given, money.NGN(-booked.Minor()))
	}
	return err
}
