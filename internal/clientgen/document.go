package main

import (
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/openapi"
)

// operation is a route as the client sees it.
type operation struct {
	*openapi.Operation
	verb, path string
	plan
	// in are the members of path, query and body that a caller sets.
	in []member
	// one and row are the types of one thing and of the rows of a list; either may be empty.
	one, row *openapi.Schema
	paged    bool
	// beside are the members of the answer that say more than its data.
	beside []member
}

// member is a member of a schema, or a parameter.
type member struct {
	name, place string // place is path, query or body
	required    bool
	*openapi.Schema
}

// read fills in what an operation takes and answers.
func (o *operation) read(t *types) {
	for _, p := range o.Parameters {
		if p.Name != "" {
			s := *p.Schema
			s.Description = p.Description
			o.in = append(o.in, member{p.Name, p.In, p.Required, &s})
		}
	}
	if body := o.RequestBody.JSON(); body != nil {
		o.in = append(o.in, membersOf(body)...)
	}
	o.in = o.settable(o.in)
	answer := o.Answer()
	_, o.paged = answer.Properties["meta"]
	switch shown := answer.Properties["data"]; {
	case len(shown.OneOf) == 2:
		o.one, o.row = shown.OneOf[0], shown.OneOf[1].Items
	case slices.Contains(shown.Type, "array"):
		o.row = shown.Items
	default:
		o.one = shown
	}
	for _, m := range membersOf(answer) {
		if !slices.Contains(envelope, m.name) && !t.repeats(o.one, m.name) {
			o.beside = append(o.beside, m)
		}
	}
}

// envelope are members of answers that stand in pages, or repeat what the data has.
var envelope = []string{"data", "meta", "pagination", "url", "trx_id", "transaction_hash"}

// membersOf are the members of an object, in the order in which a reader asks for them.
func membersOf(s *openapi.Schema) []member {
	var all []member
	for name, of := range s.Properties {
		all = append(all, member{name, "body", slices.Contains(s.Required, name), of})
	}
	slices.SortFunc(all, func(a, b member) int { return compare(a.name, b.name) })
	return all
}

// settable drops what a caller has no use for: other names of a member, what is refused or
// ignored, and the key that an option gives.
func (o *operation) settable(all []member) []member {
	return slices.DeleteFunc(useful(all), func(m member) bool { return slices.Contains(o.drop, m.name) })
}

func useful(all []member) (kept []member) {
	for _, m := range all {
		if !useless(m, all) {
			kept = append(kept, m)
		}
	}
	return kept
}

func useless(m member, all []member) bool {
	switch first, alias := aliasIn(m.Description); {
	case m.name == "idempotency_key", m.name == "amount_unit" && m.place == "body":
		return true
	case strings.HasPrefix(m.Description, "Refused:"), strings.HasPrefix(m.Description, "As it is"), strings.HasPrefix(m.Description, "As they are"):
		return true
	case alias:
		return slices.ContainsFunc(all, func(other member) bool { return other.name == first })
	}
	return false
}

// aliasIn returns the member that a description says is the same: "As id", "The same as id".
func aliasIn(description string) (string, bool) {
	for _, start := range []string{"As ", "The same as "} {
		if rest, ok := strings.CutPrefix(description, start); ok {
			first, _, _ := strings.Cut(rest, ",")
			return first, !strings.Contains(first, " ")
		}
	}
	return "", false
}
