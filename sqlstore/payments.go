package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

const paymentRows = "payments"

// paymentByName is the unique index of payments by the name of the order.
const paymentByName = 0

// anySum stores an amount of any asset in two columns: minor units, and the code of
// the asset, which is empty for no money of no asset.
func anySum(column string, a *money.Amount) []field {
	box := &sumField{a: a}
	return []field{col(column+"_asset", sumAsset{box}), col(column, sumMinor{box})}
}

var paymentTable = define(table[payments.Payment]{
	name: paymentRows,
	key:  []string{"id"},
	fields: func(p *payments.Payment) []field {
		fields := []field{
			col("id", &p.ID),
			col("env", &p.Scope.Env),
			col("business", &p.Scope.Business),
			col("reference", orderName{&p.Reference, &p.Public}),
			col("status", &p.Status),
			col("channel", &p.Channel),
			col("method", &p.Method),
			col("customer", &p.Customer.ID),
			col("email", &p.Customer.Email),
			col("phone", &p.Customer.Phone),
			col("payer", &p.Customer.Name),
			col("collected", document(&p.Collected)),
			col("metadata", document(&p.Metadata)),
			col("link", optional(&p.Link)),
			col("session", &p.Session),
			col("exceptions", document(&p.Exceptions)),
			col("receipts", document(&p.Receipts)),
			col("failure", &p.Failure),
			col("pending_until", instant(&p.PendingUntil)),
			col("paid_at", instant(&p.PaidAt)),
			col("created_at", instant(&p.CreatedAt)),
			col("updated_at", instant(&p.UpdatedAt)),
			col("search", folded(p)),
		}
		fields = append(fields, anySum("amount", &p.Amount)...)
		fields = append(fields, anySum("platform_fee", &p.Fees.Platform)...)
		fields = append(fields, anySum("processing_fee", &p.Fees.Processing)...)
		fields = append(fields, anySum("expected", &p.Expected)...)
		fields = append(fields, anySum("received", &p.Received)...)
		return append(fields, anySum("settled", &p.Settled)...)
	},
	version: func(p *payments.Payment) *int64 { return &p.Version },
	scope:   func(p payments.Payment) ferry.Scope { return p.Scope },
	unique: []unique[payments.Payment]{
		paymentByName: {columns: []string{"env", "business", "reference"}, taken: payments.ErrDuplicateTrxID},
	},
	lists: func(p payments.Payment) []string {
		lists := []string{listName(paymentRows, p.Scope, ""), listName(paymentRows, p.Scope, "", string(p.Status))}
		if p.Link != "" {
			lists = append(lists, listName(paymentRows, p.Scope, p.Link), listName(paymentRows, p.Scope, p.Link, string(p.Status)))
		}
		return lists
	},
	missing: payments.ErrNotFound,
	keep: func(stored payments.Payment, p *payments.Payment) {
		p.Reference, p.Public = stored.Reference, stored.Public
		p.Link, p.CreatedAt = stored.Link, stored.CreatedAt
	},
})

var receiptTable = define(table[payments.Receipt]{
	name: "receipts",
	key:  []string{"id"},
	fields: func(r *payments.Receipt) []field {
		fields := []field{
			col("id", &r.ID),
			col("env", &r.Scope.Env),
			col("business", &r.Scope.Business),
			col("payment", &r.Payment),
			col("method", &r.Method),
			col("source", &r.Source),
			col("sender_bank", &r.Sender.BankCode),
			col("sender_account", &r.Sender.AccountNumber),
			col("sender_name", &r.Sender.AccountName),
			col("sender_address", &r.Sender.Address),
			col("address", &r.Address),
			col("holder", &r.Holder),
			col("state", &r.State),
			col("late", &r.Late),
			col("price", &r.Price),
			col("outcome", &r.Outcome),
			col("created_at", instant(&r.CreatedAt)),
			col("updated_at", instant(&r.UpdatedAt)),
		}
		fields = append(append(fields, anySum("amount", &r.Amount)...), anySum("held", &r.Held)...)
		return append(fields, anySum("decided", &r.Decided)...)
	},
	version: func(r *payments.Receipt) *int64 { return &r.Version },
	scope:   func(r payments.Receipt) ferry.Scope { return r.Scope },
	missing: payments.ErrReceiptNotFound,
	keep: func(stored payments.Receipt, r *payments.Receipt) {
		r.Payment, r.CreatedAt = stored.Payment, stored.CreatedAt
	},
})

const collectedRows = "transactions"

// The unique indexes of transactions.
const (
	collectedByTrxID = iota
	collectedByReference
)

var collectedTable = define(table[payments.Transaction]{
	name: collectedRows,
	key:  []string{"id"},
	fields: func(t *payments.Transaction) []field {
		fields := []field{
			col("id", &t.ID),
			col("env", &t.Scope.Env),
			col("business", &t.Scope.Business),
			col("trx_id", orderName{&t.TrxID, &t.Public}),
			col("reference", &t.Reference),
			col("direction", &t.Direction),
			col("channel", &t.Channel),
			col("status", &t.Status),
			col("source", optional(&t.Source)),
			col("sender_bank", &t.Sender.BankCode),
			col("sender_account", &t.Sender.AccountNumber),
			col("sender_name", &t.Sender.AccountName),
			col("sender_address", &t.Sender.Address),
			col("created_at", instant(&t.CreatedAt)),
			col("updated_at", instant(&t.UpdatedAt)),
			col("search", folded(t)),
		}
		fields = append(append(fields, anySum("amount", &t.Amount)...), anySum("fee", &t.Fee)...)
		return append(fields, anySum("price", &t.Order)...)
	},
	version: func(t *payments.Transaction) *int64 { return &t.Version },
	scope:   func(t payments.Transaction) ferry.Scope { return t.Scope },
	unique: []unique[payments.Transaction]{
		collectedByTrxID:     {columns: []string{"env", "business", "trx_id"}, taken: payments.ErrDuplicateTrxID},
		collectedByReference: {columns: []string{"env", "business", "reference"}, taken: payments.ErrDuplicateTrxID},
	},
	lists: func(t payments.Transaction) []string {
		lists := []string{listName(collectedRows, t.Scope, "")}
		if t.Source != "" {
			lists = append(lists, listName(collectedRows, t.Scope, t.Source))
		}
		return lists
	},
	missing: payments.ErrTransactionNotFound,
	keep: func(stored payments.Transaction, t *payments.Transaction) {
		t.TrxID, t.Public, t.Reference = stored.TrxID, stored.Public, stored.Reference
		t.Source, t.CreatedAt = stored.Source, stored.CreatedAt
	},
})

var returnTable = define(table[payments.Return]{
	name: "returns",
	key:  []string{"id"},
	fields: func(r *payments.Return) []field {
		naira := money.AssetNGN
		return []field{
			col("id", &r.ID),
			col("env", &r.Scope.Env),
			col("business", &r.Scope.Business),
			col("session", &r.Session),
			col("amount", amount(&r.Amount, &naira)),
			col("reason", &r.Reason),
			col("state", &r.State),
			col("answer", &r.Answer),
			col("attempts", &r.Attempts),
			col("created_at", instant(&r.CreatedAt)),
			col("updated_at", instant(&r.UpdatedAt)),
		}
	},
	version: func(r *payments.Return) *int64 { return &r.Version },
	scope:   func(r payments.Return) ferry.Scope { return r.Scope },
	unique:  []unique[payments.Return]{{columns: []string{"env", "session"}, taken: payments.ErrReturned}},
	missing: payments.ErrReturnNotFound,
	keep: func(stored payments.Return, r *payments.Return) {
		r.Session, r.Amount, r.CreatedAt = stored.Session, stored.Amount, stored.CreatedAt
	},
})

type paymentStore struct{ *unit }

var _ payments.Store = paymentStore{}

// Payments returns the port of payments, their receipts and returns.
func (u *unit) Payments() payments.Store { return paymentStore{u} }

func (s paymentStore) Insert(_ context.Context, p payments.Payment) error {
	return paymentTable.insert(s.unit, p)
}

func (s paymentStore) Payment(ctx context.Context, scope ferry.Scope, id payments.ID) (payments.Payment, error) {
	return paymentTable.owned(ctx, s.unit, scope, id)
}

func (s paymentStore) ByName(ctx context.Context, scope ferry.Scope, name payments.Name) (payments.Payment, error) {
	return paymentTable.find(ctx, s.unit, paymentByName, scope.Env, scope.Business, storedName(name))
}

func (s paymentStore) Update(ctx context.Context, p payments.Payment) error {
	return paymentTable.update(ctx, s.unit, p)
}

func (s paymentStore) List(ctx context.Context, scope ferry.Scope, f payments.Filter, page ferry.Page) (ferry.List[payments.Payment], error) {
	rows := inScope(scope).equal("link", f.Link).equal("status", string(f.Status)).equal("email", f.Email).
		equal("channel", string(f.Channel)).searching(f.Search, shownName("reference"), "id", "email", "payer")
	if f.Asset != 0 {
		rows.equal("amount_asset", f.Asset.String())
	}
	switch {
	case !f.OnlyListed():
		rows.within(f.Range)
	case f.Status == "":
		rows.counted(listName(paymentRows, scope, f.Link))
	default:
		rows.counted(listName(paymentRows, scope, f.Link, string(f.Status)))
	}
	return paymentTable.page(ctx, s.unit, rows, page)
}

func (s paymentStore) PaidBy(ctx context.Context, env ferry.Env, by payments.Method, after payments.ID, limit int) ([]payments.Payment, error) {
	return paymentTable.read(ctx, s.unit, "env = ? AND method = ? AND status = 'success' AND id > ? ORDER BY id LIMIT ?", []any{env, by, after, limit})
}

func (s paymentStore) InsertReceipt(_ context.Context, r payments.Receipt) error {
	return receiptTable.insert(s.unit, r)
}

func (s paymentStore) Receipt(ctx context.Context, scope ferry.Scope, id payments.ReceiptID) (payments.Receipt, error) {
	return receiptTable.owned(ctx, s.unit, scope, id)
}

func (s paymentStore) UpdateReceipt(ctx context.Context, r payments.Receipt) error {
	return receiptTable.update(ctx, s.unit, r)
}

func (s paymentStore) ReceiptsIn(ctx context.Context, env ferry.Env, state payments.ReceiptState, after payments.ReceiptID, limit int) ([]payments.Receipt, error) {
	return receiptTable.read(ctx, s.unit, "env = ? AND state = ? AND id > ? ORDER BY id LIMIT ?", []any{env, state, after, limit})
}

func (s paymentStore) InsertTransaction(_ context.Context, t payments.Transaction) error {
	return collectedTable.insert(s.unit, t)
}

func (s paymentStore) Transaction(ctx context.Context, scope ferry.Scope, id payments.TransactionID) (payments.Transaction, error) {
	return collectedTable.owned(ctx, s.unit, scope, id)
}

func (s paymentStore) TransactionByTrxID(ctx context.Context, scope ferry.Scope, name payments.Name) (payments.Transaction, error) {
	return collectedTable.find(ctx, s.unit, collectedByTrxID, scope.Env, scope.Business, storedName(name))
}

func (s paymentStore) TransactionByReference(ctx context.Context, scope ferry.Scope, reference string) (payments.Transaction, error) {
	return collectedTable.find(ctx, s.unit, collectedByReference, scope.Env, scope.Business, reference)
}

func (s paymentStore) UpdateTransaction(ctx context.Context, t payments.Transaction) error {
	return collectedTable.update(ctx, s.unit, t)
}

func (s paymentStore) Transactions(ctx context.Context, scope ferry.Scope, f payments.TransactionFilter, page ferry.Page) (ferry.List[payments.Transaction], error) {
	rows := inScope(scope).equal("source", f.Source).equal("direction", string(f.Direction)).
		equal("status", string(f.Status)).equal("channel", f.Channel).
		searching(f.Search, shownName("trx_id"), "reference", "sender_account", "sender_name")
	if f.Asset != 0 {
		rows.equal("amount_asset", f.Asset.String())
	}
	if f.OnlyListed() {
		rows.counted(listName(collectedRows, scope, f.Source))
	} else {
		rows.within(f.Range)
	}
	return collectedTable.page(ctx, s.unit, rows, page)
}

func (s paymentStore) InsertReturn(_ context.Context, r payments.Return) error {
	return returnTable.insert(s.unit, r)
}

func (s paymentStore) Return(ctx context.Context, scope ferry.Scope, id payments.ReturnID) (payments.Return, error) {
	return returnTable.owned(ctx, s.unit, scope, id)
}

func (s paymentStore) UpdateReturn(ctx context.Context, r payments.Return) error {
	return returnTable.update(ctx, s.unit, r)
}

func (s paymentStore) Returns(ctx context.Context, env ferry.Env, after payments.ReturnID, limit int) ([]payments.Return, error) {
	return returnTable.read(ctx, s.unit, "env = ? AND id > ? ORDER BY id LIMIT ?", []any{env, after, limit})
}
