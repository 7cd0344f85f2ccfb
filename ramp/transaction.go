package ramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// TransactionID is the id of the order that a transaction tells of.
type TransactionID string

// Transaction is an order of either side, as the list of both sides has it. The package of its
// side writes it in the units that make and move the order.
type Transaction struct {
	ID    TransactionID
	Scope ferry.Scope
	Side  Side
	// Reference is the business's own name of the order.
	Reference string
	Visit
	Status Status
	Stage  Stage
	// Fiat is in naira, and Crypto in USDC, as the quote of the order has them.
	Fiat, Crypto         money.Amount
	CreatedAt, UpdatedAt time.Time
	Version              int64
}

// Visit is where a visitor of a widget made an order. The zero value is an order of the business
// itself.
type Visit struct {
	// Widget is the id of the widget, and Session that of the first session of the visit.
	Widget, Session string
}

// ByReference finds a transaction by Scope, Side and Reference.
var ByReference = &records.Unique{Columns: []string{"env", "business", "side", "reference"}, Taken: ErrDuplicateReference}

// TransactionKind is what a transaction is as a row.
var TransactionKind = records.Define(records.Kind[TransactionID, Transaction]{
	Name: "ramp_transactions",
	Columns: func(t *Transaction) []records.Column {
		return []records.Column{
			records.ID(&t.ID), records.Owner(&t.Scope), records.Version(&t.Version),
			records.Word("side", &t.Side, Onramp, Offramp),
			records.Text("reference", &t.Reference),
			records.Text("widget", &t.Widget),
			records.Text("session", &t.Session),
			records.Word("status", &t.Status, Pending, Processing, Successful, Failed),
			records.Text("stage", &t.Stage),
			records.Amount("fiat", &t.Fiat, money.AssetNGN),
			records.Amount("crypto", &t.Crypto, money.AssetUSDC),
			records.CreatedAt(&t.CreatedAt), records.Time("updated_at", &t.UpdatedAt),
		}
	},
	Scope:   func(t *Transaction) ferry.Scope { return t.Scope },
	Unique:  []*records.Unique{ByReference},
	Fixed:   []string{"side", "reference", "widget", "session", "fiat", "crypto"},
	Lists:   [][]string{{}, {"side"}, {"status"}, {"side", "status"}, {"widget"}, {"widget", "side", "status"}},
	Search:  []string{"reference"},
	Missing: ErrNotFound,
})

// VolumeID names a volume within a scope: the id of a widget, and the side.
type VolumeID string

// Volume is what the successful orders of a widget exchanged on one side.
type Volume struct {
	ID           VolumeID
	Scope        ferry.Scope
	Fiat, Crypto money.Amount
	Version      int64
}

// VolumeKind is what a volume is as a row.
var VolumeKind = records.Define(records.Kind[VolumeID, Volume]{
	Name: "ramp_volumes",
	Columns: func(v *Volume) []records.Column {
		return []records.Column{
			records.Owner(&v.Scope), records.ID(&v.ID), records.Version(&v.Version),
			records.Amount("fiat", &v.Fiat, money.AssetNGN), records.Amount("crypto", &v.Crypto, money.AssetUSDC),
		}
	},
	Key:   []string{"env", "business", "id"},
	Scope: func(v *Volume) ferry.Scope { return v.Scope },
})

// RecordIn keeps the transaction of a new order, within the unit that makes it.
func RecordIn(ctx context.Context, tx Tx, t Transaction) error {
	t.CreatedAt, t.UpdatedAt = tx.Now(), tx.Now()
	return TransactionKind.Insert(ctx, tx, t)
}

// MoveIn moves a transaction with its order, within the unit that moves the order.
func MoveIn(ctx context.Context, tx Tx, scope ferry.Scope, id TransactionID, status Status, stage Stage) error {
	t, err := TransactionKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if status == Successful && t.Status != Successful && t.Widget != "" {
		if err := t.addIn(ctx, tx); err != nil {
			return err
		}
	}
	t.Status, t.Stage, t.UpdatedAt = status, stage, tx.Now()
	return TransactionKind.Update(ctx, tx, t)
}

// addIn counts a successful order of a widget.
func (t Transaction) addIn(ctx context.Context, tx Tx) error {
	v, err := volumeOf(ctx, tx, t.Scope, t.Widget, t.Side)
	if err != nil {
		return err
	}
	if v.Fiat, err = v.Fiat.Add(t.Fiat); err != nil {
		return err
	}
	if v.Crypto, err = v.Crypto.Add(t.Crypto); err != nil {
		return err
	}
	return VolumeKind.Put(ctx, tx, v)
}

// volumeOf returns what the successful orders of a widget exchanged on a side.
func volumeOf(ctx context.Context, tx Tx, scope ferry.Scope, widget string, side Side) (Volume, error) {
	return VolumeKind.GetOr(ctx, tx, Volume{ID: volumeID(widget, side), Scope: scope, Fiat: money.NGN(0), Crypto: money.USDC(0)})
}

func volumeID(widget string, side Side) VolumeID { return VolumeID(widget + "/" + string(side)) }

// Figures are how many orders of a widget stand where, on one side.
type Figures struct {
	// Orders is how many there are by status.
	Orders map[Status]int
	// Fiat and Crypto are what the successful ones exchanged.
	Fiat, Crypto money.Amount
}

// counted are the statuses by which Figures counts orders.
var counted = []Status{Pending, Processing, Successful, Failed}

// firstOrder is a page whose total is what Figures counts.
var firstOrder = ferry.Page{Limit: 1}

func ordersOf(widget string, side Side, status Status) records.Query {
	return records.Where(records.Is("widget", widget), records.Is("side", side), records.Is("status", status))
}

// PrefetchFigures says that the unit will call FiguresIn.
func PrefetchFigures(tx Tx, scope ferry.Scope, widget string, side Side) {
	VolumeKind.Prefetch(tx, scope, volumeID(widget, side))
	for _, status := range counted {
		tx.Records().PrefetchPage(TransactionKind.RowsOn(scope, ordersOf(widget, side, status), firstOrder))
	}
}

// FiguresIn returns the figures of a widget on one side.
func FiguresIn(ctx context.Context, tx Tx, scope ferry.Scope, widget string, side Side) (Figures, error) {
	v, err := volumeOf(ctx, tx, scope, widget, side)
	if err != nil {
		return Figures{}, err
	}
	f := Figures{map[Status]int{}, v.Fiat, v.Crypto}
	for _, status := range counted {
		found, err := TransactionKind.Page(ctx, tx, scope, ordersOf(widget, side, status), firstOrder)
		if err != nil {
			return Figures{}, err
		}
		f.Orders[status] = found.Total
	}
	return f, nil
}

// TransactionRef names a transaction of a side: by its id, by its reference, or by both, which must
// name the same one.
type TransactionRef struct {
	Side      Side
	ID        TransactionID
	Reference string
}

func (r TransactionRef) findIn(ctx context.Context, tx Tx, scope ferry.Scope) (Transaction, error) {
	if r.ID == "" {
		return TransactionKind.Find(ctx, tx, ByReference, Transaction{Scope: scope, Side: r.Side, Reference: r.Reference})
	}
	t, err := TransactionKind.Get(ctx, tx, scope, r.ID)
	if err == nil && r.Reference != "" && t.Reference != r.Reference {
		return Transaction{}, ErrNotFound
	}
	return t, err
}

// Transaction returns the newest of the transactions that refs name, or ErrNotFound when there is
// none of them.
func (q *Quoter) Transaction(ctx context.Context, scope ferry.Scope, refs ...TransactionRef) (Transaction, error) {
	return ferry.InRead(ctx, q.units.Of(scope), func(ctx context.Context, tx Tx) (newest Transaction, err error) {
		for _, ref := range refs {
			found, err := ref.findIn(ctx, tx, scope)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return Transaction{}, err
			}
			if err == nil && found.CreatedAt.After(newest.CreatedAt) {
				newest = found
			}
		}
		if newest.ID == "" {
			return Transaction{}, ErrNotFound
		}
		return newest, nil
	})
}

// TransactionFilter selects transactions. An empty field selects all.
type TransactionFilter struct {
	Side   Side
	Status Status
	// Widget is the id of a widget.
	Widget string
	// Search keeps transactions whose reference contains it.
	Search string
	Range  ferry.Range
}

// Transactions lists the orders of both sides of a scope, newest first.
func (q *Quoter) Transactions(ctx context.Context, scope ferry.Scope, f TransactionFilter, page ferry.Page) (ferry.List[Transaction], error) {
	return ferry.InRead(ctx, q.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Transaction], error) {
		q := records.Where(records.Is("side", f.Side), records.Is("status", f.Status), records.Is("widget", f.Widget)).During(f.Range).Searching(f.Search)
		return TransactionKind.Page(ctx, tx, scope, q, page)
	})
}
