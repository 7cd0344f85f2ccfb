package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/openapi"
)

// types names the Go type of each schema.
type types struct {
	openapi.Document
	// enums are the enumerations by name, and named their names by their words.
	enums map[string][]string
	named map[string]string
	// usedBy are the methods and types that use a component, and homes the service whose
	// file has it.
	usedBy map[string][]string
	homes  map[string]string
}

// goName is the name of a component in Go.
func goName(component string) string {
	if name, ok := renamed[component]; ok {
		return name
	}
	return strings.TrimSuffix(component, "Input") + inputSuffix(component)
}

// inputSuffix tells the types of parameters from those of results.
func inputSuffix(component string) string {
	if strings.HasSuffix(component, "Input") {
		return "Param"
	}
	return ""
}

// of returns the Go type of a member of an owner. A result of the operation lends its
// enumerations to the parameters.
func (t *types) of(owner string, m member, input bool, result *openapi.Schema) string {
	s, null := m.Plain()
	pointer := ""
	if null && !(input && m.required) {
		pointer = "*"
	}
	switch {
	case s.Form == "full":
		return "Amount"
	case s.Form == "price":
		return "Price"
	case s.Form == "instant":
		return "time.Time"
	case s.Ref != "":
		return t.reference(owner, s, pointer, input && !m.required)
	case t.boolean(s, m.place):
		return map[bool]string{true: "*bool", false: pointer + "bool"}[m.place == "query"]
	case len(s.Words()) > 0 || isCurrency(m.name):
		return t.enumeration(owner, m, s, input && null, result)
	}
	return t.simple(owner, s, pointer, input)
}

// reference is the type of a component; one that may be left out is a pointer.
func (t *types) reference(owner string, s *openapi.Schema, pointer string, optional bool) string {
	t.uses(goName(s.Name()), owner)
	if optional {
		pointer = "*"
	}
	return pointer + goName(s.Name())
}

func (t *types) boolean(s *openapi.Schema, place string) bool {
	return slices.Contains(s.Type, "boolean") || place == "query" && slices.Equal(s.Words(), []string{"true", "false", "1", "0"})
}

func isCurrency(name string) bool { return name == "currency" || strings.HasSuffix(name, "_currency") }

// simple is the type of what is no component, no amount and no word.
func (t *types) simple(owner string, s *openapi.Schema, pointer string, input bool) string {
	switch kind := s.Type[0]; {
	case kind == "string" && s.Format == "date-time":
		return pointer + "time.Time"
	case kind == "string" && !input:
		return "string" // null is the empty text
	case kind == "string":
		return pointer + "string"
	case kind == "integer":
		return pointer + "int64"
	case kind == "number":
		return "json.Number"
	case kind == "array":
		return "[]" + t.of(owner, member{"", "body", true, s.Items}, false, nil)
	case s.MaxProps > 0, s.Additional == nil:
		return "Metadata"
	}
	return "map[string]" + t.of(owner, member{"", "body", true, s.Additional}, false, nil)
}

// synonyms are words that a filter takes for another one.
var synonyms = []string{"success", "successful", "completed"}

// enumeration is the type of a word.
func (t *types) enumeration(owner string, m member, s *openapi.Schema, pointer bool, result *openapi.Schema) string {
	words := slices.Sorted(slices.Values(s.Words()))
	star := map[bool]string{true: "*"}[pointer]
	if isCurrency(m.name) {
		words = []string{"NGN", "USDC"}
	}
	if m.name == "amount_unit" {
		words = []string{"major", "minor"}
	}
	if lent := t.lent(m, words, result); lent != "" {
		return star + lent
	}
	if len(words) == 1 {
		return star + "string"
	}
	key := strings.Join(words, ",")
	if name, known := t.named[key]; known {
		return star + name
	}
	name := t.enumName(key, owner, camel(m.name))
	t.enums[name], t.named[key] = words, name
	return star + name
}

// enumName is a name that no other enumeration has.
func (t *types) enumName(key, owner, member string) string {
	for _, name := range []string{enumerations[key], enumOwner(owner) + member, owner + member} {
		if _, taken := t.enums[name]; name != "" && !taken {
			return name
		}
	}
	panic("no name is left for the enumeration of " + key + ": give it one in enumerations")
}

func enumOwner(owner string) string {
	for _, suffix := range []string{"Params", "Param", "Row", "Details"} {
		owner = strings.TrimSuffix(owner, suffix)
	}
	return owner
}

// lent is the enumeration that the result of an operation has for the words of a parameter.
func (t *types) lent(m member, words []string, result *openapi.Schema) string {
	if result == nil || result.Name() == "" {
		return ""
	}
	of := t.Components.Schemas[result.Name()].Properties[m.name]
	if of == nil {
		return ""
	}
	theirs := slices.Sorted(slices.Values(of.Words()))
	for _, word := range words {
		if !slices.Contains(theirs, word) && !slices.Contains(synonyms, word) {
			return ""
		}
	}
	return t.named[strings.Join(theirs, ",")]
}

func (t *types) uses(component, owner string) {
	if !slices.Contains(t.usedBy[component], owner) {
		t.usedBy[component] = append(t.usedBy[component], owner)
	}
}

// reach returns the components that a schema leads to.
func (t *types) reach(s *openapi.Schema, found map[string]bool) {
	if s == nil {
		return
	}
	if name := s.Name(); name != "" {
		if found[name] {
			return
		}
		found[name] = true
		s = t.Components.Schemas[name]
	}
	for _, of := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*openapi.Schema{s.Items, s.Additional}) {
		t.reach(of, found)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		t.reach(s.Properties[name], found)
	}
}
