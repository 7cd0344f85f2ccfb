package checkout

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Config is what a Service needs besides its stores. Wallets, Outgoing and Deposits are
// required, and so is ReadBank.
type Config struct {
	// Wallets makes deposit addresses, Outgoing sends USDC back, and Deposits reads what
	// comes to an address.
	Wallets  *wallets.Service
	Outgoing *outgoing.Service
	Deposits *deposits.Service
	// Banks open accounts and Rates price USDC, in the environments that have
	// them. What another environment cannot take is not offered.
	Banks map[ferry.Env]bank.Bank
	Rates map[ferry.Env]rates.Source
	// ReadBank books the credits of an environment's bank up to an instant. An error
	// says that the bank may know of more.
	ReadBank func(ctx context.Context, env ferry.Env, before time.Time) error
	// Tariffs are the fees of every channel. Default: all free.
	Tariffs fees.Tariffs
}

const (
	// expiry is how long a session may be paid.
	expiry = 24 * time.Hour
	// reuse is how long an equal order of dialect A reuses a session.
	reuse = 3 * time.Minute
	// match is how long after the end of a session naira still has an event.
	match = 24 * time.Hour
)

// Service is the sessions of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	config Config
	unpaid *unpaid
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	return &Service{units, config, newUnpaid()}
}

// Tariffs are the fees of every channel.
func (s *Service) Tariffs() fees.Tariffs { return s.config.Tariffs }

// State is a session with what belongs to it.
type State struct {
	Session
	Payment payments.Payment
	// Open says whether it may be paid now: Session.Open.
	Open bool
	// Current is the instruction that is offered, or nil.
	Current *Instruction
	// Unserved are its methods for which the environment lacks a provider.
	Unserved []business.PaymentMethod
}

// Available are the methods that can be used now, the default first.
func (s State) Available() []business.PaymentMethod {
	return slices.DeleteFunc(s.Session.Available(), func(m business.PaymentMethod) bool {
		return slices.Contains(s.Unserved, m)
	})
}

// Ref names a session by its trx_id, or by its own id or that of its payment as the
// reference; both must name the same one. Beside a reference, the trx_id may be the id
// of the payment as well. By a trx_id a business means its own order,
// and one that came with a public key when it has none.
type Ref struct{ TrxID, Reference string }

// Get returns a session to show, without an address that is not that of its key. Errors:
// ErrNotFound; wallets.ErrAddressCompromised when that is all the session offers.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (State, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (State, error) {
		prefetchState(tx, scope, ref)
		return s.ShownIn(ctx, tx, scope, ref)
	})
}

// Public returns a session that came with a public key, by its trx_id, or ErrNotFound.
func (s *Service) Public(ctx context.Context, scope ferry.Scope, trxID string) (State, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (State, error) {
		found, err := SessionKind.Find(ctx, tx, byName, sessionNamed(scope, statement.Name{TrxID: trxID, Public: true}))
		if err != nil {
			return State{}, err
		}
		return s.shown(ctx, tx, found)
	})
}

// ShownIn is Get within a unit.
func (s *Service) ShownIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (State, error) {
	found, err := find(ctx, tx, scope, ref)
	if err != nil {
		return State{}, err
	}
	return s.shown(ctx, tx, found)
}

// StateIn returns a session within a unit, or ErrNotFound. It does not verify the address
// of its instruction: use ShownIn before you show the address.
func StateIn(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (State, error) {
	found, err := find(ctx, tx, scope, ref)
	if err != nil {
		return State{}, err
	}
	return stateOf(ctx, tx, found)
}

// Page returns a session of any business by its id, as its page shows it, or
// ErrNotFound.
func (s *Service) Page(ctx context.Context, id string) (State, error) {
	canonical, ok := ferry.CanonicalID(Prefix, id)
	if !ok {
		return State{}, ErrNotFound
	}
	read := func(ctx context.Context, tx Tx) (State, error) {
		found, err := SessionKind.Anyones(ctx, tx, Session{ID: ID(canonical)})
		if err != nil {
			return State{}, err
		}
		return s.shown(ctx, tx, found)
	}
	state, err := ferry.InRead(ctx, s.units.In(ferry.Live), read)
	if err != nil || state.Session.Scope.Env == ferry.Live {
		return state, err
	}
	return ferry.InRead(ctx, s.units.In(state.Session.Scope.Env), read) // by its own clock
}

func find(ctx context.Context, tx Tx, scope ferry.Scope, ref Ref) (Session, error) {
	if ref.Reference == "" {
		return byTrxID(ctx, tx, scope, ref.TrxID)
	}
	found, err := byReference(ctx, tx, scope, ref.Reference)
	if err == nil && ref.TrxID != "" && ref.TrxID != found.TrxID && ref.TrxID != string(found.Payment) {
		return Session{}, ErrNotFound
	}
	return found, err
}

// byTrxID finds what a business means by a trx_id: its own order first.
func byTrxID(ctx context.Context, tx Tx, scope ferry.Scope, trxID string) (Session, error) {
	return statement.Named(trxID, func(n statement.Name) (Session, error) {
		return SessionKind.Find(ctx, tx, byName, sessionNamed(scope, n))
	})
}

// byReference finds a session by the id of its payment, by its own id, or by its
// trx_id: callers know each of them as the reference.
func byReference(ctx context.Context, tx Tx, scope ferry.Scope, reference string) (Session, error) {
	if id, ok := ferry.CanonicalID(Prefix, reference); ok {
		return SessionKind.Get(ctx, tx, scope, ID(id))
	}
	id, ok := ferry.CanonicalID(payments.Prefix, reference)
	if !ok {
		return byTrxID(ctx, tx, scope, reference)
	}
	p, err := payments.PaymentKind.Get(ctx, tx, scope, payments.ID(id))
	if errors.Is(err, payments.ErrNotFound) || err == nil && p.Session == "" {
		return Session{}, ErrNotFound
	}
	if err != nil {
		return Session{}, err
	}
	return SessionKind.Get(ctx, tx, scope, ID(p.Session))
}

// stateOf reads what belongs to a session.
func stateOf(ctx context.Context, tx Tx, found Session) (State, error) {
	prefetchParts(tx, found)
	p, err := payments.PaymentKind.Get(ctx, tx, found.Scope, found.Payment)
	if err != nil {
		return State{}, err
	}
	state := State{Session: found, Payment: p, Open: found.Open(p, tx.Now())}
	if found.Instruction == "" {
		return state, nil
	}
	current, err := InstructionKind.Anyones(ctx, tx, Instruction{Address: found.Instruction})
	if !state.Open && p.PendingUntil.IsZero() && current.Status != Confirmed {
		current.Status = Over
	}
	state.Current = &current
	return state, err
}

// prefetchState says that a session will be read with what belongs to it.
func prefetchState(tx Tx, scope ferry.Scope, ref Ref) {
	name := cmp.Or(ref.Reference, ref.TrxID)
	rows := statement.RowsNamed(SessionKind.Rows(scope), "trx_id", name)
	id, isID := ferry.CanonicalID(Prefix, ref.Reference)
	payment, isPayment := ferry.CanonicalID(payments.Prefix, ref.Reference)
	switch {
	case isID:
		rows = SessionKind.Rows(scope, records.Is("id", id))
		SessionKind.Prefetch(tx, scope, ID(id))
	case isPayment:
		rows = SessionKind.RowsOf("id", payments.PaymentKind.Rows(scope, records.Is("id", payment)).Values("session"))
		payments.PaymentKind.Prefetch(tx, scope, payments.ID(payment))
		SessionKind.PrefetchOf(tx, rows.Values("id"))
	default:
		statement.PrefetchNamed(tx, SessionKind, byName, name, func(n statement.Name) Session { return sessionNamed(scope, n) })
	}
	if !isPayment {
		payments.PaymentKind.PrefetchOf(tx, rows.Values("payment"))
	}
	InstructionKind.PrefetchOf(tx, rows.Values("instruction"))
}

// prefetchParts says that the payments and instructions of sessions will be read.
func prefetchParts(tx Tx, sessions ...Session) {
	for _, s := range sessions {
		payments.PaymentKind.Prefetch(tx, s.Scope, s.Payment)
		if s.Instruction != "" {
			InstructionKind.Prefetch(tx, s.Scope, s.Instruction)
		}
	}
}

// List lists sessions, newest first. One whose address is not that of its key has none.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[State], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[State], error) {
		found, err := SessionKind.Page(ctx, tx, scope, f.Query(), page)
		if err != nil {
			return ferry.List[State]{}, err
		}
		prefetchParts(tx, found.Data...)
		return ferry.MapList(found, func(row Session) (State, error) {
			state, _, err := s.sound(ctx, tx, row)
			return state, err
		})
	})
}

// All walks the sessions that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[State, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(s State) string { return string(s.ID) })
}
