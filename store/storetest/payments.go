package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

func testPayments(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("payments", func(t *testing.T) { paymentRows.test(t, open) })
	t.Run("receipts", func(t *testing.T) { receiptRows.test(t, open) })
	t.Run("transactions", func(t *testing.T) { collectedRows.test(t, open) })
	t.Run("returns", func(t *testing.T) { returnRows.test(t, open) })
	t.Run("references", func(t *testing.T) { testPaymentReferences(t, open) })
	t.Run("lists", func(t *testing.T) { testPaymentLists(t, open) })
	t.Run("lists of transactions", func(t *testing.T) { testCollectedLists(t, open) })
	t.Run("search", func(t *testing.T) { searchedPayments.test(t, open) })
	t.Run("search of transactions", func(t *testing.T) { searchedTransactions.test(t, open) })
	t.Run("a session's money goes back once", func(t *testing.T) {
		b := open(t)
		write(t, b, returnRows.inserted(givenBack(home, 1)))
		again := givenBack(away, 2)
		again.Session = givenBack(home, 1).Session
		refuse(t, b, payments.ErrReturned, returnRows.inserted(again))
	})
	t.Run("returns, paid payments and receipts of an environment are listed by id", func(t *testing.T) { testPaymentWalks(t, open) })
}

// testPaymentWalks is what is listed over all businesses of an environment.
func testPaymentWalks(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n, scope := range []ferry.Scope{live, home, away, {Env: home.Env}, home, home} {
		paid, received := payment(scope, 6-n), receiptRows.row(scope, 6-n)
		paid.Status = payments.Success
		if n == 5 {
			paid.Method, received.State, received.Held = payments.Card, payments.Accepted, money.USDC(0)
		}
		write(t, b, returnRows.inserted(givenBack(scope, 6-n)))
		write(t, b, paymentRows.inserted(paid))
		received.Payment = paid.ID
		write(t, b, func(ctx context.Context, p store.Ports) error { return p.Payments().InsertReceipt(ctx, received) })
	}
	write(t, b, paymentRows.inserted(payment(home, 7))) // pending
	read := func(list func(ctx context.Context, s payments.Store) ([]string, error)) []string {
		return look(t, b, func(ctx context.Context, p store.Ports) ([]string, error) { return list(ctx, p.Payments()) })
	}
	for name, c := range map[string]struct {
		prefix string
		list   func(after string, limit int) []string
		only   []int // those that the list keeps
	}{
		"returns": {"ret_", func(after string, limit int) []string {
			return read(func(ctx context.Context, s payments.Store) ([]string, error) {
				found, err := s.Returns(ctx, home.Env, payments.ReturnID(after), limit)
				return idsOf(found, func(r payments.Return) string { return string(r.ID) }), err
			})
		}, []int{1, 2, 3, 4, 5}},
		"paid by one means": {payments.Prefix, func(after string, limit int) []string {
			return read(func(ctx context.Context, s payments.Store) ([]string, error) {
				found, err := s.PaidBy(ctx, home.Env, payments.BankTransfer, payments.ID(after), limit)
				return idsOf(found, func(p payments.Payment) string { return string(p.ID) }), err
			})
		}, []int{2, 3, 4, 5}},
		"receipts in one state": {"rcpt_", func(after string, limit int) []string {
			return read(func(ctx context.Context, s payments.Store) ([]string, error) {
				found, err := s.ReceiptsIn(ctx, home.Env, payments.Held, payments.ReceiptID(after), limit)
				return idsOf(found, func(r payments.Receipt) string { return string(r.ID) }), err
			})
		}, []int{2, 3, 4, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			want := idsOf(c.only, func(n int) string { return idOf(c.prefix, n) })
			require.Equal(t, want[:3], c.list("", 3))
			require.Equal(t, want[3:], c.list(want[2], 3))
			require.Empty(t, c.list(want[len(want)-1], 3))
		})
	}
}

// payment is the n-th payment of a scope, with no field empty.
func payment(scope ferry.Scope, n int) payments.Payment {
	return payments.Payment{
		ID: payments.ID(idOf(payments.Prefix, n)), Scope: scope, Reference: fmt.Sprintf("order-%d", n),
		Status: payments.Pending, Channel: payments.Link, Method: payments.BankTransfer,
		Amount: money.NGN(5000_00), Fees: payments.Fees{Platform: money.NGN(50_00), Processing: money.NGN(10)},
		Customer:  payments.Customer{ID: "cus_1", Email: "ada@example.com", Phone: "08012345678", Name: "Ada"},
		Collected: map[string]string{"Address": "12 Marina Road"},
		Metadata:  ferry.Metadata{"cart": json.Number("12.50")},
		Link:      "plink_1", Session: "sess_1",
		Expected: money.USDC(3_333_334), Received: money.USDC(1), Settled: money.USDC(0),
		Exceptions: []payments.Exception{payments.Underpaid, payments.Late},
		Receipts:   []payments.ReceiptID{"rcpt_1", "rcpt_2"}, Failure: "why",
		PendingUntil: after(n + 1), PaidAt: after(n + 2), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var paymentRows = owned[payments.Payment]{
	row: payment,
	insert: func(ctx context.Context, p store.Ports, row payments.Payment) error {
		return p.Payments().Insert(ctx, row)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row payments.Payment) (payments.Payment, error) {
		return p.Payments().Payment(ctx, scope, row.ID)
	},
	update: func(ctx context.Context, p store.Ports, row payments.Payment) error {
		return p.Payments().Update(ctx, row)
	},
	version: func(p *payments.Payment) *int64 { return &p.Version },
	change:  func(p *payments.Payment) { p.Status, p.Exceptions, p.Received = payments.Failed, nil, money.NGN(7) },
	missing: payments.ErrNotFound,
	fixed:   []string{"Reference", "Public", "Link", "CreatedAt"},
}

var searchedPayments = searched[payments.Payment]{
	owned: paymentRows, id: func(p payments.Payment) string { return string(p.ID) },
	places: map[string]func(*payments.Payment, string){
		"reference":     func(p *payments.Payment, is string) { p.Reference = is },
		"payer's email": func(p *payments.Payment, is string) { p.Customer.Email = is },
		"payer's name":  func(p *payments.Payment, is string) { p.Customer.Name = is },
	},
	put: func(p *payments.Payment, is string) { p.Customer.Name = is },
	list: func(ctx context.Context, p store.Ports, scope ferry.Scope, search string, page ferry.Page) (ferry.List[payments.Payment], error) {
		return p.Payments().List(ctx, scope, payments.Filter{Search: search}, page)
	},
}

var receiptRows = owned[payments.Receipt]{
	row: func(scope ferry.Scope, n int) payments.Receipt {
		return payments.Receipt{
			ID: payments.ReceiptID(idOf("rcpt_", n)), Scope: scope, Payment: payment(home, 1).ID, Method: payments.USDC,
			Amount: money.USDC(20), Source: "signature", Address: "addr_1", Holder: scope.Business,
			Sender: payments.Sender{BankCode: "058", AccountNumber: "0123456789", AccountName: "Bola", Address: "So1"},
			Held:   money.USDC(5), Decided: money.USDC(1), Price: "1499.5", State: payments.Held, Late: true, Outcome: "trx_1", CreatedAt: after(n), UpdatedAt: after(n),
		}
	},
	insert: func(ctx context.Context, p store.Ports, row payments.Receipt) error {
		if _, err := p.Payments().Payment(ctx, home, row.Payment); err != nil {
			if err := p.Payments().Insert(ctx, payment(home, 1)); err != nil {
				return err
			}
		}
		return p.Payments().InsertReceipt(ctx, row)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row payments.Receipt) (payments.Receipt, error) {
		return p.Payments().Receipt(ctx, scope, row.ID)
	},
	update: func(ctx context.Context, p store.Ports, row payments.Receipt) error {
		return p.Payments().UpdateReceipt(ctx, row)
	},
	version: func(r *payments.Receipt) *int64 { return &r.Version },
	change: func(r *payments.Receipt) {
		r.State, r.Held, r.Decided = payments.Accepted, money.USDC(0), money.USDC(5)
	},
	missing: payments.ErrReceiptNotFound,
	fixed:   []string{"Payment", "CreatedAt"},
}

// collected is the n-th transaction of a scope, with no field empty.
func collected(scope ferry.Scope, n int) payments.Transaction {
	return payments.Transaction{
		ID: payments.TransactionID(idOf("trx_", n)), Scope: scope,
		TrxID: fmt.Sprintf("order-%d", n), Reference: fmt.Sprintf("pay-%d", n),
		Direction: payments.In, Channel: "checkout", Status: payments.TransactionSuccess,
		Amount: money.NGN(100), Fee: money.NGN(1), Order: money.USDC(7), Source: "vacc_1",
		Sender:    payments.Sender{BankCode: "058", AccountNumber: "0123456789", AccountName: "Bola", Address: "So1"},
		CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var collectedRows = owned[payments.Transaction]{
	row: collected,
	insert: func(ctx context.Context, p store.Ports, row payments.Transaction) error {
		return p.Payments().InsertTransaction(ctx, row)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row payments.Transaction) (payments.Transaction, error) {
		return p.Payments().Transaction(ctx, scope, row.ID)
	},
	update: func(ctx context.Context, p store.Ports, row payments.Transaction) error {
		return p.Payments().UpdateTransaction(ctx, row)
	},
	version: func(t *payments.Transaction) *int64 { return &t.Version },
	change:  func(t *payments.Transaction) { t.Status, t.Direction = payments.TransactionReversed, payments.Out },
	missing: payments.ErrTransactionNotFound,
	fixed:   []string{"TrxID", "Public", "Reference", "Source", "CreatedAt"},
}

var searchedTransactions = searched[payments.Transaction]{
	owned: collectedRows, id: func(t payments.Transaction) string { return string(t.ID) },
	places: map[string]func(*payments.Transaction, string){
		"trx_id":           func(t *payments.Transaction, is string) { t.TrxID = is },
		"reference":        func(t *payments.Transaction, is string) { t.Reference = is },
		"sender's account": func(t *payments.Transaction, is string) { t.Sender.AccountNumber = is },
		"sender's name":    func(t *payments.Transaction, is string) { t.Sender.AccountName = is },
	},
	put: func(t *payments.Transaction, is string) { t.Sender.AccountName = is },
	list: func(ctx context.Context, p store.Ports, scope ferry.Scope, search string, page ferry.Page) (ferry.List[payments.Transaction], error) {
		return p.Payments().Transactions(ctx, scope, payments.TransactionFilter{Search: search}, page)
	},
}

// givenBack is the n-th return of a scope.
func givenBack(scope ferry.Scope, n int) payments.Return {
	return payments.Return{
		ID: payments.ReturnID(idOf("ret_", n)), Scope: scope, Session: fmt.Sprintf("session-%d", n), Amount: money.NGN(100),
		Reason: "underpaid", State: payments.ReturnPending, Answer: payments.AnswerTooMuch, Attempts: 3, CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var returnRows = owned[payments.Return]{
	row: givenBack,
	insert: func(ctx context.Context, p store.Ports, row payments.Return) error {
		return p.Payments().InsertReturn(ctx, row)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row payments.Return) (payments.Return, error) {
		return p.Payments().Return(ctx, scope, row.ID)
	},
	update: func(ctx context.Context, p store.Ports, row payments.Return) error {
		return p.Payments().UpdateReturn(ctx, row)
	},
	version: func(r *payments.Return) *int64 { return &r.Version },
	change: func(r *payments.Return) {
		r.State, r.Answer, r.Attempts = payments.ReturnAccepted, payments.AnswerUnknownSession, 4
	},
	missing: payments.ErrReturnNotFound,
	fixed:   []string{"Session", "Amount", "CreatedAt"},
}

func testPaymentReferences(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a payment is found by its reference in its scope", func(t *testing.T) {
		b := open(t)
		write(t, b, paymentRows.inserted(payment(home, 1)))
		elsewhere := payment(away, 2)
		elsewhere.Reference = "order-1"
		write(t, b, paymentRows.inserted(elsewhere))
		found := look(t, b, func(ctx context.Context, p store.Ports) (payments.Payment, error) {
			return p.Payments().ByName(ctx, away, payments.Name{TrxID: "order-1"})
		})
		require.Equal(t, elsewhere.ID, found.ID)
		missing(t, b, payments.ErrNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := p.Payments().ByName(ctx, home, payments.Name{TrxID: "order-2"})
			return err
		})
	})
	t.Run("a reference is taken once in a scope", func(t *testing.T) {
		b := open(t)
		write(t, b, paymentRows.inserted(payment(home, 1)))
		again := payment(home, 2)
		again.Reference = "order-1"
		refuse(t, b, payments.ErrDuplicateTrxID, paymentRows.inserted(again))
	})
	t.Run("a name that came with a public key and one of the shop's are two", func(t *testing.T) {
		b := open(t)
		own, public := payment(home, 1), payment(home, 2)
		public.Reference, public.Public = own.Reference, true
		write(t, b, paymentRows.inserted(own))
		write(t, b, paymentRows.inserted(public))
		line, stranger := collected(home, 3), collected(home, 4)
		line.TrxID, stranger.TrxID, stranger.Public = own.Reference, own.Reference, true
		write(t, b, collectedRows.inserted(line))
		write(t, b, collectedRows.inserted(stranger))
		for name, want := range map[payments.Name][2]string{
			own.Name(): {string(own.ID), string(line.ID)}, public.Name(): {string(public.ID), string(stranger.ID)},
		} {
			require.Equal(t, want, look(t, b, func(ctx context.Context, p store.Ports) (found [2]string, err error) {
				paid, err := p.Payments().ByName(ctx, home, name)
				if err != nil {
					return found, err
				}
				moved, err := p.Payments().TransactionByTrxID(ctx, home, name)
				return [2]string{string(paid.ID), string(moved.ID)}, err
			}))
		}
		again := payment(home, 5)
		again.Reference, again.Public = own.Reference, true
		refuse(t, b, payments.ErrDuplicateTrxID, paymentRows.inserted(again))
	})
	t.Run("of those who take one reference at once, one has it", func(t *testing.T) {
		b := open(t)
		won := 0
		for _, err := range race(8, func(i int) error {
			row := payment(home, i+1)
			row.Reference = "order"
			return b.Write(t.Context(), paymentRows.inserted(row))
		}) {
			if err == nil {
				won++
			} else {
				require.ErrorIs(t, err, payments.ErrDuplicateTrxID)
			}
		}
		require.Equal(t, 1, won)
	})
	t.Run("a transaction is found by each of its names, which are taken once", func(t *testing.T) {
		b := open(t)
		write(t, b, collectedRows.inserted(collected(home, 1)))
		for _, find := range []func(context.Context, store.Ports) (payments.Transaction, error){
			func(ctx context.Context, p store.Ports) (payments.Transaction, error) {
				return p.Payments().TransactionByTrxID(ctx, home, payments.Name{TrxID: "order-1"})
			},
			func(ctx context.Context, p store.Ports) (payments.Transaction, error) {
				return p.Payments().TransactionByReference(ctx, home, "pay-1")
			},
		} {
			require.Equal(t, collected(home, 1).ID, look(t, b, find).ID)
		}
		again := collected(home, 2)
		again.Reference = "pay-1"
		refuse(t, b, payments.ErrDuplicateTrxID, collectedRows.inserted(again))
		write(t, b, collectedRows.inserted(collected(away, 3)))
	})
}

func testPaymentLists(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n := 1; n <= 6; n++ {
		row := payment(home, n)
		if n%2 == 0 {
			row.Link, row.Status = "", payments.Success
		}
		if n == 5 {
			row.Customer.Email, row.Amount = "bola@example.com", money.USDC(5)
		}
		write(t, b, paymentRows.inserted(row))
	}
	write(t, b, paymentRows.inserted(payment(away, 7)))
	list := func(f payments.Filter, page ferry.Page) []string {
		found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[payments.Payment], error) {
			return p.Payments().List(ctx, home, f, page)
		})
		refs := []string{fmt.Sprint(found.Total)}
		for _, row := range found.Data {
			refs = append(refs, row.Reference[len("order-"):])
		}
		return refs
	}
	for name, c := range map[string]struct {
		filter payments.Filter
		page   ferry.Page
		want   []string
	}{
		"all, newest first":       {want: []string{"6", "6", "5", "4", "3", "2", "1"}},
		"a page":                  {page: ferry.Page{Number: 2, Limit: 2}, want: []string{"6", "4", "3"}},
		"after a row":             {page: ferry.Page{Before: string(payment(home, 3).ID)}, want: []string{"0", "2", "1"}},
		"of a status":             {filter: payments.Filter{Status: payments.Success}, want: []string{"3", "6", "4", "2"}},
		"of a link":               {filter: payments.Filter{Link: "plink_1"}, want: []string{"3", "5", "3", "1"}},
		"of a link and a status":  {filter: payments.Filter{Link: "plink_1", Status: payments.Success}, want: []string{"0"}},
		"of a payer":              {filter: payments.Filter{Email: "bola@example.com"}, want: []string{"1", "5"}},
		"priced in USDC":          {filter: payments.Filter{Asset: money.AssetUSDC}, want: []string{"1", "5"}},
		"of a part of a name":     {filter: payments.Filter{Search: "bola"}, want: []string{"1", "5"}},
		"of a part of an id":      {filter: payments.Filter{Search: string(payment(home, 3).ID)[len(payments.Prefix):]}, want: []string{"1", "3"}},
		"of a part and a status":  {filter: payments.Filter{Search: "order", Status: payments.Success}, want: []string{"3", "6", "4", "2"}},
		"of a range":              {filter: payments.Filter{Range: ferry.Range{From: after(2), To: after(3)}}, want: []string{"2", "3", "2"}},
		"of a link, within range": {filter: payments.Filter{Link: "plink_1", Range: ferry.Range{From: after(2)}}, want: []string{"2", "5", "3"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, list(c.filter, c.page)) })
	}
	t.Run("a payment that moves on changes its list", func(t *testing.T) {
		row := paymentRows.stored(payment(home, 1), 1)
		row.Status = payments.Success
		write(t, b, paymentRows.updated(row))
		require.Equal(t, []string{"4", "6", "4", "2", "1"}, list(payments.Filter{Status: payments.Success}, ferry.Page{}))
		require.Equal(t, []string{"1", "1"}, list(payments.Filter{Link: "plink_1", Status: payments.Success}, ferry.Page{}))
	})
}

func testCollectedLists(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n := 1; n <= 4; n++ {
		row := collected(home, n)
		if n%2 == 0 {
			row.Source, row.Direction, row.Amount = "", payments.Out, money.USDC(1)
		}
		write(t, b, collectedRows.inserted(row))
	}
	write(t, b, collectedRows.inserted(collected(away, 5)))
	for name, c := range map[string]struct {
		filter payments.TransactionFilter
		want   []string
	}{
		"all":                       {want: []string{"order-4", "order-3", "order-2", "order-1"}},
		"of a source":               {filter: payments.TransactionFilter{Source: "vacc_1"}, want: []string{"order-3", "order-1"}},
		"out":                       {filter: payments.TransactionFilter{Direction: payments.Out}, want: []string{"order-4", "order-2"}},
		"in USDC":                   {filter: payments.TransactionFilter{Asset: money.AssetUSDC}, want: []string{"order-4", "order-2"}},
		"by channel":                {filter: payments.TransactionFilter{Channel: "other"}, want: []string{}},
		"of a part and a direction": {filter: payments.TransactionFilter{Search: "pay-", Direction: payments.Out}, want: []string{"order-4", "order-2"}},
		"of a range":                {filter: payments.TransactionFilter{Range: ferry.Range{To: after(1)}}, want: []string{"order-1"}},
		"of a status":               {filter: payments.TransactionFilter{Status: payments.TransactionReversed}, want: []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[payments.Transaction], error) {
				return p.Payments().Transactions(ctx, home, c.filter, ferry.Page{})
			})
			refs := []string{}
			for _, row := range found.Data {
				refs = append(refs, row.TrxID)
			}
			require.Equal(t, c.want, refs)
			require.Equal(t, len(c.want), found.Total)
		})
	}
}
