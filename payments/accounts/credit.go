package accounts

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/webhook"
)

// EventReceived: naira arrived at a collection account.
const EventReceived = "transfer.received"

// ReceivedData is the data of EventReceived (docs/api.md, "Event catalogue").
type ReceivedData struct {
	ID               statement.ID `json:"id"`
	TrxID            string       `json:"trx_id"`
	Reference        string       `json:"reference"`
	AccountID        ID           `json:"account_id"`
	AccountType      Kind         `json:"account_type"`
	AccountReference string       `json:"account_reference"`
	AccountNumber    string       `json:"account_number"`
	BankCode         string       `json:"bank_code"`
	Amount           json.Number  `json:"amount"`
	AmountUnit       string       `json:"amount_unit"`
	Currency         string       `json:"currency"`
	Sender           SenderData   `json:"sender"`
	Narration        string       `json:"narration"`
	CreatedAt        string       `json:"created_at"`
}

// SenderData is where naira came from.
type SenderData struct {
	BankCode      string `json:"bank_code"`
	AccountNumber string `json:"account_number"`
	AccountName   string `json:"account_name"`
}

// CreditIn takes in a bank credit to a collection account: it records the credit and
// returns the legs of its posting. A credit to an account that has ended is returned to
// its sender. The time at which the bank took the money in counts, not that of its report.
// CreditIn reports false when the number is not that of a collection account.
func CreditIn(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) (legs []ledger.Leg, ours bool, err error) {
	a, err := AccountKind.Find(ctx, tx, byNumber, numbered(env, c.AccountNumber))
	if errors.Is(err, ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	line := statement.Incoming(tx, a.Scope, a.Kind.channel(), c.SessionID, c.Amount, statement.SenderOf(c))
	line.Source = string(a.ID)
	stands := a.Status
	if stands == Active && a.overdue(ferry.NotAfter(c.At, tx.Now())) {
		stands = Expired // for this credit: what came in time may still be told
	}
	if stands != Active {
		leg, err := payments.ReturnLineIn(ctx, tx, line, "account "+string(a.ID)+" is "+string(stands))
		return []ledger.Leg{leg}, true, err
	}
	if err := statement.Kind.Insert(ctx, tx, line); err != nil {
		return nil, false, err
	}
	if err := countIn(ctx, tx, a, c.Amount); err != nil {
		return nil, false, err
	}
	to := ledger.Leg{Account: ledger.BusinessAccount(a.Scope, money.AssetNGN), Amount: c.Amount}
	return []ledger.Leg{to}, true, tell(ctx, tx, a, c, line)
}

// countIn adds a credit to an account, and completes a virtual one that has what
// it asked for.
func countIn(ctx context.Context, tx Tx, a Account, amount money.Amount) (err error) {
	if a.Received, err = a.Received.Add(amount); err != nil {
		return err
	}
	a.Count++
	a.LastAt, a.UpdatedAt = tx.Now(), tx.Now()
	if a.Kind == Virtual && a.Received.Minor() >= a.Amount.Minor() {
		_, err = moveIn(ctx, tx, a, Complete)
		return err
	}
	return AccountKind.Update(ctx, tx, a)
}

func tell(ctx context.Context, tx Tx, a Account, c bank.Credit, line statement.Transaction) error {
	return webhook.Emit(ctx, tx, webhook.Change{
		Scope: a.Scope, Type: EventReceived, Resource: string(a.ID),
		Data: ReceivedData{
			ID: line.ID, TrxID: line.TrxID, Reference: line.Reference,
			AccountID: a.ID, AccountType: a.Kind, AccountReference: a.Reference,
			AccountNumber: a.Bank.AccountNumber, BankCode: a.Bank.BankCode,
			Amount: wire.Number(c.Amount), AmountUnit: "major", Currency: c.Amount.Asset().String(),
			Sender: SenderData(c.Sender), Narration: c.Narration,
			CreatedAt: wire.Time(tx.Now()),
		},
	})
}
