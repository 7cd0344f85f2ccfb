package httpapi

import (
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/money"
)

// number is an amount in full units as a JSON number: printed from the integer,
// as short as it goes (docs/api.md, "Amounts").
type number money.Amount

// MarshalJSON prints the amount in full units.
func (n number) MarshalJSON() ([]byte, error) {
	return money.Amount(n).AppendMajor(make([]byte, 0, 24)), nil
}

func numberOf(a money.Amount) *number { return (*number)(&a) }

type (
	timestamp    = wire.Timestamp
	optionalTime = wire.OptionalTime
)

// optionalText is a text, or null when it is empty.
type optionalText string

// MarshalJSON prints null for the empty string.
func (t optionalText) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return wire.AppendText(make([]byte, 0, len(t)+len(`""`)), string(t))
}

// metadata is metadata of an answer: always an object, also without any key.
type metadata ferry.Metadata

// MarshalJSON prints an object.
func (m metadata) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("{}"), nil
	}
	return wire.AppendJSON(nil, ferry.Metadata(m))
}

// amountOf reads an amount of full units and adds a problem to p when it is malformed. For
// an empty literal it returns the zero Amount; the caller decides whether that is a problem.
func amountOf(p *ferry.Problems, field string, asset money.Asset, literal strictjson.Literal) money.Amount {
	if literal == "" {
		return money.Amount{}
	}
	amount, err := money.ParseMajor(asset, string(literal))
	if syntax, ok := errors.AsType[*money.SyntaxError](err); ok {
		p.Add(field, "The amount "+string(syntax.Reason))
		return money.Of(asset, 0)
	}
	return amount
}

// missing is the message of a required field that is not there.
const missing = "Missing required field"
