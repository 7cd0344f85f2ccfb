package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/internal/strictjson"
)

// checker is an input that checks its own form beyond the types of its members.
type checker interface{ check(*ferry.Problems) }

// presence is an input that tells members that are null from members that are
// absent. It is given all members.
type presence interface{ present(members map[string]any) }

// read takes in the body and the Idempotency-Key of a request that writes.
func (c *call) read(w http.ResponseWriter) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, c.http.Body, c.api.config.MaxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge
	}
	if err != nil {
		return ferry.ErrValidation.About("body", "Could not be read").Because(err)
	}
	kind := mediaType(c.http.Header.Get("Content-Type"))
	switch {
	case len(body) > 0 && c.route.forms && kind == formType:
		if body, err = jsonOfForm(body); err != nil {
			return ferry.ErrValidation.About("body", "Could not be read").Because(err)
		}
	case len(body) > 0 && kind != "application/json":
		return errMediaType
	}
	c.body = body
	return c.readClientKey()
}

const formType = "application/x-www-form-urlencoded"

// jsonOfForm returns the object that an HTML form stands for: all values are text,
// and none is given twice.
func jsonOfForm(body []byte) ([]byte, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	members := make(map[string]string, len(values))
	for name, given := range values {
		if len(given) != 1 {
			return nil, fmt.Errorf("httpapi: %q is given %d times", name, len(given))
		}
		if given[0] != "" {
			members[name] = given[0]
		}
	}
	return json.Marshal(members)
}

func mediaType(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return kind
}

func (c *call) readClientKey() error {
	keys := c.http.Header.Values("Idempotency-Key")
	switch {
	case len(keys) == 0:
		return nil
	case len(keys) > 1 || !idempotency.ValidClientKey(keys[0]):
		return ferry.ErrValidation.About("Idempotency-Key", "Must be one key of 1 to 255 visible ASCII characters")
	}
	c.client = keys[0]
	return nil
}

// decode reads the input of a call from path, query and body. What is wrong
// with its form is returned beside it, all of it at once; a body that cannot be
// read at all is an error.
func decode[In any](c *call) (in In, form error, err error) {
	var refused, unfit, content ferry.Problems
	readParams(c.http, reflect.ValueOf(&in).Elem(), &refused)
	if c.route.writes() {
		if err := decodeBody(c, &in, &refused); err != nil {
			return in, nil, err
		}
		constrain(reflect.ValueOf(in), "", &unfit)
	}
	if v, ok := any(&in).(checker); ok {
		v.check(&content)
	}
	return in, merged(merged(refused.Err(), unfit.Err()), content.Err()), nil
}

// judge adds what is wrong with the form of the members that params reads, and with
// the content of those whose form is right.
func judge[P interface{ Check(*ferry.Problems) }](p *ferry.Problems, params func(*ferry.Problems) P) {
	var form, content ferry.Problems
	params(&form).Check(&content)
	all, ok := errors.AsType[*ferry.Error](merged(form.Err(), content.Err()))
	if !ok {
		return
	}
	for _, f := range all.Fields {
		p.Add(f.Name, f.Message)
	}
}

// decodeBody reads the body into v and notes members of the wrong type. A
// document that cannot be read at all is refused at once.
func decodeBody(c *call, v any, problems *ferry.Problems) error {
	err := strictjson.Decode(c.body, v, c.route.prose...)
	refused, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return errors.Join(err, c.tellPresence(v))
	}
	for _, p := range refused.Problems {
		field := cmp.Or(p.Path, "body")
		if refused.Unread || p.Path == "" {
			return ferry.ErrValidation.About(field, string(p.Reason))
		}
		problems.Add(field, string(p.Reason))
	}
	return nil
}

func (c *call) tellPresence(v any) error {
	in, ok := v.(presence)
	if !ok {
		return nil
	}
	members := map[string]any{}
	err := strictjson.Decode(c.body, &members, c.route.prose...)
	in.present(members)
	return err
}

// merged adds the fields that a further validation refuses to those that are
// refused already. A field whose form is wrong is not judged by its content.
func merged(form, content error) error {
	more, ok := errors.AsType[*ferry.Error](content)
	if !ok || !errors.Is(more, ferry.ErrValidation) {
		return form
	}
	all, ok := errors.AsType[*ferry.Error](form)
	if !ok {
		return more
	}
	known := fieldErrors(all)
	for _, f := range more.Fields {
		if _, twice := known[f.Name]; !twice {
			all = all.About(f.Name, f.Message)
		}
	}
	return all
}
