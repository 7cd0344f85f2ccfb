package payments

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
)

// ByName finds a payment by the name of its order: Scope, Reference and Public.
var ByName = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: statement.ErrDuplicateTrxID}

// PaymentKind is what a payment is as a row.
var PaymentKind = records.Define(records.Kind[ID, Payment]{
	Name: "payments",
	Columns: func(p *Payment) []records.Column {
		return []records.Column{
			records.ID(&p.ID), records.Owner(&p.Scope), records.Version(&p.Version),
			records.Marked("reference", &p.Reference, &p.Public, statement.PublicMark),
			records.Word("status", &p.Status, Lifecycle.States()...),
			records.Text("channel", &p.Channel),
			records.Text("method", &p.Method),
			records.Text("customer", &p.Customer.ID),
			records.Text("email", &p.Customer.Email),
			records.Text("phone", &p.Customer.Phone),
			records.Text("payer", &p.Customer.Name),
			records.Document("collected", &p.Collected),
			records.Document("metadata", &p.Metadata),
			records.Optional("link", &p.Link),
			records.Text("session", &p.Session),
			records.Text("pages", &p.Pages),
			records.Document("exceptions", &p.Exceptions),
			records.Document("receipts", &p.Receipts),
			records.Text("failure", &p.Failure),
			records.Time("pending_until", &p.PendingUntil),
			records.Time("paid_at", &p.PaidAt),
			records.CreatedAt(&p.CreatedAt), records.Time("updated_at", &p.UpdatedAt),
			records.Money("amount", &p.Amount),
			records.Money("platform_fee", &p.Fees.Platform),
			records.Money("processing_fee", &p.Fees.Processing),
			records.Money("expected", &p.Expected),
			records.Money("received", &p.Received),
			records.Money("settled", &p.Settled),
		}
	},
	Scope:   func(p *Payment) ferry.Scope { return p.Scope },
	Unique:  []*records.Unique{ByName},
	Fixed:   []string{"reference", "link"},
	Lists:   [][]string{{}, {"link"}, {"status"}, {"link", "status"}},
	Groups:  []records.Group{{By: []string{"env", "method"}, When: isPaid}},
	Search:  []string{"reference", "id", "email", "payer"},
	Missing: ErrNotFound,
})

var isPaid = records.Is("status", Success)

// PaidBy selects the successful payments of an environment by a means.
func PaidBy(env ferry.Env, method Method) records.Query {
	return records.Where(records.Is("env", env), records.Is("method", method), isPaid)
}

// PaymentNamed is a payment as ByName finds it.
func PaymentNamed(scope ferry.Scope, n statement.Name) Payment {
	return Payment{Scope: scope, Reference: n.TrxID, Public: n.Public}
}

// Query selects the payments that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(
		records.Is("link", f.Link), records.Is("status", f.Status), records.Is("email", f.Email),
		records.Is("channel", f.Channel), records.IsAsset("amount_asset", f.Asset),
	).During(f.Range).Searching(f.Search)
}

// ReceiptKind is what a receipt is as a row.
var ReceiptKind = records.Define(records.Kind[ReceiptID, Receipt]{
	Name: "receipts",
	Columns: func(r *Receipt) []records.Column {
		return []records.Column{
			records.ID(&r.ID), records.Owner(&r.Scope), records.Version(&r.Version),
			records.Text("payment", &r.Payment),
			records.Text("method", &r.Method),
			records.Text("source", &r.Source),
			records.Text("sender_bank", &r.Sender.BankCode),
			records.Text("sender_account", &r.Sender.AccountNumber),
			records.Text("sender_name", &r.Sender.AccountName),
			records.Text("sender_address", &r.Sender.Address),
			records.Text("address", &r.Address),
			records.Text("holder", &r.Holder),
			records.Word("state", &r.State, append(ReceiptLifecycle.States(), Returned)...),
			records.Bool("late", &r.Late),
			records.Text("price", &r.Price),
			records.Text("outcome", &r.Outcome),
			records.CreatedAt(&r.CreatedAt), records.Time("updated_at", &r.UpdatedAt),
			records.Money("amount", &r.Amount),
			records.Money("held", &r.Held),
			records.Money("decided", &r.Decided),
		}
	},
	Scope:   func(r *Receipt) ferry.Scope { return r.Scope },
	Fixed:   []string{"payment", "source"},
	Groups:  []records.Group{{By: []string{"source"}}},
	Missing: ErrReceiptNotFound,
})

// ReceiptsFrom selects the receipts of a session of the bank, or of a signature of the chain. They are
// few, and of any business.
func ReceiptsFrom(source string) records.Query { return records.Where(records.Is("source", source)) }

// returnOf finds the return of a Session in an environment.
var returnOf = &records.Unique{Columns: []string{"env", "session"}, Taken: ErrReturned}

// ReturnKind is what a return is as a row: one for each session of the bank.
var ReturnKind = records.Define(records.Kind[ReturnID, Return]{
	Name: "returns",
	Columns: func(r *Return) []records.Column {
		return append([]records.Column{
			records.ID(&r.ID), records.Owner(&r.Scope), records.Version(&r.Version),
			records.Text("session", &r.Session),
			records.Amount("amount", &r.Amount, money.AssetNGN),
			records.Text("reason", &r.Reason),
			records.Word("state", &r.State, ReturnLifecycle.States()...),
			records.CreatedAt(&r.CreatedAt),
		}, disburse.Columns(&r.Progress, disburse.UnknownSession, disburse.TooMuch)...)
	},
	Scope:   func(r *Return) ferry.Scope { return r.Scope },
	Unique:  []*records.Unique{returnOf},
	Fixed:   []string{"session", "amount"},
	Missing: ErrReturnNotFound,
})
