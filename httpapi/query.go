package httpapi

import (
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/form"
)

// reader is a type of a parameter that reads itself from its text.
type reader interface{ read(value string) bool }

// params are the values of a request's query and path.
type params struct {
	query    url.Values
	request  *http.Request
	problems *ferry.Problems
}

// readParams fills the fields of a struct that carry a query or path tag, and
// notes every refused one. Embedded structs are read as if their fields stood
// outside. A parameter that is not named by a tag is ignored.
func readParams(r *http.Request, in reflect.Value, problems *ferry.Problems) {
	p := params{request: r, problems: problems}
	if r.URL.RawQuery != "" {
		var err error
		if p.query, err = form.Parse(r.URL.RawQuery); err != nil {
			problems.Add("query", "Must be a valid query string")
		}
	}
	p.fill(in)
}

func (p params) fill(in reflect.Value) {
	for i, field := range fieldsOf(in.Type()) {
		switch {
		case field.Anonymous && field.Type.Kind() == reflect.Struct:
			p.fill(in.Field(i))
		case field.path != "":
			p.set(in.Field(i), field, field.path, p.request.PathValue(field.path))
		case field.names != nil:
			p.fillQuery(in.Field(i), field)
		}
	}
}

// fillQuery reads a parameter under any of its names, the first of which is the
// documented one. It has one value.
func (p params) fillQuery(target reflect.Value, field *inputField) {
	given, name := []string(nil), field.names[0]
	for _, alias := range field.names {
		if values := p.query[alias]; len(values) > 0 {
			given, name = append(given, values...), alias
		}
	}
	switch {
	case len(given) > 1:
		p.problems.Add(name, "Must not be given twice")
	case len(given) == 1 && given[0] == "" && field.Tag.Get("empty") != "":
	case len(given) == 1 && given[0] == "":
		p.problems.Add(name, "Must not be empty")
	case len(given) == 1:
		p.set(target, field, name, given[0])
	case field.Tag.Get("required") != "":
		p.problems.Add(name, missing)
	}
}

// set parses one value by the type of its field.
func (p params) set(target reflect.Value, field *inputField, name, value string) {
	if r, ok := target.Addr().Interface().(reader); ok {
		if !r.read(value) {
			p.problems.Add(name, notInstant)
		}
		return
	}
	switch target.Kind() {
	case reflect.String:
		p.setText(target, field, name, value)
	case reflect.Int:
		p.setInt(target, field, name, value)
	case reflect.Pointer: // to a boolean
		p.setBool(target, name, value)
	}
}

func (p params) setText(target reflect.Value, field *inputField, name, value string) {
	if strings.TrimSpace(value) == "" {
		p.problems.Add(name, "Must not be empty")
		return
	}
	if name == "status" {
		value = statusWord(field.StructField, value)
	}
	if problem := noWord(field, value); problem != "" {
		p.problems.Add(name, problem)
		return
	}
	if strings.ContainsFunc(value, isControl) {
		p.problems.Add(name, "Must not contain control characters")
		return
	}
	target.SetString(value)
}

func (p params) setInt(target reflect.Value, field *inputField, name, value string) {
	n, err := strconv.Atoi(value)
	if err != nil || strings.HasPrefix(value, "+") {
		p.problems.Add(name, "Must be a whole number")
		return
	}
	p.problems.Note(name, outOfBounds(field, int64(n)))
	target.SetInt(int64(n))
}

func (p params) setBool(target reflect.Value, name, value string) {
	yes := value == "1" || value == "true"
	if !yes && value != "0" && value != "false" {
		p.problems.Add(name, "Must be 1, 0, true or false")
		return
	}
	target.Set(reflect.ValueOf(&yes))
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '�' }
