package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/internal/openapi"
)

const referenceHead = `# Reference

Written from the OpenAPI document by ` + "`make generate`" + `; do not edit. Every route with all that it takes and answers, and then
every object. [The ferry HTTP API](api.md) says what they mean and which errors they have.

Every answer stands in an [envelope](api.md#envelopes). What a route answers is its ` + "`data`" + `; a list has ` + "`meta`" + ` beside it. A
route that writes also takes the header ` + "`Idempotency-Key`" + `. An amount in full units is in naira or USDC, never in kobo. Of
two paths that do the same, one is described.
`

// writeReference prints every route by its group, and every object.
func writeReference(w io.Writer) error {
	r := reference{Writer: w}
	if err := json.Unmarshal(httpapi.OpenAPI(), &r.Document); err != nil {
		return err
	}
	fmt.Fprint(w, referenceHead)
	for _, tag := range r.Tags {
		r.group(tag.Name)
	}
	fmt.Fprint(w, "\n## Objects\n")
	for _, name := range sorted(r.Components.Schemas) {
		r.object(name, r.Components.Schemas[name])
	}
	return nil
}

// reference is a document that is printed.
type reference struct {
	io.Writer
	openapi.Document
}

func (r reference) group(tag string) {
	fmt.Fprintf(r, "\n## %s\n\nSee [%s](api.md#%s).\n", tag, tag, anchor(tag))
	for _, path := range sorted(r.Paths) {
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if o := r.Paths[path][method]; o != nil && o.Tags[0] == tag {
				r.route(strings.ToUpper(method)+" "+path, o)
			}
		}
	}
}

func (r reference) route(name string, o *openapi.Operation) {
	fmt.Fprintf(r, "\n### `%s`\n\n", name)
	if o.AliasOf != "" {
		fmt.Fprintf(r, "The same as [`%s`](#%s).\n", o.AliasOf, anchor(o.AliasOf))
		return
	}
	fmt.Fprintf(r, "%s\n", o.Description)
	var taken []row
	for _, p := range o.Parameters {
		if p.Name != "" {
			taken = append(taken, row{p.Name, p.In, p.Required, p.Schema, p.Description})
		}
	}
	if body := o.RequestBody.JSON(); body != nil {
		taken = append(taken, r.members("", "body", body)...)
	}
	r.table("Takes", taken)
	answer := o.Answer()
	if data := answer.Properties["data"]; data != nil {
		fmt.Fprintf(r, "\nAnswers %s.\n", phrase(data))
		if rows := r.members("", "", data); len(rows) > 0 {
			r.table("Answer", rows)
		}
	}
	var beside []row
	for _, m := range r.members("", "", answer) {
		if !slices.Contains([]string{"data", "meta", "pagination"}, m.name) {
			beside = append(beside, m)
		}
	}
	r.table("Beside `data`", beside)
}

func (r reference) object(name string, s *openapi.Schema) {
	fmt.Fprintf(r, "\n### %s object\n", name)
	if s.Description != "" {
		fmt.Fprintf(r, "\n%s\n", s.Description)
	}
	if len(s.OneOf) > 0 {
		fmt.Fprintf(r, "\n%s.\n", either(s))
	}
	r.table("Member", r.members("", "", s))
}

// row is a line of a table: a parameter, or a member of an object.
type row struct {
	name, place string
	required    bool
	schema      *openapi.Schema
	description string
}

// members are those of an object, and those of the objects within that have no name of their own.
func (r reference) members(within, place string, s *openapi.Schema) (rows []row) {
	for _, name := range sorted(s.Properties) {
		of, _ := s.Properties[name].Plain()
		required := slices.Contains(s.Required, name)
		rows = append(rows, row{within + name, place, required, s.Properties[name], of.Description})
		if of.Items != nil {
			of, name = of.Items, name+"[]"
		}
		rows = append(rows, r.members(within+name+".", place, of)...)
	}
	return rows
}

func (r reference) table(title string, rows []row) {
	if len(rows) == 0 {
		return
	}
	placed := rows[0].place != ""
	if placed {
		fmt.Fprintf(r, "\n| %s | In | Type | |\n|---|---|---|---|\n", title)
	} else {
		fmt.Fprintf(r, "\n| %s | Type | |\n|---|---|---|\n", title)
	}
	for _, m := range rows {
		fmt.Fprintf(r, "| `%s` |", m.name)
		if placed {
			fmt.Fprintf(r, " %s |", m.place)
		}
		fmt.Fprintf(r, " %s | %s |\n", phrase(m.schema), strings.Join(slices.DeleteFunc([]string{m.mark(placed), inCell(m.description)}, empty), ". "))
	}
}

// mark says what a reader expects least: that one must give a member, or may miss it in an answer.
func (m row) mark(given bool) string {
	switch {
	case given && m.required:
		return "Required"
	case !given && !m.required:
		return "Optional"
	}
	return ""
}

// phrase is a schema in a few words.
func phrase(s *openapi.Schema) string {
	of, null := s.Plain()
	text := typed(of)
	if null {
		text += " or null"
	}
	return text
}

func typed(s *openapi.Schema) string {
	switch words := s.Words(); {
	case s.Ref != "":
		return fmt.Sprintf("[%s](#%s)", s.Name(), anchor(s.Name()+" object"))
	case len(words) > 0:
		return "`" + strings.Join(words, "`, `") + "`"
	case len(s.OneOf) > 0:
		return either(s)
	case s.Items != nil:
		return "a list of " + phrase(s.Items)
	case s.Form == "full":
		return "amount in full units"
	case s.Form == "price":
		return "amount: kobo, or USDC in full units"
	case s.Form == "instant":
		return "date or time"
	case s.Format == "date-time":
		return "time"
	case s.Format == "double":
		return "number"
	}
	return strings.Join(s.Type, " or ") + bounds(s)
}

// either is a choice between schemas.
func either(s *openapi.Schema) string {
	if s.Form == "full" {
		return "amount in full units, a number or a text"
	}
	texts := make([]string, len(s.OneOf))
	for i, of := range s.OneOf {
		texts[i] = phrase(of)
	}
	return strings.Join(texts, " or ")
}

func bounds(s *openapi.Schema) string {
	switch {
	case s.MaxLength > 0:
		return fmt.Sprintf(" of at most %d characters", s.MaxLength)
	case s.MaxProps > 0:
		return fmt.Sprintf(" of at most %d members", s.MaxProps)
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf(" from %v to %v", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf(" from %v", *s.Minimum)
	}
	return ""
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func empty(s string) bool { return s == "" }

// inCell is a text in a cell of a table.
func inCell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}

// anchor is where a link to a heading leads.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, heading)
}
