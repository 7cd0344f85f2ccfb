package httpapi

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
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
	if len(body) > 0 && !isJSON(c.http.Header.Get("Content-Type")) {
		return errMediaType
	}
	c.body = body
	return c.readClientKey()
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
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
	var refused, content ferry.Problems
	readParams(c.http, reflect.ValueOf(&in).Elem(), &refused)
	if c.route.writes() {
		if err := decodeBody(c, &in, &refused); err != nil {
			return in, nil, err
		}
	}
	if v, ok := any(&in).(checker); ok {
		v.check(&content)
	}
	return in, merged(refused.Err(), content.Err()), nil
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
