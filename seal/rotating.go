package seal

// Rotating is a Sealer whose keys change: one of them seals, and all of them
// open. Digests stay as they are.
type Rotating interface {
	Sealer
	// KeyOf returns the id of the key that a text names, or an empty one. It does not
	// check the text: only Open does.
	KeyOf(sealed []byte) string
	// Current reports whether that is the key that Seal uses.
	Current(sealed []byte) bool
}

// Current reports whether a text needs no sealing anew: it says to be sealed
// under the key that Seal uses. A Sealer that is not Rotating has one key only.
func Current(s Sealer, sealed []byte) bool {
	r, ok := s.(Rotating)
	return !ok || r.Current(sealed)
}

// KeyOf returns the id of the key that a text says to be sealed under. All texts
// of a Sealer that is not Rotating are under the key of the empty id.
func KeyOf(s Sealer, sealed []byte) string {
	if r, ok := s.(Rotating); ok {
		return r.KeyOf(sealed)
	}
	return ""
}
