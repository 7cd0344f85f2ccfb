package httpapi

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

type drivePaymentInput struct {
	TrxID         string `json:"trx_id" required:"true" eg:"order-981"`
	Outcome       string `json:"outcome" required:"true" enum:"success,failed,pending,cancelled,reversed" eg:"success"`
	PaymentMethod string `json:"payment_method" doc:"card by default" enum:"card,bank_transfer,usdc,wallet" eg:"card"`
}

// drivePayment drives an attempt to the given outcome: by card or mobile wallet at once, by
// bank transfer or USDC with a real credit or deposit of the simulated world.
func (a *api) drivePayment(ctx context.Context, c *call, in drivePaymentInput) (paymentView, error) {
	state, err := a.engine.Checkout.Get(ctx, c.scope, checkout.Ref{TrxID: in.TrxID})
	if errors.Is(err, checkout.ErrNotFound) {
		return paymentView{}, payments.ErrNotFound
	}
	if err != nil {
		return paymentView{}, err
	}
	method := payments.Method(cmp.Or(in.PaymentMethod, string(payments.Card)))
	switch {
	case in.Outcome == string(checkout.OutcomeSuccess) && (method == payments.BankTransfer || method == payments.USDC):
		err = a.payFor(ctx, c, state, method)
	case in.Outcome == outcomeReversed && state.Payment.Method == payments.BankTransfer && state.Payment.Status == payments.Success:
		err = a.recall(ctx, c, state.Payment)
	case in.Outcome == string(checkout.OutcomeSuccess):
		_, err = a.engine.Checkout.Attempt(ctx, c.scope, state.Ref(), checkout.Attempt{Method: method, Outcome: checkout.OutcomeSuccess})
	default:
		err = a.engine.Units(c.scope.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
			return a.drive(ctx, tx, c, state.Session, in.Outcome, method)
		})
	}
	if err != nil {
		return paymentView{}, err
	}
	return a.readPayment(ctx, c, payments.Ref{ID: string(state.Payment.ID)})
}

func (a *api) drive(ctx context.Context, tx store.Tx, c *call, s checkout.Session, outcome string, method payments.Method) (err error) {
	switch outcome {
	case "cancelled":
		_, err = a.engine.Checkout.CancelIn(ctx, tx, c.scope, s.Ref())
	case outcomeReversed:
		_, err = checkout.ReverseIn(ctx, tx, c.scope, payments.Ref{ID: string(s.Payment)})
	default:
		_, err = a.engine.Checkout.AttemptIn(ctx, tx, c.scope, s.Ref(), checkout.Attempt{Method: method, Outcome: checkout.Outcome(outcome)})
	}
	return err
}

// outcomeReversed takes a payment back: one by bank transfer by the bank's recall.
const outcomeReversed = "reversed"

// recall makes the simulated bank recall what paid a payment, and waits until that is
// booked. One that the business cannot cover is refused: it would wait.
func (a *api) recall(ctx context.Context, c *call, p payments.Payment) error {
	receipts, err := ferry.InRead(ctx, a.engine.Units(c.scope.Env), func(ctx context.Context, tx store.Tx) ([]payments.Receipt, error) {
		return payments.ReceiptsOf(ctx, tx, p)
	})
	if err != nil {
		return err
	}
	if err := a.covers(ctx, c, p.Settled); err != nil {
		return err
	}
	for _, r := range receipts {
		if r.State != payments.Settled || r.Method != payments.BankTransfer {
			continue
		}
		if _, err := a.engine.World.Recall(ctx, r.Source); err != nil {
			return err
		}
		if _, err := a.engine.AwaitRecall(ctx, c.scope.Env, r.Source); err != nil {
			return err
		}
	}
	return nil
}

// covers refuses an amount that the business does not have.
func (a *api) covers(ctx context.Context, c *call, amount money.Amount) error {
	totals, err := a.engine.Balances(ctx, c.scope)
	for _, t := range totals {
		if err != nil || t.Asset != amount.Asset() {
			continue
		}
		var left money.Amount
		if left, err = t.Posted.Sub(t.Reserved); err == nil && left.Minor() < amount.Minor() {
			err = ledger.Insufficient(ledger.BusinessAccount(c.scope, t.Asset), left, amount)
		}
	}
	return err
}

// payFor brings what a session still asks for.
func (a *api) payFor(ctx context.Context, c *call, state checkout.State, method payments.Method) error {
	switch {
	case state.Status != checkout.Pending:
		return checkout.ErrNotPending
	case !state.Open && state.Payment.PendingUntil.IsZero():
		return checkout.ErrOver
	}
	if method == payments.BankTransfer {
		state, err := a.engine.Checkout.RenewNaira(ctx, c.scope, state.Ref())
		if err != nil {
			return err
		}
		notice, err := a.engine.World.Credit(ctx, sandbox.CreditParams{
			AccountNumber: state.Account.AccountNumber, Amount: state.Naira().Amount(), Narration: state.TrxID,
		})
		if errors.Is(err, sandbox.ErrNoAccount) {
			return ferry.ErrValidation.About("payment_method", "Is not offered by this checkout")
		}
		if err != nil {
			return tooMuch(err)
		}
		_, err = a.engine.AwaitCredit(ctx, c.scope.Env, notice.SessionID)
		return err
	}
	state, err := a.engine.Checkout.Crypto(ctx, c.scope, state.Ref(), "")
	if err != nil {
		return err
	}
	left := money.USDC(state.Current.Amount.Minor() - state.Current.Received.Minor())
	_, err = a.depositOn(ctx, c, sandbox.DepositParams{To: state.Current.Deposit, Amount: left}, true)
	return err
}
