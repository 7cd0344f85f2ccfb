package offramp

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// BillParams describe an order that pays a bill.
type BillParams struct {
	// Params are the bill. Their Reference names the order; default: its id.
	bills.Params
	// Currency, Asset and Chain are those of ramp.Terms. Default: naira for USDC on Solana.
	Currency, Asset, Chain string
}

// preparedBill is an order that pays a bill, with what was found out for it.
type preparedBill struct {
	reference string
	goods     bills.Goods
	offer     ramp.Offer
	keys      wallets.CollectionKeys
}

// CreateBill makes an order that pays a bill, with an address of its own that takes USDC until it
// expires. The bill is looked up as bills.Service.Create does, and must be one that the business may
// buy now. Errors: those of bills.Service.Find and ForeseeIn, ramp.ErrInvalidCurrency,
// wallets.ErrInvalidNetwork, wallets.ErrInvalidAsset, ramp.ErrDuplicateReference,
// ramp.ErrBelowMinimum, ramp.ErrUnavailable, ErrUnavailable.
func (s *Service) CreateBill(ctx context.Context, scope ferry.Scope, p BillParams) (Details, error) {
	return operation.Run(ctx, s.CreateBillOp(scope, p))
}

// CreateBillOp is CreateBill as an operation, for engine.Do.
func (s *Service) CreateBillOp(scope ferry.Scope, p BillParams) ferry.Operation[Tx, Details] {
	return ferry.Operation[Tx, Details]{
		Name: "offramp.CreateBill", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (preparedBill, error) { return s.prepareBill(ctx, scope, p) },
			func(ctx context.Context, tx Tx, ready preparedBill) (Details, error) {
				return s.createBillIn(ctx, tx, scope, ready)
			},
			func(d Details) string { return string(d.ID) },
			s.madeIn(scope),
		),
	}
}

// prepareBill looks up a bill, and what it costs in USDC.
func (s *Service) prepareBill(ctx context.Context, scope ferry.Scope, p BillParams) (ready preparedBill, err error) {
	if err := (ramp.Terms{Currency: p.Currency, Asset: p.Asset, Chain: p.Chain}).CheckPair(); err != nil {
		return preparedBill{}, err
	}
	if ready.goods, err = s.config.Bills.Find(ctx, scope, p.Params); err != nil {
		return preparedBill{}, err
	}
	if err := s.config.Wallets.Serves(scope.Env); err != nil {
		return preparedBill{}, err
	}
	cost, err := ready.goods.Cost()
	if err != nil {
		return preparedBill{}, err
	}
	if ready.offer, err = s.config.Quotes.Offer(ctx, scope, ramp.Offramp, cost); err != nil {
		return preparedBill{}, err
	}
	ready.reference = p.Reference
	ready.keys, err = s.config.Wallets.NewCollectionKeys()
	return ready, err
}

// createBillIn records an order that pays a bill with its quote, its address and its end.
func (s *Service) createBillIn(ctx context.Context, tx Tx, scope ferry.Scope, ready preparedBill) (Details, error) {
	if ready.reference != "" {
		if err := freeIn(ctx, tx, scope, ready.reference); err != nil {
			return Details{}, err
		}
	}
	if err := s.config.Bills.ForeseeIn(ctx, tx, scope, ready.goods); err != nil {
		return Details{}, err
	}
	id := ID(tx.NewID(Prefix))
	quote, err := ready.offer.In(ctx, tx, string(id))
	if err != nil {
		return Details{}, err
	}
	o := s.newOrder(tx, id, quote)
	o.Reference, o.Pays = cmp.Or(ready.reference, string(o.ID)), ToBill
	o.Purchase = Purchase{Goods: ready.goods, MadeBy: outflow.KeyOf(ctx)}
	return s.recordIn(ctx, tx, o, ready.keys)
}
