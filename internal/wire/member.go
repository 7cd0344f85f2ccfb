package wire

import (
	"strconv"
	"strings"
)

// Member returns a member of a decoded JSON value by its path, as in data.items.0.id; nil when there
// is none.
func Member(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}
