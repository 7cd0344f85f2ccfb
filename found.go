package ferry

import "errors"

// FirstFound returns what find finds by the first of some names that is not of NotFound: a record
// may go by its id and by its reference. When there is none, it returns the error of the last.
func FirstFound[N, R any](find func(N) (R, error), names ...N) (found R, err error) {
	for _, name := range names {
		if found, err = find(name); !errors.Is(err, NotFound) {
			break
		}
	}
	return found, err
}
