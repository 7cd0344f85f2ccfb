package checkout

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
)

// prepareNaira checks a wish for a price in naira, and asks for a rate unless the newest
// offer stands. Errors: ErrNotFound, ErrNotPending, ErrOver, ErrNoBank,
// ErrCryptoUnavailable.
func (s *Service) prepareNaira(ctx context.Context, scope ferry.Scope, ref Ref) (refresh, error) {
	wish := refresh{scope: scope}
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

// mayRenew refuses a price for a session that no longer takes naira, and in an environment
// that no longer has a bank.
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

// renewNairaIn returns a session with a price in naira that stands: the present one, or
// one at the rate of now. Errors: those of prepareNaira, ErrTooDearInNaira,
// wallets.ErrAddressCompromised.
func (s *Service) renewNairaIn(ctx context.Context, tx Tx, wish refresh) (State, error) {
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
	rate, err := rateOf(q.price)
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

// RenewNaira returns a session with a price in naira that stands: the present one, or one
// at the rate of now. Errors: ErrNotFound, ErrNotPending, ErrOver, ErrNoBank,
// ErrCryptoUnavailable, ErrTooDearInNaira, wallets.ErrAddressCompromised.
func (s *Service) RenewNaira(ctx context.Context, scope ferry.Scope, ref Ref) (State, error) {
	return operation.Run(ctx, s.RenewNairaOp(scope, ref))
}

// RenewNairaOp is RenewNaira as an operation, for engine.Do.
func (s *Service) RenewNairaOp(scope ferry.Scope, ref Ref) ferry.Operation[Tx, State] {
	return ferry.Operation[Tx, State]{
		Name: "checkout.RenewNaira", Scope: scope, Params: ref, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (refresh, error) { return s.prepareNaira(ctx, scope, ref) },
			s.renewNairaIn, sessionOf, s.recallState(scope),
		),
	}
}
