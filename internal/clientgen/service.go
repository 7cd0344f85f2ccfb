package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/openapi"
)

// service is a group of the API: a file of package client.
type service struct {
	name    string
	tags    []string
	methods strings.Builder
	// structs are the bodies of its types, by name, and docs what is said of them.
	structs, docs map[string]string
}

// file is the text of a service's file.
func (s *service) file(t *types) string {
	var out strings.Builder
	about := fmt.Sprintf("%sService has the calls that docs/api.md describes under %s.", s.name, listed(s.tags))
	fmt.Fprintf(&out, "%stype %sService struct{ caller *caller }\n\n", comment("", about), s.name)
	out.WriteString(s.methods.String())
	for _, name := range slices.Sorted(maps.Keys(s.structs)) {
		doc := cmp.Or(s.docs[name], t.told(name))
		fmt.Fprintf(&out, "%stype %s struct {\n%s}\n\n", comment("", doc), name, s.structs[name])
	}
	return out.String()
}

// told says who uses a type.
func (t *types) told(name string) string {
	users := t.usedBy[name]
	var methods, owners []string
	for _, user := range users {
		if strings.Contains(user, ".") {
			methods = append(methods, user)
		} else {
			owners = append(owners, user)
		}
	}
	if len(methods) > 0 {
		return name + " is what " + listed(methods) + map[bool]string{true: " answers.", false: " answer."}[len(methods) == 1]
	}
	return name + " is part of " + listed(owners) + "."
}

func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// keep puts the types that schemas lead to into the file of a service, unless another one has
// them.
func (t *types) keep(s *service, home string, input bool, of ...*openapi.Schema) {
	found := map[string]bool{}
	for _, one := range of {
		t.reach(one, found)
	}
	for _, component := range slices.Sorted(maps.Keys(found)) {
		if t.homes[component] != "" || slices.Contains(typesByHand, component) {
			continue
		}
		t.homes[component] = home
		name := goName(component)
		members := membersOf(t.Components.Schemas[component])
		if input {
			members = useful(members)
		}
		s.put(name, "", t.fields(name, members, input, nil))
	}
}

func (s *service) put(name, doc, body string) {
	if s.structs == nil {
		s.structs, s.docs = map[string]string{}, map[string]string{}
	}
	if _, twice := s.structs[name]; twice {
		panic("two types are called " + name + ": rename one in the plans")
	}
	s.structs[name], s.docs[name] = body, doc
}

// fields are those of a struct.
func (t *types) fields(owner string, members []member, input bool, result *openapi.Schema) string {
	var out strings.Builder
	for _, m := range members {
		of := t.of(owner, m, input, result)
		if m.Description != "" {
			out.WriteString(comment("\t", sentence(m, of)))
		}
		fmt.Fprintf(&out, "%s %s `%s`\n", camel(m.name), of, tagOf(m, of, input))
	}
	return out.String()
}

// sentence is what is said of a member.
func sentence(m member, of string) string {
	text := strings.TrimSuffix(m.Description, ".")
	if before, _, more := strings.Cut(text, "Also accepted as"); more {
		text = strings.TrimSuffix(strings.TrimSpace(before), ".")
	}
	return camel(m.name) + ": " + null.ReplaceAllString(lowered(text), empty(of)) + "."
}

var null = regexp.MustCompile(`\b[Nn]ull\b`)

// empty is what null is in Go.
func empty(of string) string {
	if of == "*string" {
		return "an empty text"
	}
	if strings.HasPrefix(of, "*") || strings.HasPrefix(of, "[]") || of == "Metadata" {
		return "nil"
	}
	return "empty"
}

// tagOf is the tag of a field. What is empty is not sent, unless it is required.
func tagOf(m member, of string, input bool) string {
	switch {
	case m.place == "query":
		return fmt.Sprintf(`json:"-" query:"%s"`, m.name)
	case !input, m.required:
		return fmt.Sprintf(`json:"%s"`, m.name)
	case of == "Amount", of == "Price", of == "time.Time", strings.HasPrefix(of, "[]"), of == "Metadata": // an empty list is sent
		return fmt.Sprintf(`json:"%s,omitzero"`, m.name)
	}
	return fmt.Sprintf(`json:"%s,omitempty"`, m.name)
}
