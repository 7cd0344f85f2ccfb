package business

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

const (
	maxName          = 100
	maxRedirectHosts = 50
	maxHost          = 253 // of a host name, as DNS has it
)

// UpdateParams change a business; nil fields stay as they are.
type UpdateParams struct {
	Name             *string
	APIVariant       *Dialect
	CustomerPaysFee  *bool
	CryptoSettlement *Settlement
	// PaymentMethods holds each method at most once, and at least one.
	PaymentMethods *[]PaymentMethod
	// RedirectHosts are host names without scheme, port or path; none means
	// any host.
	RedirectHosts  *[]string
	MismatchPolicy *MismatchPolicy
	// SupportEmail, SupportPhone and SupportURL are what payers are shown who are to
	// contact the business; an empty one is taken away.
	SupportEmail, SupportPhone, SupportURL *string
	// LogoURL, IconURL and AccentColor are how its pages look: two pictures at addresses of
	// https, in the sandbox also of http, and a colour as #0b5d4e. An empty one is taken away.
	LogoURL, IconURL, AccentColor *string
}

// Update changes the name and preferences of a business. Errors: ErrNotFound,
// and ferry.ErrValidation with every refused field.
func (s *Service) Update(ctx context.Context, scope ferry.Scope, p UpdateParams) (Business, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Business, error) {
		return s.UpdateIn(ctx, tx, scope, p)
	})
}

// UpdateIn is Update within a unit.
func (s *Service) UpdateIn(ctx context.Context, tx Tx, scope ferry.Scope, p UpdateParams) (Business, error) {
	b, err := Of(ctx, tx, scope)
	if err != nil {
		return Business{}, err
	}
	var problems ferry.Problems
	p.apply(&b, &problems)
	if err := problems.Err(); err != nil {
		return Business{}, err
	}
	b.UpdatedAt = tx.Now()
	return b, Kind.Update(ctx, tx, b)
}

// apply lays p over b and notes what is refused.
func (p UpdateParams) apply(b *Business, problems *ferry.Problems) {
	if p.Name != nil {
		b.Name = CheckName(*p.Name, problems)
	}
	if p.CustomerPaysFee != nil {
		b.CustomerPaysFee = *p.CustomerPaysFee
	}
	choose(&b.APIVariant, p.APIVariant, "api_variant", problems, DialectA, DialectB)
	choose(&b.CryptoSettlement, p.CryptoSettlement, "crypto_settlement", problems, Hold, Convert)
	choose(&b.MismatchPolicy, p.MismatchPolicy, "mismatch_policy", problems, Strict, Accept)
	if p.PaymentMethods != nil {
		b.PaymentMethods = checkMethods(*p.PaymentMethods, problems)
	}
	if p.RedirectHosts != nil {
		b.RedirectHosts = checkHosts(*p.RedirectHosts, problems)
	}
	p.applySupport(b, problems)
	p.applyBranding(b, problems)
}

// choose sets field to the asked value when it is one of the choices.
func choose[T ~string](field *T, asked *T, name string, problems *ferry.Problems, choices ...T) {
	switch {
	case asked == nil:
	case slices.Contains(choices, *asked):
		*field = *asked
	default:
		problems.Add(name, oneOf(choices))
	}
}

func oneOf[T ~string](choices []T) string {
	list := "Must be "
	for i, c := range choices {
		if i > 0 {
			list += " or "
		}
		list += string(c)
	}
	return list
}

// CheckName returns the name of a business as it is kept, and adds what is wrong with it.
func CheckName(name string, problems *ferry.Problems) string {
	name, problem := text.Line(name, 1, maxName)
	problems.Note("name", problem)
	return name
}

func checkMethods(methods []PaymentMethod, problems *ferry.Problems) []PaymentMethod {
	if len(methods) == 0 {
		problems.Add("payment_methods", "Must name at least one method")
	}
	for i, m := range methods {
		field := fmt.Sprintf("payment_methods.%d", i)
		switch {
		case !slices.Contains(AllMethods(), m):
			problems.Add(field, oneOf(AllMethods()))
		case slices.Contains(methods[:i], m):
			problems.Add(field, "Is named twice")
		}
	}
	return slices.Clone(methods)
}

// checkHosts returns hosts in lower case.
func checkHosts(hosts []string, problems *ferry.Problems) []string {
	if len(hosts) > maxRedirectHosts {
		problems.Add("redirect_hosts", fmt.Sprintf("Must have at most %d hosts", maxRedirectHosts))
		return nil
	}
	folded := make([]string, 0, len(hosts))
	for i, h := range hosts {
		h = strings.ToLower(h)
		if !isHost(h) {
			problems.Add(fmt.Sprintf("redirect_hosts.%d", i), "Must be a host name without scheme, port or path")
		}
		if !slices.Contains(folded, h) {
			folded = append(folded, h)
		}
	}
	return folded
}

// isHost reports whether h is a host name of lower-case ASCII labels.
func isHost(h string) bool {
	if h == "" || len(h) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(h, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}
