package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

type paymentView struct {
	ID               payments.ID            `json:"id" eg:"pay_019cadd46e0878ec834189614d3d15ce"`
	Reference        string                 `json:"reference" doc:"The trx_id" eg:"order-981"`
	Status           payments.Status        `json:"status" enum:"pending,success,failed,cancelled,expired,reversed" eg:"success"`
	Amount           price                  `json:"amount" doc:"What the payer pays: kobo for NGN, full units for USDC" eg:"1500000"`
	Currency         string                 `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	PaymentMethod    optionalText           `json:"payment_method" doc:"Null while nobody tried" enum:"card,bank_transfer,usdc,wallet" eg:"bank_transfer"`
	Channel          fees.Channel           `json:"channel" enum:"checkout,payment_link,api" eg:"checkout"`
	Customer         payerView              `json:"customer"`
	Meta             metadata               `json:"meta" eg:"{\"cart\": 9}"`
	Fields           map[string]string      `json:"fields" doc:"What the link asked for, by label" eg:"{}"`
	Fees             chargedFeesView        `json:"fees"`
	NetAmount        price                  `json:"net_amount" doc:"amount minus total_fees" eg:"1500000"`
	PaymentLinkID    optionalText           `json:"payment_link_id" eg:"null"`
	SessionID        optionalText           `json:"session_id" eg:"sess_019cadd46e0878ec834189614d3d15ce"`
	ByPublicKey      bool                   `json:"by_public_key" doc:"The order came with a public key, and so did its trx_id" eg:"true"`
	AmountExpected   price                  `json:"amount_expected" doc:"In payment_currency" eg:"1500000"`
	AmountReceived   price                  `json:"amount_received" doc:"In payment_currency" eg:"1500000"`
	PaymentCurrency  string                 `json:"payment_currency" doc:"What is paid in" enum:"NGN,USDC" eg:"NGN"`
	Exceptions       []payments.Exception   `json:"exceptions" doc:"A set out of underpaid, overpaid, late, duplicate, wrong_asset" eg:"[]"`
	Receipts         []receiptView          `json:"receipts" doc:"What arrived, oldest first"`
	Settlement       settlementView         `json:"settlement"`
	RefundStatus     statement.RefundStatus `json:"refund_status" enum:"none,pending,partially_refunded,refunded" eg:"none"`
	RefundedAmount   price                  `json:"refunded_amount" doc:"In refund_currency" eg:"0"`
	RefundableAmount price                  `json:"refundable_amount" doc:"What can still be refunded, in refund_currency" eg:"1500000"`
	RefundCurrency   string                 `json:"refund_currency" doc:"The currency in which the money moved" enum:"NGN,USDC" eg:"NGN"`
	FailureReason    optionalText           `json:"failure_reason" eg:"null"`
	ReceiptURL       optionalText           `json:"receipt_url" doc:"The receipt of a payment that was paid; whoever has the address may read it" eg:"https://pay.example.com/checkout/sess_019cadd46e0878ec834189614d3d15ce/receipt"`
	PaidAt           optionalTime           `json:"paid_at" eg:"2026-03-02T09:15:09.120Z"`
	CreatedAt        timestamp              `json:"created_at" eg:"2026-03-02T09:15:06.120Z"`
	UpdatedAt        timestamp              `json:"updated_at" eg:"2026-03-02T09:15:09.120Z"`
}

type payerView struct {
	ID    optionalText `json:"id" doc:"The customer who had the email when the payment was made" eg:"cus_019cadd4569875d7a1b61a53693e7f0f"`
	Email optionalText `json:"email" eg:"ada@example.com"`
	Phone optionalText `json:"phone" eg:"08012345678"`
	Name  optionalText `json:"name" eg:"Ada Obi"`
}

// DefaultPlatformFee is what the platform's fee is called among the fees of a
// payment, as in the specification.
const DefaultPlatformFee = "tsara_fee"

// chargedFeesView is the fees of a payment, the platform's under the name that the
// operator gave it.
type chargedFeesView struct {
	Platform   price `json:"tsara_fee" eg:"0"`
	Processing price `json:"processing_fee" eg:"0"`
	Total      price `json:"total_fees" eg:"0"`
	name       string
}

// MarshalJSON writes the fees in the order of the specification.
func (v chargedFeesView) MarshalJSON() ([]byte, error) {
	type plain chargedFeesView // without this method
	body, err := json.Marshal(plain(v))
	return bytes.Replace(body, quoted(DefaultPlatformFee), quoted(v.name), 1), err
}

// quoted is a name of a member as JSON has it.
func quoted(name string) []byte { return []byte(`"` + name + `"`) }

// settlementView is what the business was credited.
type settlementView struct {
	Amount   price  `json:"amount" eg:"1500000"`
	Currency string `json:"currency" enum:"NGN,USDC" eg:"NGN"`
}

// receiptView is money that arrived for a payment, and where it is.
type receiptView struct {
	ID            payments.ReceiptID    `json:"id" eg:"rcpt_019cadd46e0878ec834189614d3d15ce"`
	PaymentMethod payments.Method       `json:"payment_method" enum:"bank_transfer,usdc" eg:"bank_transfer"`
	Amount        price                 `json:"amount" doc:"Kobo for NGN, full units for USDC" eg:"1500000"`
	Currency      string                `json:"currency" enum:"NGN,USDC" eg:"NGN"`
	Status        payments.ReceiptState `json:"status" enum:"held,settled,accepted,refunded,returned" eg:"settled"`
	Kept          price                 `json:"kept" doc:"The part that paid, or that the business accepted" eg:"1500000"`
	Held          price                 `json:"held" doc:"The part that waits for the rest of the payment, or for resolve" eg:"0"`
	Refunded      price                 `json:"refunded" doc:"The part that resolve sent back on the chain, the network fee included" eg:"0"`
	Returned      price                 `json:"returned" doc:"The part that goes back through the bank" eg:"0"`
	Source        string                `json:"source" doc:"The bank's session, or the signature on the chain" eg:"000058260302091509123456789012"`
	Sender        *senderView           `json:"sender" doc:"The bank account that it came from"`
	SenderAddress optionalText          `json:"sender_address" doc:"The address that it came from" eg:"null"`
	CreatedAt     timestamp             `json:"created_at" eg:"2026-03-02T09:15:09.120Z"`
}

func viewReceipt(r payments.Receipt) (receiptView, error) {
	parts, err := r.Parts()
	return receiptView{
		ID: r.ID, PaymentMethod: r.Method, Amount: price(r.Amount), Currency: r.Amount.Asset().String(), Status: r.State,
		Kept: price(parts.Kept), Held: price(parts.Held), Refunded: price(parts.Refunded), Returned: price(parts.Returned),
		Source: r.Source, Sender: viewSender(r.Sender), SenderAddress: optionalText(r.Sender.Address),
		CreatedAt: timestamp(r.CreatedAt),
	}, err
}

// readPayment shows a payment.
func (a *api) readPayment(ctx context.Context, c *call, ref payments.Ref) (paymentView, error) {
	return ferry.InRead(ctx, a.engine.Units(c.scope.Env), func(ctx context.Context, tx store.Tx) (paymentView, error) {
		p, err := payments.Find(ctx, tx, c.scope, ref)
		if err != nil {
			return paymentView{}, err
		}
		return a.viewPaymentIn(ctx, tx, c, p)
	})
}

func (a *api) viewPaymentIn(ctx context.Context, tx records.Tx, c *call, p payments.Payment) (paymentView, error) {
	statement.Kind.PrefetchNamed(tx, statement.ByReference, lineOf(p))
	receipts, err := payments.ReceiptsOf(ctx, tx, p)
	if err != nil {
		return paymentView{}, err
	}
	paid, err := paidIn(ctx, tx, p)
	if err != nil {
		return paymentView{}, err
	}
	return a.viewPayment(c, p, receipts, paid)
}

// paidIn returns the line of a payment that was paid, which knows its refunds. That of another
// one is empty.
func paidIn(ctx context.Context, tx records.Tx, p payments.Payment) (statement.Transaction, error) {
	if p.PaidAt.IsZero() {
		return statement.Transaction{Amount: money.Of(p.Amount.Asset(), 0)}, nil
	}
	return statement.Kind.Find(ctx, tx, statement.ByReference, lineOf(p))
}

// lineOf is the name of a payment's line.
func lineOf(p payments.Payment) statement.Transaction {
	return statement.Transaction{Scope: p.Scope, Reference: string(p.ID)}
}

// receiptURL is the address of the receipt of a payment, also of one that does not know where the
// pages are; or empty.
func (c *call) receiptURL(p payments.Payment) optionalText {
	p.Pages = cmp.Or(p.Pages, c.baseURL())
	return optionalText(p.ReceiptURL())
}

func (a *api) viewPayment(c *call, p payments.Payment, receipts []payments.Receipt, paid statement.Transaction) (paymentView, error) {
	total, err := p.Fees.Total()
	if err != nil {
		return paymentView{}, err
	}
	net, err := p.Net()
	view := paymentView{
		ID: p.ID, Reference: p.Reference, ByPublicKey: p.Public, Status: p.Status, Amount: price(p.Amount), Currency: p.Amount.Asset().String(),
		PaymentMethod: optionalText(p.Method), Channel: p.Channel,
		Customer: payerView{
			optionalText(p.Customer.ID), optionalText(p.Customer.Email), optionalText(p.Customer.Phone), optionalText(p.Customer.Name),
		},
		Meta: metadata(p.Metadata), Fields: map[string]string{},
		Fees:      chargedFeesView{price(p.Fees.Platform), price(p.Fees.Processing), price(total), a.config.PlatformFee},
		NetAmount: price(net), PaymentLinkID: optionalText(p.Link), SessionID: optionalText(p.Session),
		AmountExpected: price(p.Expected), AmountReceived: price(p.Received), PaymentCurrency: p.Expected.Asset().String(),
		Exceptions: append([]payments.Exception{}, p.Exceptions...), Receipts: []receiptView{},
		Settlement:   settlementView{price(p.Settled), p.Settled.Asset().String()},
		RefundStatus: paid.RefundStatus(), RefundedAmount: price(paid.Refunded()), RefundableAmount: price(paid.Refundable()),
		RefundCurrency: paid.Amount.Asset().String(),
		FailureReason:  optionalText(p.Failure), ReceiptURL: c.receiptURL(p), PaidAt: optionalTime(p.PaidAt),
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
	}
	for label, answer := range p.Collected {
		view.Fields[label] = answer
	}
	for _, r := range receipts {
		receipt, err := viewReceipt(r)
		if err != nil {
			return paymentView{}, err
		}
		view.Receipts = append(view.Receipts, receipt)
	}
	return view, err
}
