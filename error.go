package ferry

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// Kind says what a caller can do about an error. It is itself an error, so
// errors.Is(err, ferry.NotFound) asks for the kind.
type Kind uint8

const (
	// Internal is a fault of the engine; its text never leaves the process.
	Internal Kind = iota
	// Invalid input: change the request.
	Invalid
	// Unauthenticated: the credential is missing or not valid.
	Unauthenticated
	// Forbidden: the credential is valid, but not for this.
	Forbidden
	// NotFound: no such resource in the caller's scope.
	NotFound
	// Conflict: the resource is in another state than the request needs.
	Conflict
	// Unprocessable: well-formed input that the world refuses.
	Unprocessable
	// RateLimited: try again after RetryAfter.
	RateLimited
	// Unavailable: something outside does not answer; try again.
	Unavailable
)

var kindNames = [...]string{"internal", "invalid", "unauthenticated", "forbidden", "not found", "conflict", "unprocessable", "rate limited", "unavailable"}

// Error returns the kind's name.
func (k Kind) Error() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Field is one refused field of a request and what is wrong with it.
type Field struct {
	Name    string
	Message string
}

// Error is the one error type of the engine: a kind for programs, a code for
// the wire, a message for people and a cause for the log. Sentinels are values
// of it, and several may share a code. errors.Is finds the sentinel that an error
// is, or was made of by Saying, Because, About and After; it finds the Kind as
// well. CodeOf returns the code.
type Error struct {
	Kind    Kind
	Code    string
	Message string
	// Fields names every refused field, for validation errors.
	Fields []Field
	// RetryAfter is how long to wait before trying again, or 0.
	RetryAfter time.Duration
	// Cause is for the log only and never leaves the process. errors.As
	// finds details in it, such as *ledger.Shortage.
	Cause error
	// of is what the error is a copy of, or nil.
	of *Error
}

// NewError returns a sentinel.
func NewError(kind Kind, code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// Error returns code, message, fields and cause: the whole truth, for logs.
func (e *Error) Error() string {
	s := e.Code + ": " + e.Message
	for _, f := range e.Fields {
		s += "; " + f.Name + ": " + f.Message
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is an Error that e was made of, or the error's Kind.
func (e *Error) Is(target error) bool {
	switch t := target.(type) {
	case *Error:
		for ; e != nil; e = e.of {
			if e == t {
				return true
			}
		}
	case Kind:
		return t == e.Kind
	}
	return false
}

// copied returns a copy of e that still is e to errors.Is.
func (e *Error) copied() *Error {
	c := *e
	c.of = e
	return &c
}

// Retryable reports whether the same request may succeed later.
func (e *Error) Retryable() bool {
	return e.Kind == RateLimited || e.Kind == Unavailable && !errors.Is(e, ErrNoProvider)
}

// Saying returns a copy of e with another message.
func (e *Error) Saying(message string) *Error {
	c := e.copied()
	c.Message = message
	return c
}

// Because returns a copy of e with a cause.
func (e *Error) Because(cause error) *Error {
	c := e.copied()
	c.Cause = cause
	return c
}

// About returns a copy of e that names a field, unless it names MaxProblems already.
func (e *Error) About(field, message string) *Error {
	c := e.copied()
	if len(e.Fields) < MaxProblems {
		c.Fields = append(slices.Clone(e.Fields), Field{short(field), message})
	}
	return c
}

// After returns a copy of e that says when to try again.
func (e *Error) After(wait time.Duration) *Error {
	c := e.copied()
	c.RetryAfter = wait
	return c
}

// KindOf returns the kind of err: Internal when no Error is in its chain.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// CodeOf returns the code of err: "" when no Error is in its chain.
func CodeOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// ErrValidation refuses malformed or missing input; Fields names every field.
var ErrValidation = NewError(Invalid, "validation_error", "Invalid request parameters")

// The bounds of what a refused request is answered with.
const (
	// MaxProblems is how many refused fields are named: the first ones.
	MaxProblems = 20
	// MaxFieldName is the greatest length of the name of a refused field, in bytes. A
	// longer one is cut and ends with an ellipsis.
	MaxFieldName = 200
)

// Problems collects what is wrong with a request, so that a caller hears of the
// refused fields at once, of MaxProblems at the most. The zero value is ready to use.
type Problems struct {
	fields []Field
}

// Add notes that a field is refused.
func (p *Problems) Add(field, message string) {
	if len(p.fields) < MaxProblems {
		p.fields = append(p.fields, Field{short(field), message})
	}
}

// Note adds what a check says is wrong with a field. An empty problem is none.
func (p *Problems) Note(field, problem string) {
	if problem != "" {
		p.Add(field, problem)
	}
}

// short cuts the name of a field that is too long, and never within a character.
func short(name string) string {
	if len(name) <= MaxFieldName {
		return name
	}
	const ellipsis = "…"
	end := MaxFieldName - len(ellipsis)
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + ellipsis
}

// Err returns nil when nothing was added, otherwise ErrValidation with all fields.
func (p *Problems) Err() error {
	if len(p.fields) == 0 {
		return nil
	}
	e := ErrValidation.copied()
	e.Fields = p.fields
	return e
}
