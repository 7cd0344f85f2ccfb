package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// receiver gets the webhooks of all businesses, and fails as receivers do.
type receiver struct {
	run *run
	// got are the events that arrived, by business and id.
	got map[string]map[string]*event
}

// event is a webhook as it came.
type event struct {
	raw      string
	kind     string
	sequence int64
	data     any
}

func newReceiver(r *run) *receiver { return &receiver{r, map[string]map[string]*event{}} }

// url is where the webhooks of a business go.
func (receiver) url(o *owner) string { return fmt.Sprintf("http://127.0.0.1:9/%d", o.number) }

// patience is how long a webhook waits for its receiver (docs/api.md, "Webhook delivery").
const patience = 10 * time.Second

var errNoAnswer = errors.New("sim: the receiver did not answer")

// RoundTrip takes a webhook, or fails.
func (v *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	r := v.run
	number, err := strconv.Atoi(strings.TrimPrefix(request.URL.Path, "/"))
	r.must(err)
	began := r.clock.now
	await(request.Context(), "the receiver")
	if r.clock.now.Sub(began) > patience {
		r.note("receiver %d gets nothing in time", number)
		return nil, errNoAnswer
	}
	if r.weather.happens(r.weather.rates.receiver) {
		switch r.weather.dice.IntN(5) {
		case 0:
			r.note("receiver %d gets nothing", number)
			return nil, errNoAnswer
		case 1:
			if _, err := v.give(number, request, body); err != nil {
				return nil, err
			}
			r.note("receiver %d answers nothing", number)
			return nil, errNoAnswer
		}
		status := pick(r.weather.dice, 302, 400, 429, 500, 503)
		r.note("receiver %d answers %d", number, status)
		return reply(request, status), nil
	}
	return v.give(number, request, body)
}

// give brings an event to a business, or to the subject.
func (v *receiver) give(number int, request *http.Request, body []byte) (*http.Response, error) {
	if number == businesses {
		return v.run.subject.deliver(request, body)
	}
	v.take(v.run.businesses[number], request.Header, body)
	return reply(request, http.StatusOK), nil
}

func reply(request *http.Request, status int) *http.Response {
	header := http.Header{}
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "30")
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("")), Request: request}
}

// take looks at an event that arrived: that it is signed, in its order, and always the same.
func (v *receiver) take(o *owner, header http.Header, body []byte) {
	r := v.run
	r.checkSigned(o, header, body)
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc any
	r.must(d.Decode(&doc))
	a := answer{doc: doc}
	id := a.text("id")
	all := v.of(o)
	r.note("receiver %d gets %s", o.number, body)
	if v.known(o, id, body) {
		return
	}
	sequence, err := a.at("sequence").(json.Number).Int64()
	r.must(err)
	e := &event{raw: string(body), kind: a.text("type"), sequence: sequence, data: a.at("data")}
	all[id] = e
	r.witness.hearEvent(o, e)
}

// known reports whether an event came before, which it did with the same body.
func (v *receiver) known(o *owner, id string, body []byte) bool {
	e := v.of(o)[id]
	if e != nil && e.raw != string(body) {
		v.run.fail("events", "%s came with two bodies: %s and %s", id, e.raw, body)
	}
	return e != nil
}

// of are the events that a business got.
func (v *receiver) of(o *owner) map[string]*event {
	key := string(o.scope.Business)
	if v.got[key] == nil {
		v.got[key] = map[string]*event{}
	}
	return v.got[key]
}
