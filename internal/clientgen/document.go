package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// document is as much of an OpenAPI document as the client needs.
type document struct {
	Paths      map[string]map[string]*described `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

// described is an operation of the document.
type described struct {
	ID          string   `json:"operationId"`
	Tags        []string `json:"tags"`
	Summary     string   `json:"summary"`
	Description string   `json:"description"`
	AliasOf     string   `json:"x-alias-of"`
	Parameters  []struct {
		Name        string  `json:"name"`
		In          string  `json:"in"`
		Required    bool    `json:"required"`
		Description string  `json:"description"`
		Schema      *schema `json:"schema"`
	} `json:"parameters"`
	RequestBody struct {
		Content map[string]struct {
			Schema *schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]struct {
			Schema *schema `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

// schema is a JSON Schema.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        oneOrMore          `json:"type"`
	Format      string             `json:"format"`
	Form        string             `json:"x-form"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	Additional  *schema            `json:"additionalProperties"`
	OneOf       []*schema          `json:"oneOf"`
	AnyOf       []*schema          `json:"anyOf"`
	AllOf       []*schema          `json:"allOf"`
	MaxProps    int                `json:"maxProperties"`
}

// oneOrMore is a type, or a list of types.
type oneOrMore []string

// UnmarshalJSON reads either.
func (t *oneOrMore) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// name is that of the component which a schema refers to, or nothing.
func (s *schema) name() string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

// plain returns a schema without null, and whether null was allowed.
func (s *schema) plain() (*schema, bool) {
	for i, of := range s.AnyOf {
		if slices.Equal(of.Type, oneOrMore{"null"}) {
			other := *s.AnyOf[1-i]
			other.Description = s.Description
			return &other, true
		}
	}
	if !slices.Contains(s.Type, "null") {
		return s, false
	}
	other := *s
	other.Type = slices.DeleteFunc(slices.Clone(s.Type), func(t string) bool { return t == "null" })
	return &other, true
}

// words are the values of an enumeration of texts.
func (s *schema) words() []string {
	var words []string
	for _, value := range s.Enum {
		if text, ok := value.(string); ok {
			words = append(words, text)
		}
	}
	return words
}

// operation is a route as the client sees it.
type operation struct {
	*described
	verb, path string
	plan
	// in are the members of path, query and body that a caller sets.
	in []member
	// one and row are the types of one thing and of the rows of a list; either may be empty.
	one, row *schema
	paged    bool
	// beside are the members of the answer that say more than its data.
	beside []member
}

// member is a member of a schema, or a parameter.
type member struct {
	name, place string // place is path, query or body
	required    bool
	*schema
}

// answer returns the part of an operation's answer that its envelope does not have.
func (d *described) answer() *schema {
	return d.Responses["200"].Content["application/json"].Schema.AllOf[1]
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
	if body, ok := o.RequestBody.Content["application/json"]; ok {
		o.in = append(o.in, membersOf(body.Schema)...)
	}
	o.in = o.settable(o.in)
	answer := o.answer()
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
func membersOf(s *schema) []member {
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
