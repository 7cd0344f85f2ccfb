package checkout

import (
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/wallets"
)

// prepared is an order that was priced outside of the unit that records it.
type prepared struct {
	params CreateParams
	// business is the one that the order was checked against.
	business business.Business
	methods  []business.PaymentMethod
	rate     quote
	// down says why USDC cannot be offered now, or is empty.
	down string
	keys wallets.CollectionKeys
}

// prepare checks an order and asks for a rate when it needs one. An order that can
// be paid in naira goes on without. The business may be old: standsIn compares it. Errors:
// ferry.ErrValidation, ErrInvalidAsset, ErrCryptoUnavailable, ErrNoBank.
func (s *Service) prepare(ctx context.Context, scope ferry.Scope, p CreateParams) (ready prepared, err error) {
	err = ferry.MayBeOld(ctx, func(ctx context.Context) error {
		b, err := s.businessOf(ctx, scope)
		if err == nil {
			ready, err = s.prepareFor(ctx, b, p)
		}
		return err
	})
	return ready, err
}

func (s *Service) businessOf(ctx context.Context, scope ferry.Scope) (business.Business, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (business.Business, error) {
		return business.Of(ctx, tx, scope)
	})
}

// standsIn returns ferry.ErrUnprepared when the business has changed since the order was
// prepared.
func (r prepared) standsIn(ctx context.Context, tx Tx) error {
	b, err := business.Of(ctx, tx, r.business.Scope)
	if err == nil && b.Version != r.business.Version {
		return ferry.ErrUnprepared
	}
	return err
}

// prepareFor is prepare for a business.
func (s *Service) prepareFor(ctx context.Context, b business.Business, p CreateParams) (_ prepared, err error) {
	scope, ready := b.Scope, prepared{business: b}
	if ready.params, err = p.check(b); err != nil {
		return prepared{}, err
	}
	if ready.methods, err = s.offered(b, p.Amount.Asset(), p.Method); err != nil {
		return prepared{}, err
	}
	if ready.keys, err = s.config.Wallets.NewCollectionKeys(); err != nil {
		return prepared{}, err
	}
	crypto := slices.Contains(ready.methods, business.Crypto)
	if !crypto && p.Amount.Asset() == money.AssetNGN {
		return ready, nil
	}
	ready.rate, err = s.askFor(ctx, scope.Env, p.Amount.Asset())
	if err != nil && len(ready.methods) == 2 && p.Amount.Asset() == money.AssetNGN {
		ready.down = ErrCryptoUnavailable.Message
		return ready, nil
	}
	return ready, err
}

// Created is what became of an order.
type Created struct {
	Session Session
	// Reused reports that an equal order of dialect A had a session already, which is
	// the Session now; Requested is the trx_id that was asked for, and Methods are those
	// of its own that the order asks for.
	Reused    bool
	Requested string
	Methods   []business.PaymentMethod
}

// Create records an order and opens what it offers. Errors: ferry.ErrValidation,
// ErrInvalidAsset, statement.ErrDuplicateTrxID, ErrCryptoUnavailable, ErrNoBank,
// ErrBankUnavailable; after the last the session is there, and the same order goes on
// with it.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p CreateParams) (Created, error) {
	return operation.Run(ctx, s.CreateOp(scope, p))
}

// CreateOp is Create as an operation, for engine.Do. A retry goes on with the session
// that was recorded.
func (s *Service) CreateOp(scope ferry.Scope, p CreateParams) ferry.Operation[Tx, Created] {
	return s.opens("checkout.Create", scope, p, func() *opening {
		var ready prepared
		return &opening{
			requested: p.TrxID,
			prepare: func(ctx context.Context) (_ business.Business, err error) {
				ready, err = s.prepare(ctx, scope, p)
				return ready.business, err
			},
			create: func(ctx context.Context, tx Tx) (Created, error) { return s.createIn(ctx, tx, scope, ready) },
		}
	})
}

// createIn records a prepared order within a unit, or finds the session that it
// reuses.
func (s *Service) createIn(ctx context.Context, tx Tx, scope ferry.Scope, ready prepared) (Created, error) {
	if err := ready.standsIn(ctx, tx); err != nil {
		return Created{}, err
	}
	known, err := SessionKind.Find(ctx, tx, byName, sessionNamed(scope, ready.params.name()))
	switch {
	case err == nil:
		return s.again(ctx, tx, known, ready)
	case !errors.Is(err, ErrNotFound):
		return Created{}, err
	case ready.params.Variant != business.DialectA:
		return s.fresh(ctx, tx, scope, ready, links.Link{})
	}
	return s.throughSlot(ctx, tx, scope, ready)
}

// fresh makes a session with its payment, and for USDC alone its instruction. The order
// stands in the unit.
func (s *Service) fresh(ctx context.Context, tx Tx, scope ferry.Scope, ready prepared, link links.Link) (Created, error) {
	p, b := ready.params, ready.business
	payer, err := payerIn(ctx, tx, scope, p)
	if err != nil {
		return Created{}, err
	}
	channel := fees.Checkout
	if link.ID != "" {
		channel = fees.Link
	}
	made := Session{
		ID: ID(tx.NewID(Prefix)), Scope: scope, TrxID: p.TrxID, Public: p.Public, Variant: p.Variant, Status: Lifecycle.Initial,
		Customer: payer,
		Methods:  ready.methods, CryptoError: ready.down, Settlement: b.CryptoSettlement, Mismatch: b.MismatchPolicy,
		Redirects: p.Redirects, Customizations: p.Customizations, Metadata: ferry.Metadata(nil).Merge(p.Metadata),
		Link: link.ID, ExpiresAt: tx.Now().Add(expiry), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if made.Pricing, err = s.price(channel, p.Amount, b.CustomerPaysFee, p.Pair, ready.rate); err != nil {
		return Created{}, err
	}
	if made, err = judgeCrypto(ctx, tx, made); err != nil {
		return Created{}, err
	}
	made.Credited = money.Of(made.Pricing.Type.Asset(), 0)
	fees, err := made.Pricing.feesOf(made.payable())
	if err != nil {
		return Created{}, err
	}
	paid, err := payments.CreateIn(ctx, tx, payments.Payment{
		Scope: scope, Reference: p.TrxID, Public: p.Public, Channel: channel, Amount: made.payable(), Fees: fees, Customer: made.Customer,
		Collected: p.Collected, Metadata: p.Metadata, Link: string(link.ID), Session: string(made.ID), Pages: p.Pages,
	})
	if err != nil {
		return Created{}, err
	}
	made.Payment = paid.ID
	if made, err = SessionKind.Add(ctx, tx, made); err != nil {
		return Created{}, err
	}
	if err := tx.Leases().Schedule(ctx, QueueSessions.In(made.Scope.Env), dueKey(made), made.ExpiresAt); err != nil {
		return Created{}, err
	}
	if !made.instructedAtOnce() {
		return Created{Session: made, Requested: p.TrxID}, nil
	}
	_, made, err = s.instructIn(ctx, tx, made, paid, ready.rate, ready.keys)
	return Created{Session: made, Requested: p.TrxID}, err
}

// payerIn is who pays an order, with the id of the business's customer who has the
// email now, if there is one. It says whose email was given, not who gave it.
func payerIn(ctx context.Context, tx Tx, scope ferry.Scope, p CreateParams) (payments.Customer, error) {
	payer := payments.Customer{Email: p.Email, Name: p.Name, Phone: p.Phone}
	known, err := customers.ByEmail(ctx, tx, scope, p.Email)
	if errors.Is(err, customers.ErrNotFound) {
		return payer, nil
	}
	payer.ID = string(known.ID)
	return payer, err
}

// judgeCrypto notes on a new session that USDC cannot be offered for now, or refuses
// one that takes nothing else.
func judgeCrypto(ctx context.Context, tx Tx, s Session) (Session, error) {
	if !s.Offers(business.Crypto) || s.CryptoError != "" {
		return s, nil
	}
	err := mayInstruct(ctx, tx, s)
	if errors.Is(err, ErrCryptoUnavailable) && s.Offers(business.BankTransfer) {
		s.CryptoError = ErrCryptoUnavailable.Message
		return s, nil
	}
	return s, err
}

// instructedAtOnce reports whether the session is made with an address: when it takes
// nothing else, and under B, whose answer shows it. Otherwise the payer's choice of
// the method makes one.
func (s Session) instructedAtOnce() bool {
	return s.Offers(business.Crypto) && s.CryptoError == "" && s.Pricing.Crypto.Sign() > 0 &&
		(s.Variant == business.DialectB || !s.Offers(business.BankTransfer))
}

// NeedsAccount reports whether the bank has still to open the session's account.
func (s Session) NeedsAccount() bool {
	return s.Status == Pending && s.Offers(business.BankTransfer) && s.Account == bank.Account{}
}

// OpenAccount gives a session the account that it has still to get. A repeated call gets
// the same one. Errors: ErrBankUnavailable, ErrNoBank.
func (s *Service) OpenAccount(ctx context.Context, of Session) (Session, error) {
	if !of.NeedsAccount() {
		return of, nil
	}
	owner, err := s.businessOf(ctx, of.Scope)
	if err != nil {
		return Session{}, err
	}
	account, err := s.askAccount(ctx, of, owner)
	if err != nil {
		return Session{}, err
	}
	return ferry.InUnit(ctx, s.units.In(of.Scope.Env), func(ctx context.Context, tx Tx) (Session, error) {
		return attachIn(ctx, tx, of, account)
	})
}

// askAccount asks the bank for the account of a session of a business, outside any unit. A
// repeated call gets the same one.
func (s *Service) askAccount(ctx context.Context, of Session, owner business.Business) (bank.Account, error) {
	b, err := s.bank(of.Scope.Env)
	if err != nil {
		return bank.Account{}, err
	}
	account, err := b.OpenAccount(ctx, string(of.ID), owner.Name)
	if err != nil {
		return bank.Account{}, ErrBankUnavailable.Because(err)
	}
	return account, nil
}

// attachIn gives a session the account that the bank opened. An account that a concurrent
// request attached is the same.
func attachIn(ctx context.Context, tx Tx, of Session, account bank.Account) (Session, error) {
	found, err := SessionKind.Get(ctx, tx, of.Scope, of.ID)
	if err != nil || found.Account != (bank.Account{}) {
		return found, err
	}
	found.Account = account
	return saveSession(ctx, tx, found)
}

func saveSession(ctx context.Context, tx Tx, s Session) (Session, error) {
	s.UpdatedAt = tx.Now()
	return SessionKind.Save(ctx, tx, s)
}
