package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// statusOfKind is the HTTP status of every kind of error (docs/api.md, "Errors").
var statusOfKind = map[ferry.Kind]int{
	ferry.Internal:        http.StatusInternalServerError,
	ferry.Invalid:         http.StatusBadRequest,
	ferry.Unauthenticated: http.StatusUnauthorized,
	ferry.Forbidden:       http.StatusForbidden,
	ferry.NotFound:        http.StatusNotFound,
	ferry.Conflict:        http.StatusConflict,
	ferry.Unprocessable:   http.StatusUnprocessableEntity,
	ferry.RateLimited:     http.StatusTooManyRequests,
	ferry.Unavailable:     http.StatusServiceUnavailable,
}

// statusOfCode is the exceptions: codes with another status than their kind.
var statusOfCode = map[string]int{
	errMethod.Code:    http.StatusMethodNotAllowed,
	errTooLarge.Code:  http.StatusRequestEntityTooLarge,
	errMediaType.Code: http.StatusUnsupportedMediaType,
}

// The errors of HTTP itself. Those of the domains stand with them.
var (
	errUnauthorized = business.ErrUnauthorized
	errForbidden    = ferry.NewError(ferry.Forbidden, "forbidden", "Forbidden")
	errNotFound     = ferry.NewError(ferry.NotFound, "not_found", "Not found")
	errMethod       = ferry.NewError(ferry.Invalid, "method_not_allowed", "Method not allowed")
	errTooLarge     = ferry.NewError(ferry.Invalid, "payload_too_large", "The request body is too large")
	errMediaType    = ferry.NewError(ferry.Invalid, "unsupported_media_type", "Content-Type must be application/json")
	errEncoding     = errMediaType.Saying("Content-Encoding must be left out: bodies are read as they are")
	errCurrency     = ferry.NewError(ferry.Invalid, "invalid_currency", "The currency must be NGN")
	errRates        = ferry.NewError(ferry.Unavailable, "provider_unavailable", "No exchange rate is available now").After(retryUnavailable)
	errNoRates      = errRates.Lacking(rates.ErrNone)
	errRateLimited  = ferry.NewError(ferry.RateLimited, "rate_limit_exceeded", "Too many requests")
	errInternal     = ferry.NewError(ferry.Internal, "internal_error", "Something went wrong"+tryAgain)
	errStore        = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The service is not available now"+tryAgain).After(retryUnavailable)
	errOverflow     = ferry.ErrValidation.About("amount", "Is more than the books can hold")
	errTimeout      = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The request took too long"+tryAgain).After(retryUnavailable)
)

// retryUnavailable is when a caller may try again what did not answer.
const retryUnavailable = 5 * time.Second

// failure is the envelope of every error: the keys of both forms at once.
type failure struct {
	Success    bool                `json:"success"`
	Status     string              `json:"status"`
	StatusCode int                 `json:"status_code"`
	Message    string              `json:"message"`
	Errors     map[string][]string `json:"errors"`
	Error      failureDetail       `json:"error"`
	RequestID  string              `json:"request_id"`
	RetryAfter int                 `json:"retry_after,omitempty"`
}

type failureDetail struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Details is a list of fieldDetail, a shortageDetail or a limitDetail.
	Details any `json:"details"`
}

type fieldDetail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

type shortageDetail struct {
	Available number `json:"available"`
	Required  number `json:"required"`
}

// limitDetail says which limit an operation is beyond, and when it would pass.
type limitDetail struct {
	Rule     outflow.Rule   `json:"rule"`
	SetBy    outflow.Setter `json:"set_by"`
	Currency string         `json:"currency"`
	Limit    number         `json:"limit"`
	Used     number         `json:"used"`
	Asked    number         `json:"requested"`
	RetryAt  optionalTime   `json:"retry_at"`
}

// asError returns the error that the caller sees: that of the engine, or a generic one for
// any other error.
func asError(err error) *ferry.Error {
	if e, ok := ownError(err); ok {
		return e
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return errTimeout.Because(err)
	case errors.Is(err, store.ErrUnavailable):
		return errStore.Because(err)
	}
	return errInternal.Because(err)
}

// ownError returns an error that says what became of the request, if err is one.
func ownError(err error) (*ferry.Error, bool) {
	if e, ok := errors.AsType[*ferry.Error](err); ok && e.Kind != ferry.Internal {
		return e, true
	}
	if errors.Is(err, money.ErrOverflow) {
		return errOverflow.Because(err), true
	}
	return nil, false
}

// A generic error ends with tryAgain. A write that may have been done, and has no key, ends with
// lookFirst instead: to try it again might do it twice.
const (
	tryAgain  = "; please try again"
	lookFirst = "; it may have been done, so look before you send it again, and send an Idempotency-Key"
)

// failed renders the error of a call.
func (c *call) failed(err error) response {
	e := asError(err)
	if _, own := ownError(err); !own && c.began && c.client == "" {
		e = e.Saying(strings.Replace(e.Message, tryAgain, lookFirst, 1))
	}
	return renderThe(c.requestID, e)
}

func statusOf(e *ferry.Error) int {
	if status, ok := statusOfCode[e.Code]; ok {
		return status
	}
	return statusOfKind[e.Kind]
}

// fieldOfCode is the field that a refusal is about when its code says so already
// (docs/api.md, "Errors").
var fieldOfCode = map[string]string{
	errCurrency.Code:                   "currency",
	errPublicKey.Code:                  "public_key",
	statement.ErrDuplicateTrxID.Code:   "trx_id",
	links.ErrSlugTaken.Code:            "slug",
	customers.ErrInvalidOTP.Code:       "otp",
	wallets.ErrUnknownWallet.Code:      "wallet_id",
	wallets.ErrDuplicateReference.Code: "reference",
	wallets.ErrInvalidNetwork.Code:     "network",
	wallets.ErrInvalidAsset.Code:       "asset",
	outgoing.ErrAddressNotOwned.Code:   "from_address",
	outgoing.ErrInvalidAddress.Code:    "to_address",
	outgoing.ErrAmountTooLow.Code:      "amount",
	ramp.ErrBelowMinimum.Code:          "amount",
}

// named returns an error of bad input that names its field, when its code implies the field.
func named(e *ferry.Error) *ferry.Error {
	field := fieldOfCode[e.Code]
	if field == "" || e.Kind != ferry.Invalid || len(e.Fields) > 0 {
		return e
	}
	return e.About(field, e.Message)
}

// maxRefusal is the greatest length of the answer to an error.
const maxRefusal = 64 << 10

// renderError returns the answer to an error. Fields that would make it too long are left
// out, the last ones first.
func renderError(requestID string, err error) response { return renderThe(requestID, asError(err)) }

func renderThe(requestID string, e *ferry.Error) response {
	e = named(e)
	for {
		answer := renderFields(requestID, e)
		if len(answer.body) <= maxRefusal || len(e.Fields) == 0 {
			return answer
		}
		fewer := *e
		fewer.Fields = e.Fields[:len(e.Fields)/2]
		e = &fewer
	}
}

func renderFields(requestID string, e *ferry.Error) response {
	status := statusOf(e)
	body, encodeErr := encode(failure{
		Status: "error", StatusCode: status, Message: e.Message,
		Errors: fieldErrors(e), Error: failureDetail{e.Code, e.Message, detailsOf(e)},
		RequestID: requestID, RetryAfter: seconds(e.RetryAfter),
	}, nil)
	return response{status: status, body: body, of: errors.Join(e, encodeErr)}
}

func fieldErrors(e *ferry.Error) map[string][]string {
	fields := make(map[string][]string, len(e.Fields))
	for _, f := range e.Fields {
		fields[f.Name] = append(fields[f.Name], f.Message)
	}
	return fields
}

func detailsOf(e *ferry.Error) any {
	if s, ok := errors.AsType[*ledger.Shortage](e); ok {
		return shortageDetail{number(s.Available), number(s.Required)}
	}
	if x, ok := errors.AsType[*outflow.Exceeded](e); ok {
		return limitDetail{x.Rule, x.SetBy, x.Limit.Asset().String(), number(x.Limit), number(x.Used), number(x.Asked), optionalTime(x.RetryAt)}
	}
	details := make([]fieldDetail, 0, len(e.Fields))
	for _, f := range e.Fields {
		details = append(details, fieldDetail{f.Name, f.Message})
	}
	return details
}

// seconds rounds up: coming back a moment too late is better than too early.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// send writes a response with the headers that belong to it.
func send(w http.ResponseWriter, r response) {
	h := w.Header()
	h["Content-Type"] = inJSON
	h["Content-Length"] = []string{strconv.Itoa(len(r.body))}
	if r.replayed {
		h.Set("Idempotency-Replayed", "true")
	}
	if r.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if r.of != nil {
		if wait := seconds(asError(r.of).RetryAfter); wait > 0 {
			h.Set("Retry-After", strconv.Itoa(wait))
		}
	}
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.body) // the client may be gone; nobody is left to tell
}
