package httpapi

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"

	"github.com/ferrypay/ferry/internal/wire"
)

// success is the envelope of every answer that is no error: the keys of both
// forms at once (docs/api.md, "Envelopes").
type success struct {
	Success    bool        `json:"success"`
	Status     string      `json:"status"`
	StatusCode int         `json:"status_code"`
	Message    string      `json:"message"`
	Data       any         `json:"data"`
	Pagination *pagination `json:"pagination,omitempty"`
	Meta       *pagination `json:"meta,omitempty"`
	RequestID  string      `json:"request_id"`
}

// response is an answer in its final bytes.
type response struct {
	status int
	body   string
	// replayed marks the answer of an earlier request with the same key.
	replayed bool
	// of is the error behind the answer, for the log, or nil.
	of error
}

// content is what an output puts into the envelope.
type content struct {
	data any
	page *pagination
	// beside is a struct whose members stand beside data, or nil.
	beside any
	// message replaces that of the route, unless it is empty.
	message string
}

// shape is what an output may put into the envelope, by type: one resource, a
// list of rows, or both where an identifier switches between them.
type shape struct {
	one, row, beside reflect.Type
}

// output is an output that says more than its data. Any other type is its data.
type output interface {
	content() content
	shape() shape
}

// list is a page of rows.
type list[Row any] struct {
	rows []Row
	page pagination
}

func (l list[Row]) content() content { return content{data: l.rows, page: &l.page} }

func (list[Row]) shape() shape { return shape{row: reflect.TypeFor[Row]()} }

// either is one resource when an identifier was given, else a list.
type either[One, Row any] struct {
	one *One
	list[Row]
}

func one[One, Row any](v One) either[One, Row] { return either[One, Row]{one: &v} }

func (e either[One, Row]) content() content {
	if e.one != nil {
		return content{data: *e.one}
	}
	return e.list.content()
}

func (either[One, Row]) shape() shape {
	return shape{one: reflect.TypeFor[One](), row: reflect.TypeFor[Row]()}
}

// with puts the members of a struct beside the data; nil puts none.
type with[Data, Beside any] struct {
	data   Data
	beside *Beside
}

func (w with[Data, Beside]) content() content {
	c := contentOf(w.data)
	if w.beside != nil {
		c.beside = *w.beside
	}
	return c
}

func (w with[Data, Beside]) shape() shape {
	s := shapeOf(w.data)
	s.beside = reflect.TypeFor[Beside]()
	return s
}

// saying replaces the message of the route.
type saying[Data any] struct {
	data    Data
	message string
}

func (s saying[Data]) content() content {
	c := contentOf(s.data)
	c.message = s.message
	return c
}

func (s saying[Data]) shape() shape { return shapeOf(s.data) }

func contentOf(out any) content {
	if o, ok := out.(output); ok {
		return o.content()
	}
	return content{data: out}
}

func shapeOf(out any) shape {
	if o, ok := out.(output); ok {
		return o.shape()
	}
	return shape{one: reflect.TypeOf(out)}
}

// shape is that of what the route answers.
func (r route) shape() shape { return shapeOf(reflect.Zero(r.out).Interface()) }

// render returns the answer for an output of a call.
func render(c *call, out any) (response, error) {
	it := contentOf(out)
	body, err := encode(success{
		Success: true, Status: "success", StatusCode: http.StatusOK, Message: cmp.Or(it.message, c.route.message),
		Data: it.data, Pagination: it.page, Meta: it.page, RequestID: c.requestID,
	}, it.beside)
	return response{status: http.StatusOK, body: body}, err
}

// encode returns the JSON of a struct, with the members of another one at its end unless
// that is nil.
func encode(v, beside any) (string, error) {
	return wire.Written(func(to []byte) ([]byte, error) { return appendWith(to, v, beside) })
}

// appendWith appends what encode returns.
func appendWith(to []byte, v, beside any) ([]byte, error) {
	to, err := wire.AppendJSON(to, v)
	if err != nil || beside == nil {
		return to, err
	}
	end := len(to) - len("}")
	to, err = wire.AppendJSON(to, beside)
	if err != nil || string(to[end:]) == "}{}" {
		return to[:end+len("}")], err
	}
	to[end] = ','
	return slices.Delete(to, end+len(","), end+len(",{")), nil
}
