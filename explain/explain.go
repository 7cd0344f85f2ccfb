// Package explain is the form of an answer to "why is it not paid?" and "why is it not done?":
// what is missing, what is awaited and until when, what was refused and why, and what can be done
// next. It is data for programs, and short sentences for people.
//
// Each domain explains its own records, in its explain.go. A program that embeds the engine asks
// Engine.Explain, which finds the record and joins what several domains know of it.
//
//   - [Explanation]: the answer
//   - [Point]: one thing of it, and [Who] has to act or has acted
//   - [Money]: an amount in words
//
// [New] and the methods that add to an Explanation are for the domains.
package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/ferrypay/ferry/money"
)

// Explanation says why something stands where it does.
type Explanation struct {
	// Resource is what it is about, in the words of docs/lifecycles.md, as in "payment".
	Resource string
	// ID is its id, and Reference the business's own name of it, or empty.
	ID, Reference string
	// Status is where it stands, as its lifecycle names it.
	Status string
	// Ended says that nothing moves it on any more, unless it is noted in Next.
	Ended bool
	// At is the time of the environment at which all of this was so.
	At time.Time
	// Summary is the whole answer in sentences, without Next.
	Summary string
	// Missing is what has not arrived, Awaited what has to happen, Refused what somebody refused
	// and Next what somebody can do.
	Missing, Awaited, Refused, Next []Point
	// Also are other records that the same name leads to.
	Also []Named

	// Events is the record under whose id its events are sent: itself, when it is empty.
	Events string
	// Leaves says that money of it waits to leave the engine, which an operator may have stopped.
	Leaves bool
}

// Named is a record by its kind and its id.
type Named struct{ Resource, ID string }

// Point is one thing of an explanation.
type Point struct {
	// Who has to act, has refused, or can do something.
	Who Who
	// Code names the thing for programs, as in "usdc" or "approval".
	Code string
	// Text is a sentence, or several.
	Text string
	// Amount is what it is about, or the zero amount.
	Amount money.Amount
	// Until is how long it is awaited, or when it happens by itself; zero when that has no end.
	Until time.Time
	// At is when it happened, or zero.
	At time.Time
}

// Who is a party.
type Who string

const (
	// Payer is who pays the business, or visits its page.
	Payer Who = "payer"
	// Caller is the program of the business.
	Caller Who = "caller"
	// Approver is a second key or person of the business.
	Approver Who = "approver"
	// Operator runs the server.
	Operator Who = "operator"
	// Receiver is the business's webhook endpoint.
	Receiver Who = "receiver"
	// Bank, Biller, Chain and Identity are the providers.
	Bank     Who = "bank"
	Biller   Who = "biller"
	Chain    Who = "chain"
	Identity Who = "identity_provider"
	// Engine is the engine itself, at its next turn.
	Engine Who = "engine"
)

// New returns an explanation that says nothing yet.
func New[I, S ~string](resource string, id I, reference string, status S, at time.Time) *Explanation {
	return &Explanation{Resource: resource, ID: string(id), Reference: reference, Status: string(status), At: at}
}

// Say adds a sentence. Amounts and instants among the arguments are written as people read them.
func (x *Explanation) Say(format string, args ...any) { x.add(x.words(format, args)) }

// Miss adds what has not arrived.
func (x *Explanation) Miss(who Who, code string, amount money.Amount, format string, args ...any) {
	x.Missing = append(x.Missing, Point{Who: who, Code: code, Amount: amount, Text: x.said(format, args)})
}

// Await adds what has to happen, and until when; a zero instant is no end.
func (x *Explanation) Await(who Who, code string, until time.Time, format string, args ...any) {
	x.Awaited = append(x.Awaited, Point{Who: who, Code: code, Until: until, Text: x.said(format, args)})
}

// Refuse adds what somebody refused, and when; a zero instant is not known.
func (x *Explanation) Refuse(who Who, code string, at time.Time, format string, args ...any) {
	x.Refused = append(x.Refused, Point{Who: who, Code: code, At: at, Text: x.said(format, args)})
}

// Do adds what somebody can do.
func (x *Explanation) Do(who Who, code string, format string, args ...any) {
	x.Next = append(x.Next, Point{Who: who, Code: code, Text: x.words(format, args)})
}

// Join adds all that another explanation says.
func (x *Explanation) Join(other *Explanation) {
	x.add(other.Summary)
	x.Missing = append(x.Missing, other.Missing...)
	x.Awaited = append(x.Awaited, other.Awaited...)
	x.Refused = append(x.Refused, other.Refused...)
	x.Next = append(x.Next, other.Next...)
	x.Leaves = x.Leaves || other.Leaves
}

// said is words, and adds them to the summary.
func (x *Explanation) said(format string, args []any) string {
	text := x.words(format, args)
	x.add(text)
	return text
}

func (x *Explanation) add(sentence string) {
	x.Summary = strings.TrimSpace(x.Summary + " " + sentence)
}

// words formats a sentence.
func (x *Explanation) words(format string, args []any) string {
	readable := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case money.Amount:
			readable[i] = Money(arg)
		case time.Time:
			readable[i] = Clock(arg, x.At)
		default:
			readable[i] = arg
		}
	}
	return fmt.Sprintf(format, readable...)
}
