package webhook

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// cursor is a place in the feed of a scope: after an event, as they are counted since the newest of
// some resets of a sandbox. A reset counts anew, so the place of another count is none.
type cursor struct {
	resets uint64
	after  int64
}

const cursorPrefix = "events:"

// String is the cursor for clients: opaque, so that they do not calculate with it.
func (c cursor) String() string {
	plain := fmt.Sprint(cursorPrefix, c.after)
	if c.resets > 0 {
		plain = fmt.Sprint(cursorPrefix, c.resets, ":", c.after)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(plain))
}

// parseCursor reads the cursor of a client: the beginning when it is empty, or of before a reset. It
// reports whether the text is one that String makes.
func parseCursor(text string, resets uint64) (c cursor, ok bool) {
	start := cursor{resets: resets}
	if text == "" {
		return start, true
	}
	plain, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return c, false
	}
	numbers := strings.TrimPrefix(string(plain), cursorPrefix)
	if strings.Contains(numbers, ":") {
		_, err = fmt.Sscanf(numbers, "%d:%d", &c.resets, &c.after)
	} else {
		_, err = fmt.Sscanf(numbers, "%d", &c.after)
	}
	if err != nil || c.after < 0 || c.String() != text {
		return c, false
	}
	if c.resets != resets {
		return start, true
	}
	return c, true
}
