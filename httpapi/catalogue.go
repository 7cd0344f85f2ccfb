package httpapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
)

// catalogue is every error that a caller may meet, one for each code
// (docs/api.md, "Error codes"): those of this package and those of the domains.
var catalogue = func() []*ferry.Error {
	all := []*ferry.Error{
		ferry.ErrValidation,
		ferry.ErrInvalidTransition,
		errUnauthorized,
		errForbidden,
		errNotFound,
		errMethod,
		errTooLarge,
		errMediaType,
		errCurrency,
		errRates,
		errRateLimited,
		errInternal,
		errPublicKey,
	}
	for _, domain := range engine.Domains() {
		all = append(all, domain.Errors...)
	}
	return all
}()

func codes() []string {
	all := make([]string, 0, len(catalogue))
	for _, e := range catalogue {
		all = append(all, e.Code)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// catalogueText lists the codes with status and message, for the document.
func catalogueText() string {
	lines := make([]string, 0, len(catalogue))
	for _, e := range catalogue {
		lines = append(lines, fmt.Sprintf("- `%s` (%d): %s", e.Code, statusOf(e), e.Message))
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}
