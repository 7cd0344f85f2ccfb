package disburse

import (
	"time"

	"github.com/ferrypay/ferry/explain"
)

// providers are who makes the payments, as sentences begin with them.
var providers = map[explain.Who]string{explain.Bank: "The bank", explain.Biller: "The biller"}

// ExplainAnswer adds to an explanation why a provider has not made a payment that it was asked for, or is
// to be asked for.
func (p Progress) ExplainAnswer(x *explain.Explanation, who explain.Who) {
	x.Leaves = true
	name := providers[who]
	switch p.Answer {
	case "":
		x.Await(who, "answer", time.Time{}, "%s has not answered yet.", name)
	case InProgress:
		x.Await(who, string(InProgress), time.Time{}, "%s has accepted it and has not made it yet.", name)
	case Unavailable:
		x.Refuse(who, string(Unavailable), p.UpdatedAt, "%s gave no clear answer %s in a row, so nobody knows whether the money has moved.", name, explain.Times(p.Attempts))
		x.Await(who, "answer", time.Time{}, "It is asked again until it answers, and the money stays set aside.")
	case NotAsPaid:
		x.Refuse(who, string(NotAsPaid), p.UpdatedAt, "%s says that it has paid, but not this amount or not to this receiver.", name)
		awaitPerson(x)
	case UnknownKey:
		x.Refuse(who, string(UnknownKey), p.UpdatedAt, "%s knows of no such payment, although it was asked twice to make it.", name)
		awaitPerson(x)
	default: // Declined, UnknownSession and TooMuch
		p.explainRefusal(x, who)
	}
}

// awaitPerson says that a person has to find out what happened.
func awaitPerson(x *explain.Explanation) {
	x.Await(explain.Operator, "resolve", time.Time{}, "A person has to find out what happened to the money.")
	x.Do(explain.Operator, "resolve", "Ask the provider about %s, then end it with: ferry outflow resolve.", x.ID)
}

// refusals are why a provider refuses a payment, by its answer.
var refusals = map[Answer]string{
	UnknownSession: "it knows of no such credit",
	TooMuch:        "less than that is left of the credit",
	Declined:       "it does not make the payment",
}

// explainRefusal adds that a provider refuses a payment, and is asked again.
func (p Progress) explainRefusal(x *explain.Explanation, who explain.Who) {
	x.Refuse(who, string(p.Answer), p.UpdatedAt, "%s has refused it %s in a row: %s.", providers[who], explain.Times(p.Attempts), refusals[p.Answer])
	x.Await(who, "answer", time.Time{}, "It is asked again, with growing pauses, until the reason is mended.")
	x.Do(explain.Operator, "mend", "Ask the provider why it refuses %s.", x.ID)
}
