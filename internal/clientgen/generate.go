package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/openapi"
)

// generate returns the files of package client that an OpenAPI document makes.
func generate(text []byte) (map[string][]byte, error) {
	t := &types{
		enums: map[string][]string{}, named: map[string]string{},
		usedBy: map[string][]string{}, homes: map[string]string{},
	}
	if err := json.Unmarshal(text, &t.Document); err != nil {
		return nil, err
	}
	all := t.operations()
	services := map[string]*service{}
	for _, o := range all { // results first: they lend their enumerations
		s := services[o.service]
		if s == nil {
			s = &service{name: o.service}
			services[o.service] = s
		}
		t.keep(s, o.service, false, o.one, o.row)
		for _, m := range o.beside {
			t.keep(s, o.service, false, m.Schema)
		}
	}
	for _, o := range all {
		s := services[o.service]
		for _, m := range o.in {
			t.keep(s, o.service, true, m.Schema)
		}
		s.add(t, o)
	}
	files := map[string]string{
		"services.go": servicesFile(slices.Sorted(maps.Keys(services))), "codes.go": t.codesFile(), "enums.go": t.enumsFile(),
	}
	for name, s := range services {
		files[strings.ToLower(name)+".go"] = s.file(t)
	}
	return formatted(files)
}

// formatted are the files in gofmt's form.
func formatted(files map[string]string) (map[string][]byte, error) {
	made := map[string][]byte{}
	for name, text := range files {
		source, err := format.Source([]byte(mark + "\npackage client\n\n" + imports(text) + text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", name, err, text)
		}
		made[name] = source
	}
	return made, nil
}

// imports are those that a text of Go needs.
func imports(text string) string {
	var out strings.Builder
	for _, pkg := range []string{"context", "encoding/json", "iter", "net/url", "time"} {
		if strings.Contains(text, pkg[strings.LastIndex(pkg, "/")+1:]+".") {
			fmt.Fprintf(&out, "%q\n", pkg)
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return "import (\n" + out.String() + ")\n\n"
}

// operations are those that get methods, by service, path and verb.
func (t *types) operations() []*operation {
	var all []*operation
	for path, verbs := range t.Paths {
		for verb, d := range verbs {
			if reasonToSkip(d) != "" {
				continue
			}
			o := &operation{Operation: d, verb: strings.ToUpper(verb), path: path, plan: planOf(d)}
			o.read(t)
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b *operation) int {
		return cmp.Or(cmp.Compare(a.service, b.service), cmp.Compare(a.path, b.path), cmp.Compare(a.verb, b.verb))
	})
	return all
}

// repeats reports whether a member beside the data stands in the data as well.
func (t *types) repeats(one *openapi.Schema, name string) bool {
	if one == nil || one.Name() == "" {
		return false
	}
	_, there := t.Components.Schemas[one.Name()].Properties[name]
	return there
}

// servicesFile is the file of Client.
func servicesFile(names []string) string {
	names = slices.Sorted(slices.Values(append(names, "Events")))
	var fields, made strings.Builder
	for _, name := range names {
		fmt.Fprintf(&fields, "%s *%sService\n", name, name)
		fmt.Fprintf(&made, "%s: &%sService{c},\n", name, name)
	}
	return "// Client calls a server: it has a service for each group of the API. It may be used by several\n" +
		"// goroutines at once. Make one with New.\ntype Client struct {\n" + fields.String() + "}\n\n" +
		"func newClient(c *caller) *Client {\nreturn &Client{\n" + made.String() + "}\n}\n"
}

// codesFile is the file of the codes of errors.
func (t *types) codesFile() string {
	texts := map[string]string{}
	s := t.Components.Schemas["ErrorCode"]
	for line := range strings.Lines(s.Description) {
		if code, text, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- `"), "` "); ok {
			texts[code] = text
		}
	}
	var out strings.Builder
	out.WriteString("// The codes of errors, with the HTTP status of each.\nconst (\n")
	for _, code := range slices.Sorted(slices.Values(s.Words())) {
		fmt.Fprintf(&out, "%sCode%s Code = %q\n", comment("\t", "Code"+camel(code)+" "+texts[code]), camel(code), code)
	}
	return out.String() + ")\n"
}

// enumsFile is the file of the words that members may have.
func (t *types) enumsFile() string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.enums)) {
		fmt.Fprintf(&out, "// %s is a word of the API. A newer server may have further ones.\ntype %s string\n\n", name, name)
		fmt.Fprintf(&out, "// The words of %s.\nconst (\n", name)
		for _, word := range t.enums[name] {
			fmt.Fprintf(&out, "%s%s %s = %q\n", name, camel(word), name, word)
		}
		out.WriteString(")\n\n")
	}
	return out.String()
}
