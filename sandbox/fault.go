package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Target names a part of the world whose calls can be made to go wrong.
type Target string

const (
	// TargetChain is the chain.
	TargetChain Target = "chain"
	// TargetBank is the bank.
	TargetBank Target = "bank"
	// TargetKYC is the identity provider.
	TargetKYC Target = "kyc"
	// TargetRates is the source of rates.
	TargetRates Target = "rates"
	// TargetBiller is the biller.
	TargetBiller Target = "biller"
	// TargetReceiver is whoever receives webhooks (see World.Receiver).
	TargetReceiver Target = "receiver"
)

// Kind names a way to go wrong.
type Kind string

// Kinds that several targets have.
const (
	// Unavailable: the call does nothing and answers nothing.
	Unavailable Kind = "unavailable"
	// AnswerLost: the call takes effect, but its answer does not arrive.
	AnswerLost Kind = "answer_lost"
	// Slow: the answer takes as long as Slowness, or until the caller gives up.
	Slow Kind = "slow"
	// Duplicate: a list reports an element twice.
	Duplicate Kind = "duplicate"
	// Stale: the answer is out of date.
	Stale Kind = "stale"
)

// Slowness is how long, in real time, a slow answer takes.
const Slowness = 3 * time.Second

// Fault is one entry of the catalogue of Faults.
type Fault struct {
	Target      Target
	Kind        Kind
	Description string
}

// faults is the catalogue, in the order in which armed kinds strike a call.
var faults = []Fault{
	{TargetChain, Unavailable, "The node does nothing and answers nothing"},
	{TargetChain, AnswerLost, "Send takes effect, but its answer is lost"},
	{TargetChain, Slow, "The node takes 3 seconds to answer"},
	{TargetChain, SubmissionLost, "Send answers as usual, but the submission reaches no block"},
	{TargetChain, LandedLate, "A sent transaction lands only at its last valid height"},
	{TargetChain, ForkDropped, "A transaction is confirmed, then its fork is dropped; it never lands"},
	{TargetChain, ForkLandedAgain, "A transaction is confirmed, its fork is dropped, and it lands again some blocks later"},
	{TargetChain, ProgramError, "A sent transaction lands with an error, as on a frozen account, and moves nothing"},
	{TargetChain, FalseError, "Send answers that the blockhash was not found, although the transaction was accepted"},
	{TargetChain, AlreadyProcessed, "Send answers that the transaction was already processed"},
	{TargetChain, DeadBlockhash, "Sign uses a blockhash of an abandoned fork: the transaction never lands, although its last valid height is ahead"},
	{TargetChain, Lagging, "The node answers as of 1 to 200 slots ago"},
	{TargetChain, HeightJump, "The block height jumps by 160, beyond the life of every blockhash"},
	{TargetChain, Duplicate, "History tells its first movement twice"},
	{TargetBank, Unavailable, "The bank does nothing and answers nothing"},
	{TargetBank, AnswerLost, "The account is opened, or the money sent, but the answer is lost"},
	{TargetBank, Slow, "The bank takes 3 seconds to answer"},
	{TargetBank, Duplicate, "The first credit or outcome of a list is told twice"},
	{TargetBank, Withheld, "The list of credits is empty, although credits arrived"},
	{TargetBank, LateFailure, "A payment is accepted, and fails 30 seconds later"},
	{TargetBank, WrongAmount, "The bank reports that it paid one naira more than it was asked for"},
	{TargetKYC, Unavailable, "The provider does nothing and answers nothing"},
	{TargetKYC, AnswerLost, "The one-time password is sent, but the answer is lost"},
	{TargetKYC, Slow, "The provider takes 3 seconds to answer"},
	{TargetKYC, WrongOTP, "A right one-time password is refused"},
	{TargetKYC, Rejected, "A valid identity is rejected"},
	{TargetRates, Unavailable, "No rate is answered"},
	{TargetRates, Slow, "The rate takes 3 seconds to arrive"},
	{TargetRates, Stale, "The rate was good until a second ago"},
	{TargetBiller, Unavailable, "The biller does nothing and answers nothing"},
	{TargetBiller, AnswerLost, "The bill is bought, but the answer is lost"},
	{TargetBiller, Slow, "The biller takes 3 seconds to answer"},
	{TargetBiller, LateFailure, "A purchase is accepted, and fails 30 seconds later"},
	{TargetBiller, WrongAmount, "The biller reports that it sold for one naira more than it was asked for"},
	{TargetReceiver, Timeout, "The receiver gets nothing and answers nothing in time"},
	{TargetReceiver, AnswerLost, "The receiver gets the event, but its answer is lost"},
	{TargetReceiver, "302", "The receiver redirects"},
	{TargetReceiver, "400", "The receiver answers 400"},
	{TargetReceiver, "410", "The receiver answers 410"},
	{TargetReceiver, "429", "The receiver answers 429 with Retry-After: 30"},
	{TargetReceiver, "500", "The receiver answers 500"},
	{TargetReceiver, "503", "The receiver answers 503 with Retry-After: 30"},
}

// Faults returns every kind of fault that Inject takes (docs/api.md, "Magic
// values").
func (w *World) Faults() []Fault { return slices.Clone(faults) }

// ErrUnknownFault refuses a target or kind that Faults does not list, or a
// count below zero.
var ErrUnknownFault = errors.New("sandbox: unknown fault")

// Inject makes the next count calls that the fault applies to go wrong, in place
// of what was injected of that kind before; a count of 0 disarms it. Different
// kinds may strike one call together. Errors: ErrUnknownFault.
func (w *World) Inject(ctx context.Context, target Target, kind Kind, count int) error {
	if err := knownFault(target, kind, count); err != nil {
		return err
	}
	return w.write(ctx, func(m *moment) error {
		arsenal, err := m.arsenal(target)
		if err != nil {
			return err
		}
		arsenal[kind] = armed{count, arsenal[kind].Struck}
		return save(m, faultKey(target), arsenal)
	})
}

// knownFault refuses what Inject does not take, and names what it does.
func knownFault(target Target, kind Kind, count int) error {
	var targets, kinds []string
	for _, f := range faults {
		if name := string(f.Target); !slices.Contains(targets, name) {
			targets = append(targets, name)
		}
		if f.Target == target {
			kinds = append(kinds, string(f.Kind))
		}
	}
	switch {
	case len(kinds) == 0:
		return fmt.Errorf("%w: target %q, there are %s", ErrUnknownFault, target, strings.Join(targets, ", "))
	case !slices.Contains(kinds, string(kind)):
		return fmt.Errorf("%w: %q on %q, which has %s", ErrUnknownFault, kind, target, strings.Join(kinds, ", "))
	case count < 0:
		return fmt.Errorf("%w: %q on %q, %d times", ErrUnknownFault, kind, target, count)
	}
	return nil
}

// Armed is how often a fault still strikes, and how often it has.
type Armed struct {
	Target Target
	Kind   Kind
	Left   int
	Struck uint64
}

// Armed returns the faults that still strike a call or have struck one, in the order of Faults.
func (w *World) Armed(ctx context.Context) ([]Armed, error) {
	return answered(ctx, w.read, func(m *moment) (list []Armed, err error) {
		for _, f := range faults {
			arsenal, err := m.arsenal(f.Target)
			if err != nil {
				return nil, err
			}
			if a := arsenal[f.Kind]; a != (armed{}) {
				list = append(list, Armed{f.Target, f.Kind, a.Left, a.Struck})
			}
		}
		return list, nil
	})
}

// Calm disarms every fault.
func (w *World) Calm(ctx context.Context) error {
	return w.write(ctx, func(m *moment) error {
		for _, f := range faults {
			arsenal, err := m.arsenal(f.Target)
			if err != nil {
				return err
			}
			arsenal[f.Kind] = armed{0, arsenal[f.Kind].Struck}
			if err := save(m, faultKey(f.Target), arsenal); err != nil {
				return err
			}
		}
		return nil
	})
}

// arsenal is the document of a target's faults.
type arsenal map[Kind]armed

// armed is how many calls a kind still strikes, and how many it has struck.
type armed struct {
	Left   int
	Struck uint64
}

func faultKey(t Target) string { return "fault/" + string(t) }

// arsenal reads a target's faults once a moment.
func (m *moment) arsenal(t Target) (arsenal, error) {
	if a, ok := m.faults[t]; ok {
		return a, nil
	}
	a := arsenal{}
	if _, err := load(m, faultKey(t), &a); err != nil {
		return nil, err
	}
	if m.faults == nil {
		m.faults = map[Target]arsenal{}
	}
	m.faults[t] = a
	return a, nil
}

// strike uses up one call of the first of the kinds that is armed, and returns
// it, or an empty kind.
func (m *moment) strike(t Target, kinds ...Kind) (Kind, error) {
	a, err := m.arsenal(t)
	if err != nil {
		return "", err
	}
	for _, k := range kinds {
		if left := a[k].Left; left > 0 {
			a[k] = armed{left - 1, a[k].Struck + 1}
			return k, save(m, faultKey(t), a)
		}
	}
	return "", nil
}

// answered makes a call with a body that returns an answer. A call that fails has none.
func answered[On, Answer any](
	ctx context.Context, call func(context.Context, func(On) error) error, body func(On) (Answer, error),
) (none Answer, err error) {
	var answer Answer
	err = call(ctx, func(on On) (err error) {
		answer, err = body(on)
		return err
	})
	if err != nil {
		return none, err
	}
	return answer, nil
}

// provider is what all calls of one simulated provider have in common.
type provider struct {
	world  *World
	target Target
	// unavailable is its port's error for a call that was not answered.
	unavailable error
}

// query runs body as a call that changes nothing outside the simulation.
func (p provider) query(ctx context.Context, body func(*moment) error) error {
	return p.call(ctx, p.world.read, body, Unavailable, Slow)
}

// effect runs body as a call that changes the world.
func (p provider) effect(ctx context.Context, body func(*moment) error) error {
	return p.call(ctx, p.world.write, body, Unavailable, AnswerLost, Slow)
}

// call runs body unless a fault keeps the call from arriving, and keeps its
// answer back when a fault says so. Errors of body are errors of the store: the
// provider is then unavailable.
func (p provider) call(ctx context.Context, open func(context.Context, func(*moment) error) error, body func(*moment) error, kinds ...Kind) error {
	var struck Kind
	err := open(ctx, func(m *moment) (err error) {
		struck, err = m.strike(p.target, kinds...)
		if err != nil || struck == Unavailable {
			return err
		}
		return body(m)
	})
	if err == nil && struck == Slow {
		err = p.world.sleep(ctx, Slowness)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", p.unavailable, err)
	case struck == Unavailable, struck == AnswerLost:
		return p.unavailable
	}
	return nil
}
