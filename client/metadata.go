package client

import (
	"bytes"
	"encoding/json"
)

// Metadata is data of the business's own: texts, numbers and booleans. In a change nil removes
// a key. Numbers of an answer are json.Number, so that no digit is lost.
type Metadata map[string]any

// UnmarshalJSON reads an object.
func (m *Metadata) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode((*map[string]any)(m))
}
