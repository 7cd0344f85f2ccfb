package checkout

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
)

// Renewal is a wish for a price in naira that stands, with what it needs from outside.
type Renewal struct {
	scope ferry.Scope
	ref   Ref
	rate  quote
}

// PrepareNaira checks a wish for a price in naira, and asks for a rate unless the newest
// offer stands. Errors: ErrNotFound, ErrNotPending, ErrOver, ErrNoBank,
// ErrCryptoUnavailable.
func (s *Service) PrepareNaira(ctx context.Context, scope ferry.Scope, ref Ref) (Renewal, error) {
	wish := Renewal{scope: scope}
	stands, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (bool, error) {
		state, err := StateIn(ctx, tx, scope, ref)
		if err != nil {
			return false, err
		}
		wish.ref = state.Ref()
		return state.Naira().StandsAt(tx.Now()), s.mayRenew(state, tx.Now())
	})
	if err != nil || stands {
		return wish, err
	}
	wish.rate, err = s.ask(ctx, scope.Env)
	return wish, err
}

// mayRenew refuses a price for a session that takes no more naira, and where there is no
// bank any more that takes them.
func (s *Service) mayRenew(state State, now time.Time) error {
	switch {
	case state.Status != Pending:
		return ErrNotPending
	case !state.running(state.Payment, now):
		return ErrOver
	case !state.Offers(business.BankTransfer):
		return nil
	}
	return s.serves(state.Session.Scope.Env, state.Pricing.Type.Asset(), state.Settlement, business.BankTransfer)
}

// RenewNairaIn returns a session with a price in naira that stands: the present one, or
// one at the rate of now. Errors: those of PrepareNaira, ErrTooDearInNaira,
// wallets.ErrAddressCompromised.
func (s *Service) RenewNairaIn(ctx context.Context, tx Tx, wish Renewal) (State, error) {
	state, err := StateIn(ctx, tx, wish.scope, wish.ref)
	if err != nil {
		return State{}, err
	}
	if err := s.mayRenew(state, tx.Now()); err != nil {
		return State{}, err
	}
	found := state.Session
	if !found.Naira().StandsAt(tx.Now()) {
		if found, err = renewIn(ctx, tx, found, wish.rate); err != nil {
			return State{}, err
		}
	}
	return s.shown(ctx, tx, found)
}

// offersKept is how many renewed offers a session keeps, the newest: more than a day has
// of 15 minutes each. Naira that came under an older one count at the rate of the moment.
const offersKept = 100

// renewIn offers a session at a rate from now on.
func renewIn(ctx context.Context, tx Tx, of Session, q quote) (Session, error) {
	if q.price == "" { // the former offer stood when the wish was prepared
		return Session{}, ErrCryptoUnavailable
	}
	rate, err := q.rate()
	if err != nil {
		return Session{}, err
	}
	cost, err := of.Pricing.inNaira(rate)
	if errors.Is(err, money.ErrOverflow) || cost.AboveCeiling() {
		return Session{}, ErrTooDearInNaira.Because(err)
	}
	if err != nil {
		return Session{}, err
	}
	made := NairaOffer{cost.Minor(), q.price, tx.Now(), q.until}
	of.Renewed = slices.Concat(of.Renewed[max(0, len(of.Renewed)-offersKept+1):], []NairaOffer{made})
	return saveSession(ctx, tx, of)
}

// RenewNaira is PrepareNaira and RenewNairaIn.
func (s *Service) RenewNaira(ctx context.Context, scope ferry.Scope, ref Ref) (State, error) {
	wish, err := s.PrepareNaira(ctx, scope, ref)
	if err != nil {
		return State{}, err
	}
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (State, error) { return s.RenewNairaIn(ctx, tx, wish) })
}
