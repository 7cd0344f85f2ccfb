package webhook

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// maxReply is how much of a reply is read, maxErrorText how much is kept.
	maxReply     = 64 << 10
	maxErrorText = 1 << 10
)

// reply is what came of an attempt.
type reply struct {
	status int // 0 without an answer
	// text says why the attempt failed.
	text       string
	retryAfter time.Duration
	took       time.Duration
}

func (r reply) sent() bool { return r.status >= 200 && r.status < 300 }

func (r reply) gone() bool { return r.status == http.StatusGone }

// attempt sends an event once.
func (s *Service) attempt(ctx context.Context, t turn) reply {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	began := s.config.Clock.Now()
	r := s.post(ctx, t, began)
	r.took = s.config.Clock.Now().Sub(began)
	return r
}

func (s *Service) post(ctx context.Context, t turn, at time.Time) reply {
	request, err := t.to.requests.of(ctx, t.event.ID, at, t.body)
	if err != nil {
		return reply{text: "the URL is not valid"}
	}
	response, err := s.outside[t.event.Scope.Env].transport.RoundTrip(request)
	if err != nil {
		return reply{text: s.errorText(err)}
	}
	defer response.Body.Close()
	// Reading to the end lets the connection be used again. A reply that is
	// too long or too slow is cut off: the status has come, and it counts.
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxReply))
	r := reply{status: response.StatusCode}
	if !r.sent() {
		r.text = printable(string(body))
		r.retryAfter = retryAfter(response, at)
	}
	return r
}

// errorText says what went wrong on the way, without the URL, which may hold
// secrets of the business.
func (s *Service) errorText(err error) string {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if timeout, ok := errors.AsType[net.Error](err); errors.Is(err, context.DeadlineExceeded) || ok && timeout.Timeout() {
		return "no answer within " + s.config.Timeout.String()
	}
	if errors.Is(err, errRefused) {
		return errRefused.Error()
	}
	return printable(withoutAddresses(err))
}

// withoutAddresses is the text of an error without the addresses of our own network: the
// name server, or the address that a connection came from.
func withoutAddresses(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return "the host name does not resolve: " + dns.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Op + ": " + op.Err.Error()
	}
	return err.Error()
}

// printable returns the beginning of a text without what does not print.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return -1
	}, text[:min(len(text), maxErrorText)])
	return strings.TrimSpace(text)
}

// retryAfter is the wait that an endpoint asks for with a 429 or 503, at most
// an hour.
func retryAfter(response *http.Response, now time.Time) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, at.Sub(now)), maxRetryAfter)
	}
	return 0
}
