package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/statement"
)

const (
	tagPayments = "Payments"
	tagAll      = "All transactions"
)

func (a *api) paymentRoutes() []route {
	return []route{
		get("/v1/payments", query(a.payment), about{
			id: "getPayment", tag: tagPayments, summary: "Verify a payment by trx_id or id", message: "Payment retrieved successfully",
		}),
		post("/v1/payments/resolve", does(a.resolve, a.resolved), about{
			id: "resolvePayment", scope: business.PayOut, tag: tagPayments,
			summary: "Decide what becomes of money that is held", message: "Payment resolved",
		}),
		get("/v1/transactions", query(a.allTransactions), about{
			id: "getAllTransactions", tag: tagAll,
			summary: "List all money in and out, or read one", message: "Transactions retrieved successfully",
		}),
	}
}

type paymentQuery struct {
	ID        string `query:"id" doc:"The trx_id or pay_…"`
	PaymentID string `query:"payment_id" doc:"As id"`
}

func (in *paymentQuery) check(p *ferry.Problems) {
	if in.ID == "" && in.PaymentID == "" {
		p.Add("id", missing)
	}
}

func (a *api) payment(ctx context.Context, c *call, in paymentQuery) (paymentView, error) {
	return a.readPayment(ctx, c, payments.Ref{Reference: in.ID, ID: in.PaymentID})
}

type resolveInput struct {
	ID        string `json:"id" doc:"pay_… or the trx_id; this or reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Reference string `json:"reference" doc:"As id"`
	Action    string `json:"action" required:"true" doc:"accept gives it to the business, refund sends it back" enum:"accept,refund" eg:"accept"`
}

func (in *resolveInput) check(p *ferry.Problems) {
	if in.ID == "" && in.Reference == "" {
		p.Add("id", "Give an id or a reference")
	}
}

func (a *api) resolve(c *call, in resolveInput) ferry.Operation[checkout.Tx, payments.Payment] {
	return a.engine.Checkout.ResolveOp(c.scope, payments.Ref{ID: in.ID, Reference: in.Reference}, checkout.Action(in.Action))
}

func (a *api) resolved(ctx context.Context, tx checkout.Tx, c *call, _ resolveInput, p payments.Payment) (paymentView, error) {
	return a.viewPaymentIn(ctx, tx, c, p)
}

type allTransactionsQuery struct {
	ID            string `query:"id" doc:"Reads one: trx_…, in either form"`
	UID           string `query:"uid" doc:"As id"`
	TrxID         string `query:"trx_id" doc:"Reads one: its trx_id or its reference"`
	Reference     string `query:"reference" doc:"Reads one: pay_…, the bank's session, that of what was accepted, or the trx_id"`
	Type          string `query:"type" enum:"IN,OUT"`
	Status        string `query:"status" enum:"success,returned,reversed"`
	Channel       string `query:"channel" enum:"checkout,payment_link,api,virtual_account,reserved_account,payout,transfer,refund,bill,onramp,offramp"`
	Currency      string `query:"currency" doc:"NGN or USDC"`
	Search        string `query:"search" doc:"Part of the trx_id, the reference, or the sender's account number or name"`
	AccountID     string `query:"account_id" doc:"Keeps what one collection account received: vacc_… or racc_…, in either form"`
	AccountNumber string `query:"account_number" doc:"As account_id, by its number"`
	rangeQuery
	pageQuery
}

type allTransactionsOutput = either[moneyView, moneyView]

func (a *api) allTransactions(ctx context.Context, c *call, in allTransactionsQuery) (allTransactionsOutput, error) {
	if in.ID != "" || in.UID != "" || in.TrxID != "" || in.Reference != "" {
		id, ok := optionalID(statement.Prefix, in.ID, in.UID)
		if !ok {
			return allTransactionsOutput{}, statement.ErrNotFound
		}
		found, err := a.engine.Payments.Line(ctx, c.scope, statement.Ref{ID: id, TrxID: in.TrxID, Reference: in.Reference})
		return one[moneyView, moneyView](viewMoney(found)), err
	}
	asset, err := assetOf(in.Currency)
	if err != nil {
		return allTransactionsOutput{}, err
	}
	account, err := a.accountOf(ctx, c, accounts.Ref{ID: in.AccountID, Number: in.AccountNumber})
	if err != nil {
		return allTransactionsOutput{}, err
	}
	found, err := a.engine.Statement.List(ctx, c.scope, statement.Filter{
		Source: string(account), Direction: statement.Direction(in.Type), Status: statement.Status(in.Status),
		Channel: in.Channel, Asset: asset, Search: in.Search, Range: in.between(),
	}, in.page())
	return allTransactionsOutput{list: paged(in.page(), found, viewMoney)}, err
}

// accountOf is the id of the account that a filter names, or empty when it names none.
func (a *api) accountOf(ctx context.Context, c *call, ref accounts.Ref) (accounts.ID, error) {
	if ref == (accounts.Ref{}) {
		return "", nil
	}
	found, err := a.engine.Accounts.Find(ctx, c.scope, ref)
	return found.ID, err
}

// moneyView is a line of all money in and out.
type moneyView struct {
	ID               statement.ID           `json:"id" eg:"trx_019cadd46e0878ec834189614d3d15ce"`
	UID              string                 `json:"uid" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	TrxID            string                 `json:"trx_id" eg:"order-981"`
	Reference        string                 `json:"reference" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Type             statement.Direction    `json:"type" enum:"IN,OUT" eg:"IN"`
	Channel          string                 `json:"channel" enum:"checkout,payment_link,api,virtual_account,reserved_account,payout,transfer,refund,bill,onramp,offramp" eg:"checkout"`
	Status           statement.Status       `json:"status" enum:"success,returned,reversed" eg:"success"`
	Amount           number                 `json:"amount" doc:"Money that moved, in full units of the currency in which it moved" eg:"15000"`
	Fee              number                 `json:"fee" eg:"0"`
	NetAmount        number                 `json:"net_amount" eg:"15000"`
	Currency         string                 `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	AmountUnit       string                 `json:"amount_unit" enum:"major" eg:"major"`
	OrderAmount      *number                `json:"order_amount" doc:"What the order of a payment cost, in full units of order_currency; null on any other line" eg:"15000"`
	OrderCurrency    optionalText           `json:"order_currency" enum:"NGN,USDC" eg:"NGN"`
	RefundStatus     statement.RefundStatus `json:"refund_status" enum:"none,pending,partially_refunded,refunded" eg:"none"`
	RefundedAmount   number                 `json:"refunded_amount" eg:"0"`
	RefundableAmount number                 `json:"refundable_amount" doc:"What can still be refunded" eg:"15000"`
	Sender           *senderView            `json:"sender" doc:"The bank account that it came from, but for payments"`
	CreatedAt        timestamp              `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	UpdatedAt        timestamp              `json:"updated_at" eg:"2026-03-02T09:15:06.120Z"`
}

type senderView struct {
	BankCode      string `json:"bank_code" eg:"058"`
	AccountNumber string `json:"account_number" eg:"0123456789"`
	AccountName   string `json:"account_name" eg:"Bola Ade"`
}

// viewSender shows the bank account that money came from, when there is one.
func viewSender(s statement.Sender) *senderView {
	if s.AccountNumber == "" {
		return nil
	}
	return &senderView{s.BankCode, s.AccountNumber, s.AccountName}
}

func viewMoney(t statement.Transaction) moneyView {
	view := moneyView{
		ID: t.ID, UID: ferry.UID(string(t.ID)), TrxID: t.TrxID, Reference: t.Reference, Type: t.Direction,
		Channel: t.Channel, Status: t.Status, Amount: number(t.Amount), Fee: number(t.Fee),
		NetAmount: number(money.Of(t.Amount.Asset(), t.Amount.Minor()-t.Fee.Minor())), Currency: t.Amount.Asset().String(),
		AmountUnit: "major", RefundStatus: t.RefundStatus(), RefundedAmount: number(t.Refunded()), RefundableAmount: number(t.Refundable()),
		Sender: viewSender(t.Sender), CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt),
	}
	if t.Order != (money.Amount{}) {
		view.OrderAmount, view.OrderCurrency = numberOf(t.Order), optionalText(t.Order.Asset().String())
	}
	return view
}
