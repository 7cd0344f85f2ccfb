package customers

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/provider/kyc"
)

// InitiateParams begins a verification.
type InitiateParams struct {
	// Type is required, in any letter case.
	Type kyc.Type
	// Number is required: 11 digits, or RC and digits for a company.
	Number Number
	// CustomerID is the customer that the outcome is for. Without one there is a
	// result, but no status and no event.
	CustomerID ID
	// Key names the API key that initiates. Its initiations share a quota. Without a
	// Key there is no quota.
	Key string
}

// Initiate begins a verification: the owner of a BVN or NIN is sent a one-time
// password, a company is judged at once.
//
// Errors: ferry.ErrValidation, ErrNotFound, ErrAlreadyVerified,
// ErrTooManyInitiations, ErrNoProvider, and those of Outcome.Refused.
func (s *Service) Initiate(ctx context.Context, scope ferry.Scope, p InitiateParams) (Outcome, error) {
	return operation.Run(ctx, s.InitiateOp(scope, p))
}

// InitiateOp is Initiate as an operation, for engine.Do. A repeated key has no Result.
func (s *Service) InitiateOp(scope ferry.Scope, p InitiateParams) ferry.Operation[Tx, Outcome] {
	params := map[string]string{
		"type": string(p.Type), "number": string(p.Number), "customer": string(p.CustomerID), "key": p.Key,
	}
	record := func(ctx context.Context, tx Tx) (inquiry, error) { return s.initiateIn(ctx, tx, scope, p) }
	return s.asks("customers.Initiate", scope, params, record, func(known Identity) Outcome {
		return Outcome{Identity: known, Number: p.Number.String()}
	})
}

// initiateIn records within a unit that a verification begins. An initiation of
// the same number for the same customer that the provider is not known to have
// taken, because of a crash or a time-out, is continued instead, and does not
// count again. The errors are those of Initiate, except the provider's.
func (s *Service) initiateIn(ctx context.Context, tx Tx, scope ferry.Scope, p InitiateParams) (inquiry, error) {
	var f form
	p.Type = f.identityNumber(p.Type, p.Number, kyc.BVN, kyc.NIN, kyc.CAC)
	if err := f.Err(); err != nil {
		return inquiry{}, err
	}
	if err := s.Serves(scope.Env); err != nil {
		return inquiry{}, err
	}
	if err := p.checkCustomer(ctx, tx, scope); err != nil {
		return inquiry{}, err
	}
	digest := s.digest(scope, p.Type, p.Number)
	log, err := initiationsOf(ctx, tx, scope, numberKey(p.Type, digest))
	if err != nil {
		return inquiry{}, err
	}
	identity, found, err := s.unsent(ctx, tx, log, p.CustomerID)
	if err != nil {
		return inquiry{}, err
	}
	if !found {
		if identity, err = s.newIdentity(ctx, tx, log, p); err != nil {
			return inquiry{}, err
		}
	}
	return s.inquiry(ctx, tx, identity, p)
}

// identityNumber checks the type and number of an identity and returns the type
// as it is kept.
func (f *form) identityNumber(t kyc.Type, n Number, allowed ...kyc.Type) kyc.Type {
	t = kyc.Type(strings.ToLower(text.Clean(string(t))))
	rules := map[kyc.Type]rule{kyc.BVN: f.bvn, kyc.NIN: f.nin, kyc.CAC: f.cac}
	check, known := rules[t]
	switch {
	case t == "":
		f.Add("type", missing)
	case !known || !slices.Contains(allowed, t):
		f.Add("type", "Must be one of "+listed(allowed))
	}
	if !known {
		check = func(_, value string) string { return value }
	}
	f.required("number", string(n), check)
	return t
}

func listed(types []kyc.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// checkCustomer refuses a customer that is verified, or that this type of number cannot
// identify.
func (p InitiateParams) checkCustomer(ctx context.Context, tx Tx, scope ferry.Scope) error {
	if p.CustomerID == "" {
		return nil
	}
	c, err := CustomerKind.Get(ctx, tx, scope, p.CustomerID)
	switch {
	case err != nil:
		return err
	case c.Status == Verified:
		return ErrAlreadyVerified
	case (p.Type == kyc.CAC) != (c.Type == Company):
		var f form
		f.Add("type", "Must be bvn or nin for an individual, cac for a business")
		return f.Err()
	}
	return nil
}

// unsent returns the newest identity of a log that names the customer, if it
// is young and the provider is not known to have taken it.
func (s *Service) unsent(ctx context.Context, tx Tx, log InitiationLog, customer ID) (identity Identity, found bool, err error) {
	recent := log.recent(tx.Now(), otpLife, customer)
	if len(recent) == 0 {
		return Identity{}, false, nil
	}
	identity, err = IdentityKind.Get(ctx, tx, log.Scope, recent[len(recent)-1].Identity)
	return identity, identity.Status == IdentityRequested, err
}

// newIdentity records a new initiation, within the limit.
func (s *Service) newIdentity(ctx context.Context, tx Tx, numbers InitiationLog, p InitiateParams) (Identity, error) {
	id := IdentityID(tx.NewID(identityPrefix))
	number, err := s.seal(numbers.Scope, p.Type, p.Number, identityContext(numbers.Scope, id))
	if err != nil {
		return Identity{}, err
	}
	m := Initiation{Identity: id, Customer: p.CustomerID, At: tx.Now()}
	if err := s.note(ctx, tx, numbers, m); err != nil {
		return Identity{}, err
	}
	if err := s.noteForKey(ctx, tx, numbers.Scope, p.Key, m); err != nil {
		return Identity{}, err
	}
	identity := Identity{
		ID:         id,
		Scope:      numbers.Scope,
		Type:       p.Type,
		Number:     number,
		CustomerID: p.CustomerID,
		Status:     IdentityLifecycle.Initial,
		CreatedAt:  tx.Now(),
		UpdatedAt:  tx.Now(),
	}
	if err := IdentityKind.Insert(ctx, tx, identity); err != nil {
		return Identity{}, err
	}
	return IdentityKind.Get(ctx, tx, numbers.Scope, id)
}

// note adds an initiation to the log of the number and, when it names one, to that
// of the customer. The limit is that of the customer, else of the number.
func (s *Service) note(ctx context.Context, tx Tx, numbers InitiationLog, m Initiation) error {
	limited := numbers
	if m.Customer != "" {
		log, err := initiationsOf(ctx, tx, numbers.Scope, customerKey(m.Customer))
		if err != nil {
			return err
		}
		limited = log
	}
	if err := checkLimit(limited.recent(m.At, initiationWindow, m.Customer), maxInitiations, initiationWindow, m.At); err != nil {
		return err
	}
	age := max(initiationWindow, otpLife)
	if m.Customer != "" {
		if err := limited.with(m, age).put(ctx, tx); err != nil {
			return err
		}
	}
	return numbers.with(m, age).put(ctx, tx)
}

// noteForKey adds an initiation to the log of the API key that initiates, within its quota.
func (s *Service) noteForKey(ctx context.Context, tx Tx, scope ferry.Scope, key string, m Initiation) error {
	if key == "" {
		return nil
	}
	log, err := initiationsOf(ctx, tx, scope, apiKey(key))
	if err != nil {
		return err
	}
	log = log.with(m, keyWindow)
	before := log.Initiations[:len(log.Initiations)-1]
	if err := checkLimit(before, s.config.KeyInitiations, keyWindow, m.At); err != nil {
		return err
	}
	return log.put(ctx, tx)
}

// checkLimit refuses a further initiation where the recent ones within a window reach the
// limit, and says when there is room again.
func checkLimit(recent []Initiation, limit int, window time.Duration, now time.Time) error {
	over := len(recent) - limit
	if over < 0 {
		return nil
	}
	return ErrTooManyInitiations.After(recent[over].At.Add(window).Sub(now))
}

// inquiry returns what to ask about an identity that was just recorded. Looking
// up a company is its one attempt. One request at a time asks for a one-time
// password; the others wait for what comes of it.
func (s *Service) inquiry(ctx context.Context, tx Tx, identity Identity, p InitiateParams) (inquiry, error) {
	q := inquiry{scope: identity.Scope, identity: identity.ID, question: sendOTP, kind: p.Type, number: p.Number}
	switch {
	case p.Type == kyc.CAC:
		q.question = lookUp
		return s.begin(ctx, tx, identity, q)
	case tx.Now().Before(identity.AskedUntil):
		q.question = awaitOTP
		return q, nil
	}
	identity.AskedUntil = tx.Now().Add(s.config.ProviderTimeout + recordTime)
	q.until = identity.AskedUntil
	return q, IdentityKind.Update(ctx, tx, identity)
}
