package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Deliveries returns a transport that records what next sends. It is for engine.Config.Deliveries.
func (r *Recorder) Deliveries(next http.RoundTripper) http.RoundTripper {
	return deliveries{r, next}
}

type deliveries struct {
	*Recorder
	next http.RoundTripper
}

func (d deliveries) RoundTrip(request *http.Request) (*http.Response, error) {
	_ = d.catchUp(request.Context()) // Run meets the error too, and logs it
	e := Exchange{Seq: d.reserve(), At: d.clock.Now(), Method: request.Method, URL: request.URL.String(), Headers: request.Header.Clone(), signed: true}
	if request.Body != nil {
		text, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		request = request.Clone(request.Context())
		request.Body = io.NopCloser(bytes.NewReader(text))
		_, _ = e.sent.Write(text)
	}
	began := time.Now()
	response, err := d.next.RoundTrip(request)
	e.Took = time.Since(began)
	if err != nil {
		e.Error = err.Error()
		d.keep(e)
		return nil, err
	}
	e.Status = response.StatusCode
	response.Body = &answerBody{ReadCloser: response.Body, done: func(answer head) {
		e.answer = answer
		d.keep(e)
	}}
	return response, nil
}

// keep keeps a delivery and tells of it.
func (r *Recorder) keep(e Exchange) {
	r.deliveries.add(e)
	var event struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	_ = json.Unmarshal(e.sent.text, &event)
	thing, name := named(event.Data)
	to := e.URL
	if u, err := url.Parse(e.URL); err == nil {
		to = u.Host
	}
	detail := fmt.Sprintf("%d ms", e.Took.Milliseconds())
	if e.Error != "" {
		detail += " · " + e.Error
	}
	r.journal.tell(Line{
		Seq: e.Seq, Kind: Delivery, At: e.At, Title: event.Type + " → " + to, Status: e.Status, Thing: thing, Name: name, Detail: detail,
		Path: fmt.Sprintf("deliveries/%d", e.Seq),
	})
}

// answerBody is an answer's body of which a copy is kept, until it is closed.
type answerBody struct {
	io.ReadCloser
	kept head
	done func(head)
}

func (b *answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	_, _ = b.kept.Write(p[:n])
	return n, err
}

func (b *answerBody) Close() error {
	if b.done != nil {
		b.done(b.kept)
		b.done = nil
	}
	return b.ReadCloser.Close()
}
