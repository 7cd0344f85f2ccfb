package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/openapi"
)

// add gives a service the methods of an operation.
func (s *service) add(t *types, o *operation) {
	if tag := fmt.Sprintf("%q", o.Tags[0]); !slices.Contains(s.tags, tag) {
		s.tags = append(s.tags, tag)
	}
	switch {
	case o.row == nil:
		s.addOne(t, o, o.plan.method, o.in)
	case !o.paged:
		s.addRows(t, o)
	default:
		selectors := o.selectors()
		if o.one != nil {
			for _, by := range selectors {
				s.addSelected(t, o, by)
			}
		}
		s.addPages(t, o, selectors)
	}
}

// addOne adds a method that answers one thing.
func (s *service) addOne(t *types, o *operation, name string, in []member) {
	c := s.takes(t, o, cmp.Or(o.params, camel(o.ID)+"Params"), name, in, o.one)
	of := s.resultOf(t, o, name)
	call := "data"
	if len(o.beside) > 0 {
		of, call = s.putResult(t, o, of), "whole"
	}
	s.method(o, name, "", c, "*"+of, fmt.Sprintf("return %s[%s](ctx, s.caller, %s, options)", call, of, c.request(o)))
}

// resultOf is the type of an operation's data.
func (s *service) resultOf(t *types, o *operation, method string) string {
	of := cmp.Or(o.one, o.row)
	return t.of(s.name+"."+method, member{"", "body", true, of}, false, nil)
}

// putResult adds the type of an answer that has more than its data.
func (s *service) putResult(t *types, o *operation, of string) string {
	name := camel(strings.TrimPrefix(strings.TrimPrefix(o.ID, "get"), "list")) + "Result"
	body := fmt.Sprintf("%s %s `json:\"data\"`\n", of, of)
	if o.one == nil {
		body = fmt.Sprintf("Data []%s `json:\"data\"`\n", of)
	}
	s.put(name, name+" is an answer with what stands beside its data.", body+t.fields(name, o.beside, false, nil))
	return name
}

// addRows adds a method that answers a list without pages.
func (s *service) addRows(t *types, o *operation) {
	name := o.plan.method
	c := s.takes(t, o, cmp.Or(o.params, camel(o.ID)+"Params"), name, o.in, o.row)
	of := s.resultOf(t, o, name)
	if len(o.beside) == 0 {
		s.method(o, name, "", c, "[]"+of, fmt.Sprintf("return rows[%s](ctx, s.caller, %s, options)", of, c.request(o)))
		return
	}
	result := s.putResult(t, o, of)
	s.method(o, name, "", c, "*"+result, fmt.Sprintf("return whole[%s](ctx, s.caller, %s, options)", result, c.request(o)))
}

// addSelected adds a method that reads one thing by a parameter.
func (s *service) addSelected(t *types, o *operation, by selector) {
	in := []member{by.member}
	in[0].required = true
	for _, m := range o.in {
		if slices.Contains(o.detail, m.name) {
			in = append(in, m)
		}
	}
	c := calling{named: []member{in[0]}}
	if len(in) > 1 {
		c.params = "Get" + camel(strings.TrimSuffix(strings.TrimPrefix(o.ID, "get"), "s")) + "Params"
		s.put(c.params, c.params+" are the parameters of "+s.name+"."+by.method+".", t.fields(c.params, in[1:], true, o.one))
		c.rest = in[1:]
	}
	of := t.of(s.name+"."+by.method, member{"", "body", true, o.one}, false, nil)
	s.method(o, by.method, "read one by its "+by.name, c, "*"+of, fmt.Sprintf("return data[%s](ctx, s.caller, %s, options)", of, c.request(o)))
}

// addPages adds the methods that read a page of a list, and all of it.
func (s *service) addPages(t *types, o *operation, selectors []selector) {
	page, every := o.listing()
	var in []member
	for _, m := range o.in {
		selects := o.one != nil && slices.ContainsFunc(selectors, func(by selector) bool { return by.name == m.name })
		if !selects && (!slices.Contains(o.detail, m.name) || m.name == "page" || m.name == "limit") {
			in = append(in, m)
		}
	}
	c := calling{params: cmp.Or(o.params, "List"+camel(strings.TrimPrefix(strings.TrimPrefix(o.ID, "get"), "list"))+"Params"), rest: in}
	s.put(c.params, c.params+" are the parameters of "+s.name+"."+page+" and "+s.name+"."+every+".", t.fields(c.params, in, true, o.row))
	row := t.of(s.name+"."+page, member{"", "body", true, o.row}, false, nil)
	result, inner := "Page["+row+"]", "return s."+page+"(ctx, params, options...)"
	if len(o.beside) > 0 {
		name := row + "Page"
		s.put(name, name+" is a page with what stands beside its rows.", result+"\n"+t.fields(name, o.beside, false, nil))
		inner = "read, err := s." + page + "(ctx, params, options...)\nif err != nil {\nreturn nil, err\n}\nreturn &read.Page, nil"
		result = name
	}
	s.method(o, page, "read a page of the list", c, "*"+result, fmt.Sprintf("return whole[%s](ctx, s.caller, %s, options)", result, c.request(o)))
	fmt.Fprintf(&s.methods, `// %s goes through the rows from params.Page to the last, %s by %s.
func (s *%sService) %s(ctx context.Context, params %s, options ...Option) iter.Seq2[%s, error] {
	if params.Limit == 0 {
		params.Limit = manyRows
	}
	return all(int(params.Page), func(page int) (*Page[%s], error) {
		params.Page = int64(page)
		%s
	}, func(row %s) string { return %s })
}

`, every, "page", "page", s.name, every, c.params, row, row, inner, row, t.nameOfRow(o.row))
}

// nameOfRow is the expression that tells one row from the others.
func (t *types) nameOfRow(row *openapi.Schema) string {
	properties := t.Components.Schemas[row.Name()].Properties
	for _, name := range []string{"id", "uid", "reference", "trx_id"} {
		if s := properties[name]; s != nil && slices.Equal(s.Type, openapi.Types{"string"}) {
			return "row." + camel(name)
		}
	}
	return `""`
}

// calling is what a method takes: some members by name, the rest as a struct.
type calling struct {
	named  []member
	params string
	rest   []member
	types  map[string]string
}

// takes decides what a method takes. One member alone needs no struct.
func (s *service) takes(t *types, o *operation, params, method string, in []member, result *openapi.Schema) calling {
	c := calling{types: map[string]string{}}
	for _, m := range in {
		if m.place == "path" {
			c.named = append(c.named, m)
		} else {
			c.rest = append(c.rest, m)
		}
	}
	if len(c.rest) == 1 && (c.rest[0].required || strings.HasSuffix(c.rest[0].name, "id")) {
		m := c.rest[0]
		m.required = true
		c.named, c.rest = append(c.named, m), nil
		c.types[m.name] = t.of(params, m, true, result)
	}
	if len(c.rest) > 0 {
		c.params = params
		s.put(params, params+" are the parameters of "+s.name+"."+method+".", t.fields(params, c.rest, true, result))
	}
	return c
}

// arguments are those of a method.
func (c calling) arguments() string {
	all := []string{"ctx context.Context"}
	for _, m := range c.named {
		all = append(all, unexported(m.name)+" "+cmp.Or(c.types[m.name], "string"))
	}
	if c.params != "" {
		all = append(all, "params "+c.params)
	}
	return strings.Join(append(all, "options ...Option"), ", ")
}

// request is the expression of a call.
func (c calling) request(o *operation) string {
	fields := []string{fmt.Sprintf("method: %q", o.verb), "path: " + c.path(o.path)}
	query, body := c.query(), c.body()
	if query != "" {
		fields = append(fields, "query: "+query)
	}
	if body != "" {
		fields = append(fields, "body: "+body)
	}
	return "request{" + strings.Join(fields, ", ") + "}"
}

func (c calling) path(path string) string {
	text := fmt.Sprintf("%q", path)
	for _, m := range c.named {
		if m.place == "path" {
			text = strings.ReplaceAll(text, "{"+m.name+"}", `" + url.PathEscape(`+unexported(m.name)+`) + "`)
		}
	}
	return strings.TrimSuffix(text, ` + ""`)
}

func (c calling) query() string {
	query := ""
	if slices.ContainsFunc(c.rest, func(m member) bool { return m.place == "query" }) {
		query = "queryOf(params)"
	}
	for _, m := range c.named {
		switch {
		case m.place == "query" && query != "":
			query = fmt.Sprintf("with(%s, %q, %s)", query, m.name, unexported(m.name))
		case m.place == "query":
			query = fmt.Sprintf("url.Values{%q: {parameter(%s)}}", m.name, unexported(m.name))
		}
	}
	return query
}

func (c calling) body() string {
	for _, m := range c.named {
		if m.place == "body" {
			return fmt.Sprintf("map[string]any{%q: %s}", m.name, unexported(m.name))
		}
	}
	if slices.ContainsFunc(c.rest, func(m member) bool { return m.place == "body" }) {
		return "params"
	}
	return ""
}

// method adds a method.
func (s *service) method(o *operation, name, does string, c calling, result, body string) {
	does = cmp.Or(does, lowered(strings.TrimSuffix(o.Summary, ".")))
	doc := fmt.Sprintf("%s calls %s %s: %s.", name, o.verb, o.path, does)
	for _, said := range []string{"What is shown once is left out of a repeated answer.", "It exists in the sandbox only, for test keys; elsewhere it is 404."} {
		if strings.Contains(o.Description, said) {
			doc += " " + said
		}
	}
	fmt.Fprintf(&s.methods, "%sfunc (s *%sService) %s(%s) (%s, error) {\n%s\n}\n\n", comment("", doc), s.name, name, c.arguments(), result, body)
}
