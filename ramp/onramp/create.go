package onramp

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Params describe an order.
type Params struct {
	ramp.Terms
	// Address gets the USDC. Empty is the primary address of the business's wallet "default",
	// which is made when there is none.
	Address string
	// Quote is a quote of the same amount to be used, or empty for a new one.
	Quote string
}

// Check adds what is wrong with the fields of p.
func (p Params) Check(problems *ferry.Problems) { p.Terms.Check(problems) }

// Create makes an order, with an account to be paid. Errors: ferry.ErrValidation,
// ramp.ErrInvalidCurrency, wallets.ErrInvalidNetwork, wallets.ErrInvalidAsset, ErrInvalidAddress,
// ramp.ErrDuplicateReference, ramp.ErrBelowMinimum, ramp.ErrQuoteNotFound, ramp.ErrQuoteExpired,
// ramp.ErrUnavailable, ErrUnavailable, wallets.ErrUnavailable, wallets.ErrWalletNotActive.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p Params) (Order, error) {
	return operation.Run(ctx, s.CreateOp(scope, p))
}

// CreateOp is Create as an operation, for engine.Do. It asks bank, chain and the source of rates,
// and records the order in one unit. The bank opens one account for a reference.
func (s *Service) CreateOp(scope ferry.Scope, p Params) ferry.Operation[Tx, Order] {
	return ferry.Operation[Tx, Order]{
		Name: "onramp.Create", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (opening, error) { return s.prepare(ctx, scope, p) },
			func(ctx context.Context, tx Tx, o opening) (Order, error) { return s.createIn(ctx, tx, scope, p, o) },
			func(o Order) string { return string(o.ID) },
			func(ctx context.Context, tx Tx, id string) (Order, error) { return Kind.Get(ctx, tx, scope, ID(id)) },
		),
	}
}

// opening is what the outside world gave for an order.
type opening struct {
	account bank.Account
	offer   ramp.Offer
	key     wallets.FreshKey // for a default address
}

// prepare checks an order and gets what it needs from outside any unit.
func (s *Service) prepare(ctx context.Context, scope ferry.Scope, p Params) (o opening, err error) {
	if err := scope.Check(); err != nil {
		return o, err
	}
	var problems ferry.Problems
	if p.Check(&problems); problems.Err() != nil {
		return o, problems.Err()
	}
	if err := p.CheckPair(); err != nil {
		return o, err
	}
	name, err := s.mayCreate(ctx, scope, p)
	if err != nil {
		return o, err
	}
	if err := s.reaches(ctx, scope.Env, p.Address); err != nil {
		return o, err
	}
	if p.Quote == "" {
		if o.offer, err = s.config.Quotes.Offer(ctx, scope, ramp.Onramp, p.Amount); err != nil {
			return o, err
		}
	}
	if o.key, err = s.config.Wallets.NewKey(); err != nil {
		return o, err
	}
	o.account, err = s.openAccount(ctx, scope, p.Reference, name)
	return o, err
}

// mayCreate refuses a reference that was used before, and a quote that cannot be used, before
// anybody is asked. It returns the name of the business.
func (s *Service) mayCreate(ctx context.Context, scope ferry.Scope, p Params) (name string, err error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (string, error) {
		_, err := Kind.Find(ctx, tx, ByReference, Order{Scope: scope, Reference: p.Reference})
		switch {
		case err == nil:
			return "", ramp.ErrDuplicateReference
		case !errors.Is(err, ramp.ErrNotFound):
			return "", err
		}
		if p.Quote != "" {
			if err := checkQuote(ctx, tx, scope, p); err != nil {
				return "", err
			}
		}
		b, err := business.Of(ctx, tx, scope)
		return b.Name, err
	})
}

// checkQuote refuses the quote that p names when it cannot be used, or is not for the amount of p.
func checkQuote(ctx context.Context, tx Tx, scope ferry.Scope, p Params) error {
	quote, err := ramp.UsableIn(ctx, tx, scope, ramp.Onramp, p.Quote)
	if err == nil && quote.Fiat != p.Amount {
		err = ferry.ErrValidation.About("amount", "Must be that of the quote")
	}
	return err
}

// reaches refuses an address that cannot receive USDC. It makes the address that pays when there
// is none, and has that of a sandbox funded.
func (s *Service) reaches(ctx context.Context, env ferry.Env, to string) error {
	from, err := s.Inventory(ctx, env)
	if err != nil {
		return err
	}
	if err := s.config.Stock(ctx, env, from); err != nil {
		return wallets.ErrUnavailable.Because(err)
	}
	if to == "" {
		return nil
	}
	receiver, err := s.config.Outgoing.Receiver(ctx, env, chain.Address(to))
	if err == nil {
		err = s.refuseOurs(ctx, env, receiver)
	}
	if errors.Is(err, outgoing.ErrInvalidAddress) {
		err = ErrInvalidAddress.About("address", "The address cannot receive USDC").Because(err)
	}
	return err
}

// refuseOurs refuses an address of the platform: that which pays, or that of an offramp. USDC that
// comes there late goes back to where it came from, and the payer of the naira would have nothing.
func (s *Service) refuseOurs(ctx context.Context, env ferry.Env, to chain.Address) error {
	ours, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (bool, error) {
		return wallets.IsOfPlatformIn(ctx, tx, env, to)
	})
	if err == nil && ours {
		err = outgoing.ErrInvalidAddress
	}
	return err
}

// openAccount opens the bank's side of an order. The same reference is the same account.
func (s *Service) openAccount(ctx context.Context, scope ferry.Scope, reference, name string) (bank.Account, error) {
	b, err := ferry.Provider(s.config.Banks, scope.Env, error(ErrNoBank))
	if err != nil {
		return bank.Account{}, err
	}
	account, err := b.OpenAccount(ctx, "onramp/"+scope.String()+"/"+reference, name)
	if err != nil {
		return bank.Account{}, ErrUnavailable.Because(err)
	}
	return account, nil
}

// createIn records an order with what was prepared.
func (s *Service) createIn(ctx context.Context, tx Tx, scope ferry.Scope, p Params, opened opening) (Order, error) {
	id := ID(tx.NewID(Prefix))
	quote, err := s.quoteIn(ctx, tx, scope, p, opened, id)
	if err != nil {
		return Order{}, err
	}
	to := chain.Address(p.Address)
	if to == "" {
		address, err := s.config.Wallets.PrimaryIn(ctx, tx, defaults(scope), opened.key)
		if err != nil {
			return Order{}, err
		}
		to = address.Address
	}
	o, err := Kind.Add(ctx, tx, Order{
		ID: id, Scope: scope, Reference: p.Reference,
		Stage: Lifecycle.Initial, Status: statusOf(Lifecycle.Initial),
		Amount: quote.Fiat, Crypto: quote.Crypto, Quote: quote.ID, Rate: quote.Rate,
		Address: to, Bank: opened.account, Received: money.NGN(0),
		ExpiresAt: quote.ExpiresAt, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	})
	if err != nil {
		return Order{}, err
	}
	if err := ramp.RecordIn(ctx, tx, ramp.Transaction{
		ID: ramp.TransactionID(o.ID), Scope: scope, Side: ramp.Onramp, Reference: o.Reference, Visit: p.Visit,
		Status: o.Status, Stage: o.Stage, Fiat: o.Amount, Crypto: o.Crypto,
	}); err != nil {
		return Order{}, err
	}
	return o, tx.Leases().Schedule(ctx, QueueOrders.In(scope.Env), dueKey(o), o.ExpiresAt)
}

// quoteIn is the quote of a new order: the one that it names, or a new one.
func (s *Service) quoteIn(ctx context.Context, tx Tx, scope ferry.Scope, p Params, opened opening, of ID) (ramp.Quote, error) {
	if p.Quote != "" { // whose amount is that of p: see checkQuote
		return ramp.UseIn(ctx, tx, scope, ramp.Onramp, p.Quote, string(of))
	}
	return opened.offer.In(ctx, tx, string(of))
}

func dueKey(o Order) string { return lease.RecordKey(o.Scope, string(o.ID)) }
