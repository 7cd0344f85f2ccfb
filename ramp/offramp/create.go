package offramp

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// Params describe an order.
type Params struct {
	// Terms name the order, and the naira that the bank is to pay.
	ramp.Terms
	// Quote is the id of a quote over that amount, in either form. Default: a new one.
	Quote string
	// BankCode and AccountNumber are where the naira go.
	BankCode, AccountNumber string
	// AccountName counts while the bank does not tell the name of the holder.
	AccountName string
}

const longestName = 100

// Check adds what is wrong with the fields of p.
func (p Params) Check(problems *ferry.Problems) {
	p.Terms.Check(problems)
	payouts.CheckAccount("", p.BankCode, p.AccountNumber, problems)
	_, problem := text.Line(p.AccountName, 0, longestName)
	problems.Note("account_name", problem)
}

// prepared is an order with what was found out for it.
type prepared struct {
	params Params
	// offer is the price, unless the order names a quote.
	offer ramp.Offer
	name  string
	keys  wallets.CollectionKeys
}

// Create makes an order, with an address of its own that takes USDC until it expires. The name of
// the holder is asked of the bank; while the bank does not answer, a given one stands in. Errors:
// ferry.ErrValidation, ramp.ErrInvalidCurrency, wallets.ErrInvalidNetwork,
// wallets.ErrInvalidAsset, ramp.ErrDuplicateReference, ramp.ErrBelowMinimum,
// ramp.ErrQuoteNotFound, ramp.ErrQuoteExpired, ramp.ErrUnavailable, payouts.ErrUnknownAccount,
// payouts.ErrUnavailable, ErrUnavailable.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p Params) (Details, error) {
	return operation.Run(ctx, s.CreateOp(scope, p))
}

// CreateOp is Create as an operation, for engine.Do.
func (s *Service) CreateOp(scope ferry.Scope, p Params) ferry.Operation[Tx, Details] {
	return ferry.Operation[Tx, Details]{
		Name: "offramp.Create", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (prepared, error) { return s.prepare(ctx, scope, p) },
			func(ctx context.Context, tx Tx, ready prepared) (Details, error) {
				return s.createIn(ctx, tx, scope, ready)
			},
			func(d Details) string { return string(d.ID) },
			s.madeIn(scope),
		),
	}
}

// madeIn reads an order of a scope that an operation made.
func (s *Service) madeIn(scope ferry.Scope) func(context.Context, Tx, string) (Details, error) {
	return func(ctx context.Context, tx Tx, id string) (Details, error) {
		o, err := Kind.Get(ctx, tx, scope, ID(id))
		if err != nil {
			return Details{}, err
		}
		return s.shownIn(ctx, tx, o)
	}
}

// prepare checks an order, and asks for what it needs from outside.
func (s *Service) prepare(ctx context.Context, scope ferry.Scope, p Params) (ready prepared, err error) {
	if err := p.refused(scope); err != nil {
		return prepared{}, err
	}
	if err := s.config.Wallets.Serves(scope.Env); err != nil {
		return prepared{}, err
	}
	ready.params = p
	if p.Quote == "" {
		if ready.offer, err = s.config.Quotes.Offer(ctx, scope, ramp.Offramp, p.Amount); err != nil {
			return prepared{}, err
		}
	}
	if ready.name, err = s.holder(ctx, scope.Env, p); err != nil {
		return prepared{}, err
	}
	ready.keys, err = s.config.Wallets.NewCollectionKeys()
	return ready, err
}

// refused is what is wrong with p before anything is looked up.
func (p Params) refused(scope ferry.Scope) error {
	if err := scope.Check(); err != nil {
		return err
	}
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return err
	}
	return p.CheckPair()
}

// holder returns the name of the holder of an account: that of the bank, or while that does not
// answer the given one.
func (s *Service) holder(ctx context.Context, env ferry.Env, p Params) (string, error) {
	found, err := s.config.Enquire(ctx, env, p.BankCode, p.AccountNumber)
	given, _ := text.Line(p.AccountName, 0, longestName)
	if errors.Is(err, payouts.ErrUnavailable) && given != "" {
		return given, nil
	}
	return found.AccountName, err
}

// createIn records an order with its quote, its address and its end.
func (s *Service) createIn(ctx context.Context, tx Tx, scope ferry.Scope, ready prepared) (Details, error) {
	p := ready.params
	if err := freeIn(ctx, tx, scope, p.Reference); err != nil {
		return Details{}, err
	}
	id := ID(tx.NewID(Prefix))
	quote, err := ready.quoteIn(ctx, tx, scope, id)
	if err != nil {
		return Details{}, err
	}
	source, err := sourceIn(ctx, tx, scope)
	if err != nil {
		return Details{}, err
	}
	o := s.newOrder(tx, id, quote)
	o.Reference, o.Pays, o.Source, o.Purchase = p.Reference, ToAccount, source.AccountNumber, nothing()
	o.To = bank.Party{BankCode: p.BankCode, AccountNumber: p.AccountNumber, AccountName: ready.name}
	made, err := s.recordIn(ctx, tx, o, ready.keys)
	if err != nil {
		return Details{}, err
	}
	return made, ramp.RecordIn(ctx, tx, ramp.Transaction{
		ID: ramp.TransactionID(made.ID), Scope: scope, Side: ramp.Offramp, Reference: made.Reference, Visit: p.Visit,
		Status: made.Status, Stage: made.Stage, Fiat: made.Amount, Crypto: made.Crypto,
	})
}

// newOrder is an order that awaits the USDC of a quote.
func (s *Service) newOrder(tx Tx, id ID, quote ramp.Quote) Order {
	o := Order{
		ID: id, Scope: quote.Scope, Stage: Lifecycle.Initial, Status: statusOf(Lifecycle.Initial),
		Amount: quote.Fiat, Quote: quote.ID, Crypto: quote.Crypto, Rate: quote.Rate, RateUntil: quote.ExpiresAt,
		Received: money.USDC(0), Asked: quote.Crypto, Credited: money.NGN(0),
		ExpiresAt: tx.Now().Add(s.config.Expiry), CreatedAt: tx.Now(),
	}
	o.UpdatedAt = tx.Now()
	return o
}

// recordIn records an order with an address of its own, and makes its end due.
func (s *Service) recordIn(ctx context.Context, tx Tx, o Order, keys wallets.CollectionKeys) (Details, error) {
	made, err := s.addressIn(ctx, tx, o, keys)
	if err != nil {
		return Details{}, err
	}
	o.Address, o.Deposit = made.ID, made.Address
	if o, err = Kind.Add(ctx, tx, o); err != nil {
		return Details{}, err
	}
	return Details{Order: o}, o.endsIn(ctx, tx, o.ExpiresAt)
}

// endsIn makes a look at an order due: at its end, or at that of the time for a retry.
func (o Order) endsIn(ctx context.Context, tx Books, at time.Time) error {
	return tx.Leases().Schedule(ctx, QueueOrders.In(o.Scope.Env), lease.RecordKey(o.Scope, string(o.ID)), at)
}

// freeIn refuses a reference that an order has, before a quote or an address is made for it.
func freeIn(ctx context.Context, tx Tx, scope ferry.Scope, reference string) error {
	_, err := Kind.Find(ctx, tx, ByReference, Order{Scope: scope, Reference: reference})
	if errors.Is(err, ramp.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = ramp.ErrDuplicateReference
	}
	return err
}

// quoteIn returns the quote of an order: the one that it names, or a new one.
func (r prepared) quoteIn(ctx context.Context, tx Tx, scope ferry.Scope, of ID) (ramp.Quote, error) {
	if r.params.Quote == "" {
		return r.offer.In(ctx, tx, string(of))
	}
	quote, err := ramp.UseIn(ctx, tx, scope, ramp.Offramp, r.params.Quote, string(of))
	if err == nil && quote.Fiat != r.params.Amount {
		err = ferry.ErrValidation.About("amount", "Must be the amount of the quote")
	}
	return quote, err
}

// sourceIn returns the account of the business that the bank is to debit.
func sourceIn(ctx context.Context, tx Tx, scope ferry.Scope) (business.SourceAccount, error) {
	b, err := business.Of(ctx, tx, scope)
	if err != nil {
		return business.SourceAccount{}, err
	}
	if len(b.SourceAccounts) == 0 {
		return business.SourceAccount{}, ErrNoBank
	}
	return b.SourceAccounts[0], nil
}

// platform is the scope of the platform's own wallets.
func platform(env ferry.Env) ferry.Scope { return ferry.Scope{Env: env} }

// addressIn makes the address of an order, in the platform's wallet for what it gives naira for.
func (s *Service) addressIn(ctx context.Context, tx Tx, o Order, k wallets.CollectionKeys) (wallets.Address, error) {
	c := wallets.Collection{Scope: platform(o.Scope.Env), Reference: wallets.Exchange, Label: "Exchange"}
	made, err := s.config.Wallets.CollectIn(ctx, tx, c, wallets.AddressParams{
		Label:    "Offramp " + o.Reference[:min(len(o.Reference), 80)],
		Metadata: ferry.Metadata{"offramp_id": string(o.ID), "reference": o.Reference},
	}, k)
	if errors.Is(err, wallets.ErrWalletNotActive) {
		err = ErrUnavailable.Because(err)
	}
	return made, err
}
