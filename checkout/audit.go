package checkout

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
)

const auditPage = 500

// Audit holds what is reserved for receipts of one environment against the receipts:
// every such reservation is that of a receipt which holds just that (check
// "held_receipt"). It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	var findings []ledger.Finding
	var after ledger.ReservationID
	for {
		page, err := tx.Ledger().OpenReservations(ctx, env, after, auditPage)
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			after = r.ID
			text, err := checkHeld(ctx, tx, r)
			if err != nil {
				return nil, err
			}
			if text != "" {
				findings = append(findings, ledger.Finding{Check: "held_receipt", Subject: string(r.ID), Text: text})
			}
		}
		if len(page) < auditPage {
			return findings, nil
		}
	}
}

// checkHeld says what is wrong with the reservation of a receipt, or nothing.
func checkHeld(ctx context.Context, tx Tx, r ledger.Reservation) (string, error) {
	kind, id, _ := strings.Cut(string(r.ID), ":")
	if kind != "receipt" && kind != "excess" {
		return "", nil
	}
	id, _, _ = strings.Cut(id, ":") // the refund that failed
	address := strings.TrimPrefix(string(r.Account), string(ledger.AddressAccount("")))
	i, err := tx.Checkout().Instruction(ctx, wallets.AddressID(address))
	if errors.Is(err, ErrInstructionNotFound) {
		return fmt.Sprintf("%s is reserved on an address of no session", r.Amount), nil
	}
	if err != nil {
		return "", err
	}
	found, err := tx.Payments().Receipt(ctx, i.Scope, payments.ReceiptID(id))
	switch {
	case errors.Is(err, payments.ErrReceiptNotFound):
		return fmt.Sprintf("%s is reserved for no receipt", r.Amount), nil
	case err != nil:
		return "", err
	case found.State != payments.Held || found.HeldBy() != r.ID || found.Held.Minor() != r.Amount.Minor():
		return fmt.Sprintf("%s is reserved, the receipt is %s and holds %s", r.Amount, found.State, found.Held), nil
	}
	return "", nil
}
