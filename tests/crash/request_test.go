package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/ferrypay/ferry/money"
)

// object is a JSON object.
type object = map[string]any

// keyedRequest is a request that changes something, and what its client knows of it. It
// is sent with one idempotency key until there is an answer.
type keyedRequest struct {
	method, path, key string

	body object
	// steps says that it takes more than one unit: a crash may leave it begun,
	// and then its key is busy for a while.
	steps bool
	// refusal is the code of an error that is as good an answer as a success.
	refusal string
	// learn is what the client does with the data of the answer.
	learn func(data object)
	moves movement

	interrupted time.Time // when an attempt was last cut off
	answer      []byte    // of a success, once it is acknowledged
}

// movement is what a request leaves in the books, once it is acknowledged.
type movement struct {
	from, to  *address // nil for somebody outside
	amount    money.Amount
	fee       money.Amount
	reference string
	signature string // of a deposit
	naira     money.Amount
	event     string // that was asked for
}

// reply is what a server answered.
type reply struct {
	status int
	header http.Header
	raw    []byte
}

func (r reply) ok() bool { return r.status == http.StatusOK }

// code is the code of an error.
func (r reply) code() string {
	var body struct{ Error struct{ Code string } }
	_ = json.Unmarshal(r.raw, &body)
	return body.Error.Code
}

// decode reads JSON with its numbers as they are written.
func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// data is the data of an answer that is an object.
func (r reply) data() (object, error) {
	var body struct{ Data object }
	err := decode(r.raw, &body)
	return body.Data, err
}

// send sends a request to a server.
func send(ctx context.Context, web *http.Client, s *server, method, path, key string, body object) (reply, error) {
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return reply{}, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, s.BaseURL+path, bytes.NewReader(sent))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Authorization", "Bearer "+s.SecretKey)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := web.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header, raw}, err
}

// errUnanswered says that a request may have had its effect or not.
var errUnanswered = errors.New("no answer")

// attempt sends a request once. It returns errUnanswered when it has to be sent
// again, and another error for an answer that nothing excuses.
func (d *keyedRequest) attempt(ctx context.Context, web *http.Client, s *server, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := send(ctx, web, s, d.method, d.path, d.key, d.body)
	switch {
	case err != nil:
		d.interrupted = time.Now()
		return errUnanswered
	case r.ok():
		data, err := r.data()
		if err != nil {
			return err
		}
		if d.answer == nil && d.learn != nil {
			d.learn(data)
		}
		d.answer = r.raw
		return nil
	case r.status == http.StatusConflict && r.code() == "idempotency_conflict" && r.header.Get("Retry-After") != "",
		r.status >= http.StatusInternalServerError:
		return errUnanswered
	case d.refusal != "" && r.code() == d.refusal:
		return nil
	}
	return fmt.Errorf("%s %s with %v (key %s): %d %s", d.method, d.path, d.body, d.key, r.status, r.raw)
}

// acknowledged reports whether a request has had its effect.
func (d *keyedRequest) acknowledged() bool { return d.answer != nil }

// usdc is a number of millionths as the API takes it.
func usdc(micro int64) json.Number { return json.Number(money.USDC(micro).Major()) }
