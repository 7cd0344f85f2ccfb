package ferry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Metadata is a business's own key-value data on a record. Values are string,
// bool or json.Number; in a patch, nil removes a key.
type Metadata map[string]any

const (
	// MaxMetadataKeys is the greatest number of keys a record holds.
	MaxMetadataKeys = 10
	// MaxMetadataValue is the greatest length of a value as text, in code points.
	MaxMetadataValue = 500
	// maxMetadataKey is the greatest length of a key, in code points.
	maxMetadataKey = 100
)

// Clone returns a copy of m. Values are shared: those that Check allows point to nothing.
func (m Metadata) Clone() Metadata { return maps.Clone(m) }

// Check adds to p what is wrong with m under the given field name.
func (m Metadata) Check(field string, p *Problems) {
	if len(m) > MaxMetadataKeys {
		p.Add(field, fmt.Sprintf("Must have at most %d keys", MaxMetadataKeys))
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		name, value := field+"."+key, m[key]
		if key == "" || longer(key, maxMetadataKey) {
			p.Add(field, fmt.Sprintf("Keys must have 1 to %d characters", maxMetadataKey))
			continue
		}
		switch v := value.(type) {
		case string:
			if longer(v, MaxMetadataValue) {
				p.Add(name, fmt.Sprintf("Must be at most %d characters", MaxMetadataValue))
			}
		case json.Number:
			if len(v) > MaxMetadataValue {
				p.Add(name, fmt.Sprintf("Must be at most %d characters", MaxMetadataValue))
			}
		case bool, nil:
		default:
			p.Add(name, "Must be a string, number or boolean")
		}
	}
}

// longer reports whether text has more than limit code points in its composed
// form (docs/api.md, "Limits").
func longer(text string, limit int) bool {
	return len(text) > limit && utf8.RuneCountInString(text) > limit &&
		utf8.RuneCountInString(norm.NFC.String(text)) > limit
}

// Merge returns m with patch laid over it; a nil value removes its key. Neither
// argument changes.
func (m Metadata) Merge(patch Metadata) Metadata {
	merged := maps.Clone(m)
	if merged == nil {
		merged = Metadata{}
	}
	for key, value := range patch {
		if value == nil {
			delete(merged, key)
		} else {
			merged[key] = value
		}
	}
	return merged
}
