package memstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments"
)

type paymentTables struct {
	payments     shelf[payments.ID, payments.Payment]
	receipts     shelf[payments.ReceiptID, payments.Receipt]
	transactions shelf[payments.TransactionID, payments.Transaction]
	returns      shelf[payments.ReturnID, payments.Return]
}

var paymentRows = shelving[payments.ID, payments.Payment]{
	id:      func(p payments.Payment) payments.ID { return p.ID },
	scope:   func(p payments.Payment) ferry.Scope { return p.Scope },
	created: func(p payments.Payment) time.Time { return p.CreatedAt },
	version: func(p *payments.Payment) *int64 { return &p.Version },
	names: func(p payments.Payment) []name {
		return []name{{orderName(p.Scope, p.Name()), payments.ErrDuplicateTrxID}}
	},
	lists: func(p payments.Payment) []string {
		lists := []string{paymentList(p.Scope, "", ""), paymentList(p.Scope, "", p.Status)}
		if p.Link != "" {
			lists = append(lists, paymentList(p.Scope, p.Link, ""), paymentList(p.Scope, p.Link, p.Status))
		}
		return lists
	},
	missing: payments.ErrNotFound,
	keep: func(stored payments.Payment, p *payments.Payment) {
		p.Reference, p.Public = stored.Reference, stored.Public
		p.Link, p.CreatedAt = stored.Link, stored.CreatedAt
	},
}

// orderName is under what a name of an order stands in the index of a scope.
func orderName(scope ferry.Scope, n payments.Name) string {
	kind := "trx"
	if n.Public {
		kind = "public"
	}
	return nameOf(scope, kind, n.TrxID)
}

// paymentList names the payments of a scope or a link, in every status or one.
func paymentList(scope ferry.Scope, link string, status payments.Status) string {
	return nameOf(scope, link, string(status))
}

var receiptRows = shelving[payments.ReceiptID, payments.Receipt]{
	id:      func(r payments.Receipt) payments.ReceiptID { return r.ID },
	scope:   func(r payments.Receipt) ferry.Scope { return r.Scope },
	created: func(r payments.Receipt) time.Time { return r.CreatedAt },
	version: func(r *payments.Receipt) *int64 { return &r.Version },
	missing: payments.ErrReceiptNotFound,
	keep: func(stored payments.Receipt, r *payments.Receipt) {
		r.Payment, r.CreatedAt = stored.Payment, stored.CreatedAt
	},
}

var paymentTransactionRows = shelving[payments.TransactionID, payments.Transaction]{
	id:      func(t payments.Transaction) payments.TransactionID { return t.ID },
	scope:   func(t payments.Transaction) ferry.Scope { return t.Scope },
	created: func(t payments.Transaction) time.Time { return t.CreatedAt },
	version: func(t *payments.Transaction) *int64 { return &t.Version },
	names: func(t payments.Transaction) []name {
		return []name{
			{orderName(t.Scope, t.Name()), payments.ErrDuplicateTrxID},
			{nameOf(t.Scope, "ref", t.Reference), payments.ErrDuplicateTrxID},
		}
	},
	lists: func(t payments.Transaction) []string {
		lists := []string{nameOf(t.Scope, "", "")}
		if t.Source != "" {
			lists = append(lists, nameOf(t.Scope, "", t.Source))
		}
		return lists
	},
	missing: payments.ErrTransactionNotFound,
	keep: func(stored payments.Transaction, t *payments.Transaction) {
		t.TrxID, t.Public, t.Reference = stored.TrxID, stored.Public, stored.Reference
		t.Source, t.CreatedAt = stored.Source, stored.CreatedAt
	},
}

var returnRows = shelving[payments.ReturnID, payments.Return]{
	id:      func(r payments.Return) payments.ReturnID { return r.ID },
	scope:   func(r payments.Return) ferry.Scope { return r.Scope },
	created: func(r payments.Return) time.Time { return r.CreatedAt },
	version: func(r *payments.Return) *int64 { return &r.Version },
	names: func(r payments.Return) []name {
		return []name{{string(r.Scope.Env) + "/" + r.Session, payments.ErrReturned}}
	},
	missing: payments.ErrReturnNotFound,
	keep: func(stored payments.Return, r *payments.Return) {
		r.Session, r.Amount, r.CreatedAt = stored.Session, stored.Amount, stored.CreatedAt
	},
}

type paymentStore struct{ *unit }

var _ payments.Store = paymentStore{}

// Payments returns the port of payments, their receipts and returns.
func (u *unit) Payments() payments.Store { return paymentStore{u} }

func (s paymentStore) shelves() *paymentTables { return &s.tables.payments }

func (s paymentStore) Insert(_ context.Context, p payments.Payment) error {
	return paymentRows.insert(s.unit, &s.shelves().payments, p)
}

func (s paymentStore) Payment(_ context.Context, scope ferry.Scope, id payments.ID) (payments.Payment, error) {
	return paymentRows.get(&s.shelves().payments, scope, id)
}

func (s paymentStore) ByName(_ context.Context, scope ferry.Scope, name payments.Name) (payments.Payment, error) {
	return paymentRows.find(&s.shelves().payments, orderName(scope, name))
}

func (s paymentStore) Update(_ context.Context, p payments.Payment) error {
	return paymentRows.update(s.unit, &s.shelves().payments, p)
}

func (s paymentStore) List(_ context.Context, scope ferry.Scope, f payments.Filter, page ferry.Page) (ferry.List[payments.Payment], error) {
	keep := f.Matches
	if f.OnlyListed() {
		keep = nil
	}
	return paymentRows.page(&s.shelves().payments, paymentList(scope, f.Link, f.Status), page, keep), nil
}

func (s paymentStore) PaidBy(_ context.Context, env ferry.Env, by payments.Method, after payments.ID, limit int) ([]payments.Payment, error) {
	paid := func(p payments.Payment) bool {
		return p.Scope.Env == env && p.Method == by && p.Status == payments.Success
	}
	return walk(&s.shelves().payments.rows, after, limit, paid), nil
}

func (s paymentStore) InsertReceipt(_ context.Context, r payments.Receipt) error {
	return receiptRows.insert(s.unit, &s.shelves().receipts, r)
}

func (s paymentStore) Receipt(_ context.Context, scope ferry.Scope, id payments.ReceiptID) (payments.Receipt, error) {
	return receiptRows.get(&s.shelves().receipts, scope, id)
}

func (s paymentStore) UpdateReceipt(_ context.Context, r payments.Receipt) error {
	return receiptRows.update(s.unit, &s.shelves().receipts, r)
}

func (s paymentStore) ReceiptsIn(_ context.Context, env ferry.Env, state payments.ReceiptState, after payments.ReceiptID, limit int) ([]payments.Receipt, error) {
	in := func(r payments.Receipt) bool { return r.Scope.Env == env && r.State == state }
	return walk(&s.shelves().receipts.rows, after, limit, in), nil
}

func (s paymentStore) InsertTransaction(_ context.Context, t payments.Transaction) error {
	return paymentTransactionRows.insert(s.unit, &s.shelves().transactions, t)
}

func (s paymentStore) Transaction(_ context.Context, scope ferry.Scope, id payments.TransactionID) (payments.Transaction, error) {
	return paymentTransactionRows.get(&s.shelves().transactions, scope, id)
}

func (s paymentStore) TransactionByTrxID(_ context.Context, scope ferry.Scope, name payments.Name) (payments.Transaction, error) {
	return paymentTransactionRows.find(&s.shelves().transactions, orderName(scope, name))
}

func (s paymentStore) TransactionByReference(_ context.Context, scope ferry.Scope, reference string) (payments.Transaction, error) {
	return paymentTransactionRows.find(&s.shelves().transactions, nameOf(scope, "ref", reference))
}

func (s paymentStore) UpdateTransaction(_ context.Context, t payments.Transaction) error {
	return paymentTransactionRows.update(s.unit, &s.shelves().transactions, t)
}

func (s paymentStore) Transactions(_ context.Context, scope ferry.Scope, f payments.TransactionFilter, page ferry.Page) (ferry.List[payments.Transaction], error) {
	keep := f.Matches
	if f.OnlyListed() {
		keep = nil
	}
	return paymentTransactionRows.page(&s.shelves().transactions, nameOf(scope, "", f.Source), page, keep), nil
}

func (s paymentStore) InsertReturn(_ context.Context, r payments.Return) error {
	return returnRows.insert(s.unit, &s.shelves().returns, r)
}

func (s paymentStore) Return(_ context.Context, scope ferry.Scope, id payments.ReturnID) (payments.Return, error) {
	return returnRows.get(&s.shelves().returns, scope, id)
}

func (s paymentStore) UpdateReturn(_ context.Context, r payments.Return) error {
	return returnRows.update(s.unit, &s.shelves().returns, r)
}

func (s paymentStore) Returns(_ context.Context, env ferry.Env, after payments.ReturnID, limit int) ([]payments.Return, error) {
	ofEnv := func(r payments.Return) bool { return r.Scope.Env == env }
	return walk(&s.shelves().returns.rows, after, limit, ofEnv), nil
}
