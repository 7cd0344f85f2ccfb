package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/ferrypay/ferry/internal/wire"
)

// object is a JSON object.
type object = map[string]any

// call is something that a client wants of the API. The client repeats it, under the same key,
// until it has an answer that it believes.
type call struct {
	by           *owner
	method, path string
	body         object
	key          string
	// then is called with each final answer up to the first success.
	then func(answer)

	// makes is the thing that the call asks for, and reads the one that it reads: one that was
	// there when it was asked.
	makes, reads *thing
	// public says that the public key asks: under its key another body is another request.
	public bool
	// as is the key that asks, when the business does not leave that to its clients. When refusable is set,
	// its refusal is an answer. Otherwise the call is sent again with another key.
	as        func() *apiKey
	refusable bool
	// heard is called with the first final answer, and with how that was asked for.
	heard func(answer, sent)
	// shownOnce says that the first answer has what no further one has.
	shownOnce bool
	began     int // the step in which it was sent

	tries int
	// first is the first final answer. Every further one to the same key says the same.
	first *answer
}

func (c *call) String() string {
	return fmt.Sprintf("%s %s %s try %d", c.method, c.path, c.key, c.tries)
}

// request makes the request that is sent.
func (c *call) request(ctx context.Context, k *apiKey) *http.Request {
	var body []byte
	if c.body != nil {
		body, _ = json.Marshal(c.body) // of strings, numbers, maps and lists
	}
	request := httptest.NewRequestWithContext(ctx, c.method, c.path, bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+k.text)
	request.Header.Set("X-Request-Id", "sim")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		request.Header.Set("Idempotency-Key", c.key)
	}
	return request
}

// ask adds a call to those that wait to be sent.
func (o *owner) ask(method, path string, body object, then func(answer)) *call {
	c := &call{by: o, method: method, path: path, body: body, then: then}
	if method == http.MethodPost {
		o.run.keys++
		c.key = fmt.Sprintf("key-%d", o.run.keys)
	}
	o.run.note("business %d wants %s: %v", o.number, c, body)
	o.run.waiting = append(o.run.waiting, c)
	return c
}

// lost notes that no answer came. The client tries again later.
func (c *call) lost() {
	r := c.by.run
	r.note("lost %s", c)
	r.waiting = append(r.waiting, c)
}

// answered takes an answer, unless it is lost on its way.
func (c *call) answered(by sent, recorded *httptest.ResponseRecorder) {
	r := c.by.run
	if r.weather.happens(r.weather.rates.lose) {
		c.lost()
		return
	}
	a := answer{status: recorded.Code, raw: recorded.Body.Bytes()}
	r.note("%d to %s: %s", a.status, c, a.raw)
	if !a.parse() {
		r.fail("answers", "%s: no JSON: %s", c, a.raw)
		return
	}
	if a.status >= 500 && a.status != http.StatusServiceUnavailable && !r.weather.excuses() {
		r.fail("answers", "%s: %d although the store never failed: %s", c, a.status, a.raw)
	}
	if worked := r.checkKey(c, by, a); a.unsure() || !worked && !c.refusable {
		r.waiting = append(r.waiting, c)
		return
	}
	if c.first == nil && c.heard != nil {
		c.heard(a, by)
	}
	c.believe(a)
}

// believe takes a final answer, and sometimes asks once more.
func (c *call) believe(a answer) {
	r := c.by.run
	if c.first != nil && c.first.ok() {
		r.checkTwin(c, *c.first, a)
		return
	}
	c.first = &a // a refusal is not kept: the same call may succeed later
	r.witness.hear(c, a)
	if c.then != nil {
		c.then(a)
	}
	if c.key == "" || a.status != http.StatusOK || r.weather.calm {
		return
	}
	switch r.acting.IntN(10) {
	case 0, 1: // a twin
		r.waiting = append(r.waiting, c)
	case 2: // another request under the same key
		if differs(c.body) != "" && !c.public {
			r.waiting = append(r.waiting, c.impostor())
		}
	}
}

// impostor is another request under the key of a call that had its effect.
func (c *call) impostor() *call {
	other := *c
	other.body = maps.Clone(c.body)
	other.body[differs(c.body)] = json.Number("77")
	other.tries = 0
	other.then = func(a answer) {
		if a.status != http.StatusConflict {
			c.by.run.fail("twins", "%s was answered with another body: %s", c, a.raw)
		}
	}
	other.first = nil
	return &other
}

// differs is a member that makes a request another one, or nothing when the request has none.
func differs(body object) string {
	if body["amount"] != nil {
		return "amount"
	}
	return ""
}

// answer is what came back.
type answer struct {
	status int
	raw    []byte
	doc    any
}

func (a *answer) parse() bool {
	d := json.NewDecoder(bytes.NewReader(a.raw))
	d.UseNumber()
	return d.Decode(&a.doc) == nil
}

// unsure reports whether the client has to ask again to know.
func (a answer) unsure() bool {
	return a.status >= 500 || a.status == http.StatusConflict && a.at("retry_after") != nil
}

func (a answer) ok() bool { return a.status == http.StatusOK }

// at returns a member by its path, as in data.items.0.id, or nil.
func (a answer) at(path string) any { return wire.Member(a.doc, path) }

func (a answer) number(path string) json.Number {
	number, _ := a.at(path).(json.Number)
	return number
}

// instant is a time that an answer has, or zero.
func (a answer) instant(path string) time.Time {
	at, _ := time.Parse(time.RFC3339, a.text(path))
	return at
}

func (a answer) text(path string) string {
	text, _ := a.at(path).(string)
	return text
}
