package sandbox

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Timeout: the receiver gets nothing and answers nothing in time.
const Timeout Kind = "timeout"

// Receiver wraps the transport of a webhook client so that faults of the target
// receiver strike its requests. A kind that is a status code is answered in the
// receiver's place; nothing is sent then.
func (w *World) Receiver(next http.RoundTripper) http.RoundTripper {
	return receiver{w, next}
}

type receiver struct {
	world *World
	next  http.RoundTripper
}

// errTimeout looks like a time-out of net/http, without the wait.
type errTimeout struct{}

func (errTimeout) Error() string   { return "sandbox: the receiver did not answer in time" }
func (errTimeout) Timeout() bool   { return true }
func (errTimeout) Temporary() bool { return true }

var errConnectionReset = errors.New("sandbox: connection reset before the answer")

func (r receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	struck, err := r.strike(request)
	switch {
	case err != nil:
		discard(request)
		return nil, err
	case struck == "":
		return r.next.RoundTrip(request)
	case struck == Timeout:
		discard(request)
		return nil, errTimeout{}
	case struck == AnswerLost:
		return nil, r.lose(request)
	}
	discard(request)
	return answer(request, struck)
}

// receiverFaults are the kinds that strike requests, in the order of the catalogue.
var receiverFaults = func() (kinds []Kind) {
	for _, f := range faults {
		if f.Target == TargetReceiver {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds
}()

// strike returns the fault for a request.
func (r receiver) strike(request *http.Request) (Kind, error) {
	return answered(request.Context(), r.world.read, func(m *moment) (Kind, error) {
		return m.strike(TargetReceiver, receiverFaults...)
	})
}

// lose delivers a request and drops the answer.
func (r receiver) lose(request *http.Request) error {
	response, err := r.next.RoundTrip(request)
	if err != nil {
		return err
	}
	return errors.Join(errConnectionReset, response.Body.Close())
}

func answer(request *http.Request, status Kind) (*http.Response, error) {
	code, err := strconv.Atoi(string(status))
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	switch code {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header.Set("Retry-After", "30")
	case http.StatusFound:
		header.Set("Location", request.URL.String())
	}
	return &http.Response{
		Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(strings.NewReader("")), Request: request,
	}, nil
}

// discard closes the body of a request that is not sent, as a transport must.
func discard(request *http.Request) {
	if request.Body != nil {
		request.Body.Close() //nolint:errcheck // nothing was read
	}
}
