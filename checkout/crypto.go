package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
)

// CollectionWallet is the reference of the wallet in which deposit addresses of sessions stand
// when the business holds its USDC. When it is converted, they stand in that of the platform:
// wallets.Exchange.
const CollectionWallet = "checkout"

// holder is whose wallet has the addresses of the session.
func (s Session) holder() ferry.Scope {
	if s.Settlement == business.Convert {
		return ferry.Scope{Env: s.Scope.Env}
	}
	return s.Scope
}

// refresh is a wish for an instruction or a price in naira that stands, with what it needs
// from outside.
type refresh struct {
	scope ferry.Scope
	ref   Ref
	// rate is the rate of a new one. For an instruction, asked says that one is needed,
	// and keys are those of its address.
	asked bool
	rate  quote
	keys  wallets.CollectionKeys
}

// prepareCrypto checks a wish for an instruction and asks for a rate unless the
// present one is still valid. Errors: ErrNotFound, ErrInvalidAsset, ErrNotPending, ErrOver,
// ErrNoCrypto, ErrCryptoUnavailable.
func (s *Service) prepareCrypto(ctx context.Context, scope ferry.Scope, ref Ref, pair Pair) (refresh, error) {
	wish := refresh{scope: scope}
	if err := checkPair(pair.folded()); err != nil {
		return refresh{}, err
	}
	var order money.Asset
	valid, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (bool, error) {
		state, err := StateIn(ctx, tx, scope, ref)
		if err != nil {
			return false, err
		}
		wish.ref, order = state.Ref(), state.Pricing.Type.Asset()
		return state.Current != nil && state.Current.ValidAt(tx.Now()), s.mayRefresh(state)
	})
	if err != nil || valid {
		return wish, err
	}
	if wish.keys, err = s.config.Wallets.NewCollectionKeys(); err != nil {
		return refresh{}, err
	}
	wish.asked = true
	wish.rate, err = s.askFor(ctx, scope.Env, order)
	return wish, err
}

// mayRefresh refuses an instruction for a session that takes no USDC, and in an environment
// without a chain.
func (s *Service) mayRefresh(state State) error {
	switch {
	case state.Status != Pending:
		return ErrNotPending
	case !state.Open:
		return ErrOver
	case !state.Offers(business.Crypto):
		return ErrNoCrypto
	}
	return s.serves(state.Session.Scope.Env, state.Pricing.Type.Asset(), state.Settlement, business.Crypto)
}

// refreshIn returns a session with a valid instruction within a unit: the present
// one, or a new one for what is left to pay, beside which the former addresses stay
// watched. Errors: those of prepareCrypto, wallets.ErrAddressCompromised.
func (s *Service) refreshIn(ctx context.Context, tx Tx, wish refresh) (State, error) {
	state, err := StateIn(ctx, tx, wish.scope, wish.ref)
	if err != nil {
		return State{}, err
	}
	if err := s.mayRefresh(state); err != nil {
		return State{}, err
	}
	if state.Current != nil && state.Current.ValidAt(tx.Now()) {
		if err := s.verify(ctx, tx, state); err != nil {
			return State{}, err
		}
		return s.served(state), nil
	}
	if !wish.asked { // it was valid when the wish was prepared
		return State{}, ErrCryptoUnavailable
	}
	if err := mayInstruct(ctx, tx, state.Session); err != nil {
		return State{}, err
	}
	if state.Current != nil {
		if err := moveInstruction(ctx, tx, *state.Current, Lapse); err != nil {
			return State{}, err
		}
	}
	made, session, err := s.instructIn(ctx, tx, state.Session, state.Payment, wish.rate, wish.keys)
	state.Session, state.Current = session, &made
	return s.served(state), err
}

// Crypto returns a session with a valid instruction: the present one, or a new one for
// what is left to pay. Errors: ErrNotFound, ErrInvalidAsset, ErrNotPending, ErrOver,
// ErrNoCrypto, ErrCryptoUnavailable, wallets.ErrAddressCompromised.
func (s *Service) Crypto(ctx context.Context, scope ferry.Scope, ref Ref, pair Pair) (State, error) {
	return operation.Run(ctx, s.CryptoOp(scope, ref, pair))
}

// CryptoOp is Crypto as an operation, for engine.Do.
func (s *Service) CryptoOp(scope ferry.Scope, ref Ref, pair Pair) ferry.Operation[Tx, State] {
	params := struct {
		Ref  Ref
		Pair Pair
	}{ref, pair}
	return ferry.Operation[Tx, State]{
		Name: "checkout.Crypto", Scope: scope, Params: params, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (refresh, error) { return s.prepareCrypto(ctx, scope, ref, pair) },
			s.refreshIn, sessionOf, s.recallState(scope),
		),
	}
}

// sessionOf names a state by its session.
func sessionOf(state State) string { return string(state.ID) }

// recallState reads a state by its session.
func (s *Service) recallState(scope ferry.Scope) func(context.Context, Tx, string) (State, error) {
	return func(ctx context.Context, tx Tx, id string) (State, error) {
		return s.ShownIn(ctx, tx, scope, Ref{Reference: id})
	}
}

// instructIn makes an instruction for what is left to pay.
func (s *Service) instructIn(ctx context.Context, tx Tx, of Session, p payments.Payment, q quote, k wallets.CollectionKeys) (Instruction, Session, error) {
	rate, err := rateOf(q.price)
	if err != nil {
		return Instruction{}, Session{}, err
	}
	left, err := of.left(rate)
	if errors.Is(err, money.ErrOverflow) || left.AboveCeiling() {
		return Instruction{}, Session{}, ErrTooDear.Because(err)
	}
	if err != nil {
		return Instruction{}, Session{}, err
	}
	address, err := s.addressIn(ctx, tx, of, k)
	if err != nil {
		return Instruction{}, Session{}, err
	}
	made := Instruction{
		Address: address.ID, Scope: of.Scope, Holder: address.Scope.Business, Session: of.ID, Pair: of.Pricing.Pair,
		Deposit: address.Address, Amount: left, Price: q.price, Received: money.USDC(0), Status: InstructionLifecycle.Initial,
		ExpiresAt: q.within(of.ExpiresAt), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if made, err = InstructionKind.Add(ctx, tx, made); err != nil {
		return Instruction{}, Session{}, err
	}
	of.Instruction, of.CryptoError = made.Address, ""
	if of.Pricing.Type == InFiat && of.Pricing.Price == "" { // it was made without a rate
		of.Pricing.Price, of.Pricing.RateUntil = q.price, q.until
		if of.Pricing.Crypto, err = inUSDC(rate, of.Pricing.Fiat); err != nil {
			return Instruction{}, Session{}, err
		}
	}
	of, err = saveSession(ctx, tx, of)
	return made, of, err
}

// within is the end of a quote, but not after the end of the session. Without a quote it is
// the end of the session.
func (q quote) within(ends time.Time) time.Time {
	if q.price != "" && q.until.Before(ends) {
		return q.until
	}
	return ends
}

// left is what is left to pay, in USDC at a rate.
func (s Session) left(rate money.Rate) (money.Amount, error) {
	left, err := s.payable().Sub(s.Credited)
	if err != nil || left.Asset() == money.AssetUSDC {
		return left, err
	}
	return inUSDC(rate, left)
}

// due is what is still to be sent through an instruction: what it asks for, or what
// the order lacks, whichever is less.
func (s Session) due(i Instruction) (money.Amount, error) {
	rate, err := rateOf(i.Price)
	if err != nil {
		return money.Amount{}, err
	}
	left, err := s.left(rate)
	if err != nil {
		return money.Amount{}, err
	}
	asked := i.Amount.Minor() - i.Received.Minor()
	return money.USDC(max(0, min(asked, left.Minor()))), nil
}

// asked is the amount that an instruction asks for, given what it has received: its own
// amount, or the rest of the order if that is less.
func (s Session) asked(i Instruction, received money.Amount) (money.Amount, error) {
	due, err := s.due(i)
	if err != nil {
		return money.Amount{}, err
	}
	return received.Add(due)
}

// collection is the wallet in which the deposit addresses of the session stand.
func (s Session) collection() wallets.Collection {
	c := wallets.Collection{Scope: s.holder(), Reference: CollectionWallet, Label: "Checkout", AwaitedUntil: s.ExpiresAt}
	if c.Scope.Business == "" {
		c.Reference = wallets.Exchange
	}
	return c
}

// mayInstruct returns ErrCryptoUnavailable while the wallet for the session's
// addresses is suspended.
func mayInstruct(ctx context.Context, tx Tx, of Session) error {
	err := wallets.MayCollectIn(ctx, tx, of.collection())
	if errors.Is(err, wallets.ErrWalletNotActive) {
		return ErrCryptoUnavailable
	}
	return err
}

// addressIn makes a deposit address of the session, which waits for USDC there until it ends.
func (s *Service) addressIn(ctx context.Context, tx Tx, of Session, k wallets.CollectionKeys) (wallets.Address, error) {
	return s.config.Wallets.CollectIn(ctx, tx, of.collection(), wallets.AddressParams{
		Label:    "Checkout " + of.TrxID[:min(len(of.TrxID), 80)],
		Metadata: ferry.Metadata{"session_id": string(of.ID), "trx_id": of.TrxID},
	}, k)
}

// moveInstruction makes one move of an instruction, or none when it has ended.
func moveInstruction(ctx context.Context, tx Tx, i Instruction, cause InstructionCause) error {
	if InstructionLifecycle.Final(i.Status) {
		return nil
	}
	edge, err := InstructionLifecycle.Next(i.Status, cause)
	if err != nil {
		return err
	}
	i.Status, i.UpdatedAt = edge.To, tx.Now()
	return InstructionKind.Update(ctx, tx, i)
}

// ClosingIn refuses to close a wallet into which a pending session may still be paid:
// what comes to a closed wallet can never be sent. Errors: ErrOffered.
func ClosingIn(ctx context.Context, tx Tx, w wallets.Wallet) error {
	for s, err := range SessionKind.Newest(ctx, tx, w.Scope, Filter{Status: Pending}.Query()) {
		if err == nil && s.holder() == w.Scope && s.Instruction != "" {
			err = offersNone(ctx, tx, s, w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// offersNone returns ErrOffered when a session has offered an address of a wallet.
func offersNone(ctx context.Context, tx Tx, s Session, w wallets.Wallet) error {
	for i, err := range InstructionKind.Walk(ctx, tx, ofSession(s.ID)) {
		if err != nil {
			return err
		}
		a, err := wallets.AddressKind.Get(ctx, tx, w.Scope, i.Address)
		if err == nil && a.Wallet == w.ID {
			err = ErrOffered
		}
		if err != nil {
			return err
		}
	}
	return nil
}
