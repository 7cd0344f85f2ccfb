package httpapi

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/internal/traffic"
)

// checker is an input that checks its own form beyond the types of its members.
type checker interface{ check(*ferry.Problems) }

// presence is an input that distinguishes members that are null from absent members.
type presence interface{ present(strictjson.Document) }

// read takes in the body and the Idempotency-Key of a request that writes.
func (c *call) read(w http.ResponseWriter) error {
	body, err := c.readBody(http.MaxBytesReader(w, c.http.Body, max(c.api.config.MaxBody, c.route.maxBody)))
	if err != nil {
		return err
	}
	kind, coding := mediaType(c.http.Header.Get("Content-Type")), c.http.Header.Get("Content-Encoding")
	switch {
	case len(body) > 0 && coding != "" && !strings.EqualFold(coding, "identity"):
		return errEncoding
	case len(body) > 0 && c.route.forms && kind == formType:
		if body, err = jsonOfForm(body); err != nil {
			return err
		}
	case len(body) > 0 && kind != jsonType:
		return errMediaType
	}
	if err := c.readClientKey(); err != nil {
		return err
	}
	c.body, err = strictjson.Read(body, c.route.prose...)
	return unread(err)
}

// errUnreadable refuses a body that is no text of the kind that it says.
var errUnreadable = ferry.ErrValidation.About("body", "Could not be read")

// A body whose key stands in it comes from anybody, as slowly as they like. So its
// beginning is read at once, and the rest of few of them at a time (docs/api.md, "Limits").
const (
	// strangersBody is the length of that beginning.
	strangersBody = 64 << 10
	// strangersBodies is of how many a part of the network may send the rest at a time.
	strangersBodies = 8
)

// readBody reads the body of a call.
func (c *call) readBody(body io.Reader) ([]byte, error) {
	length := c.http.ContentLength
	if c.route.place != inBody {
		return readAll(nil, body, length)
	}
	begun, err := readAll(nil, io.LimitReader(body, strangersBody), strangersBody)
	if err != nil || len(begun) < strangersBody {
		return begun, err
	}
	network := traffic.NetworkOf(c.http.RemoteAddr)
	if !c.api.strangers.Enter(network) {
		return nil, errRateLimited.After(time.Second)
	}
	defer c.api.strangers.Leave(network)
	return readAll(begun, body, length)
}

// readAll reads on to the end of a body of a length, or of an unknown one below 0. Its
// buffer is at most four times as long as what has arrived, whatever length was announced.
func readAll(read []byte, body io.Reader, length int64) ([]byte, error) {
	for {
		if len(read) == cap(read) {
			read = append(make([]byte, 0, longer(len(read), length)), read...)
		}
		n, err := body.Read(read[len(read):cap(read)])
		read = read[:len(read)+n]
		if errors.Is(err, io.EOF) {
			return read, nil
		}
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, errTooLarge
		}
		if err != nil {
			return nil, errUnreadable.Because(err)
		}
	}
}

// firstBuffer is how long the first buffer of a body is at most.
const firstBuffer = 512

// longer is how long the next buffer of a body is.
func longer(now int, length int64) int {
	switch {
	case now == 0 && 0 <= length && length < firstBuffer:
		return int(length) + 1 // one more, to see the end
	case now == 0:
		return firstBuffer
	case length < int64(now):
		return 2 * now
	case length < int64(4*now):
		return int(length) + 1 // one more, to see the end
	}
	return 4 * now
}

// unread turns the refusal of a document that cannot be read into an answer.
func unread(err error) error {
	refused, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return err
	}
	return ferry.ErrValidation.About(cmp.Or(refused.Problems[0].Path, "body"), string(refused.Problems[0].Reason))
}

const jsonType = "application/json"

func mediaType(contentType string) string {
	if contentType == jsonType {
		return jsonType // as most say it
	}
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
		if k, ok := any(in).(interface{ claims(*call, *ferry.Problems) }); ok {
			k.claims(c, &unfit)
		}
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
// document that is no object is refused at once.
func decodeBody(c *call, v any, problems *ferry.Problems) error {
	err := c.body.Decode(v)
	refused, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		if in, ok := v.(presence); ok {
			in.present(c.body)
		}
		return err
	}
	for _, p := range refused.Problems {
		if p.Path == "" {
			return unread(refused)
		}
		problems.Add(p.Path, string(p.Reason))
	}
	return nil
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
