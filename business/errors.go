package business

import (
	"errors"

	"github.com/ferrypay/ferry"
)

var (
	// ErrNotFound says that there is no such business.
	ErrNotFound = ferry.NewError(ferry.NotFound, "business_not_found", "Business not found")
	// ErrExists refuses to create a business twice in one environment.
	ErrExists = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The business exists in this environment")
	// ErrKeyNotFound says that the scope has no such key.
	ErrKeyNotFound = ferry.NewError(ferry.NotFound, "key_not_found", "API key not found")
	// ErrKeyTaken refuses to store a key whose id or digest is known.
	ErrKeyTaken = errors.New("business: key exists")
	// ErrKeyEnded refuses to rotate a key that is revoked or expired.
	ErrKeyEnded = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The key is no longer valid; create another one")
	// ErrKeyEnding refuses to create or rotate keys by a key that was rotated itself.
	ErrKeyEnding = ferry.NewError(ferry.Forbidden, "forbidden", "A key that was rotated can neither create nor rotate keys")
	// ErrLastKey refuses to revoke the last secret key that has no end.
	ErrLastKey = ferry.NewError(ferry.Conflict, "invalid_state_transition", "The last secret key cannot be revoked; create another one first")
	// ErrUnauthorized is the one answer to every bad credential.
	ErrUnauthorized = ferry.NewError(ferry.Unauthenticated, "unauthorized", "Unauthorized")
)
