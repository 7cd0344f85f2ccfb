package memstore

import "encoding/hex"

// idDigits is how many hexadecimal digits end most identifiers.
const idDigits = 32

// packID appends an id so that the digits at its end take half the room: behind a 1 when it has
// such digits, and else behind a 0.
func packID(to []byte, id string) []byte {
	prefix := len(id) - idDigits
	if prefix < 0 || !isHex(id[prefix:]) {
		return append(append(to, 0), id...)
	}
	to, _ = hex.AppendDecode(append(to, 1), []byte(id[prefix:]))
	return append(to, id[:prefix]...)
}

// unpackID returns what packID has appended.
func unpackID(packed string) string {
	if packed[0] == 0 {
		return packed[1:]
	}
	digits := packed[1 : 1+idDigits/2]
	id := append(make([]byte, 0, len(packed)+idDigits/2), packed[1+idDigits/2:]...)
	return string(hex.AppendEncode(id, []byte(digits)))
}

// isHex reports whether a text is the digits that hex.AppendEncode makes.
func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || '9' < c) && (c < 'a' || 'f' < c) {
			return false
		}
	}
	return true
}
