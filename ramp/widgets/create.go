package widgets

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
)

const (
	maxName    = 100
	maxDomains = 50
	missing    = "Missing required field"
)

// CreateParams describe a new widget.
type CreateParams struct {
	Name string
	// Domains are origins of pages, as in https://shop.example.com. A host alone means https. Live
	// widgets need one before any page can open a session.
	Domains []string
	// Sides are what visitors may do. Default: both.
	Sides []ramp.Side
	Theme Theme
	// Destination is the Solana address that bought USDC goes to. Default: each visitor names one.
	Destination string
}

// Create makes an active widget with a key of its own. Errors: ferry.ErrValidation.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p CreateParams) (Widget, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Widget, error) {
		return s.CreateIn(ctx, tx, scope, p)
	})
}

// CreateIn is Create within a unit.
func (s *Service) CreateIn(ctx context.Context, tx Tx, scope ferry.Scope, p CreateParams) (Widget, error) {
	w := Widget{Scope: scope, Name: p.Name, Domains: p.Domains, Sides: p.Sides, Theme: p.Theme, Destination: p.Destination}
	if len(w.Sides) == 0 {
		w.Sides = allSides
	}
	w, err := w.checked()
	if err != nil {
		return Widget{}, err
	}
	key, err := s.config.Businesses.CreateKeyIn(ctx, tx, scope, business.CreateKeyParams{Type: business.WidgetKey, Label: w.Name})
	if err != nil {
		return Widget{}, err
	}
	return addIn(ctx, tx, w, key.Key)
}

// AdoptIn makes the widget of a key that exists, without domains, within the unit that makes the
// key.
func AdoptIn(ctx context.Context, tx Tx, key business.Key, name string) (Widget, error) {
	return addIn(ctx, tx, Widget{Scope: key.Scope, Name: name, Domains: []string{}, Sides: allSides}, key)
}

// addIn keeps a new widget of a key.
func addIn(ctx context.Context, tx Tx, w Widget, key business.Key) (Widget, error) {
	w.ID, w.Key, w.Status, w.CreatedAt, w.UpdatedAt = ID(tx.NewID(Prefix)), key.First(), Active, tx.Now(), tx.Now()
	return WidgetKind.Add(ctx, tx, w)
}

// checked returns a widget as it is kept, or ferry.ErrValidation.
func (w Widget) checked() (Widget, error) {
	var problems ferry.Problems
	name, problem := text.Line(w.Name, 1, maxName)
	if name == "" {
		problem = missing
	}
	w.Name = name
	problems.Note("name", problem)
	w.Domains = cleanDomains(w.Scope.Env, w.Domains, &problems)
	w.Sides = cleanSides(w.Sides, &problems)
	w.Theme.check(&problems)
	if _, err := chain.ParseAddress(w.Destination); err != nil && w.Destination != "" {
		problems.Add("destination_address", "Must be a Solana address")
	}
	return w, problems.Err()
}

// cleanDomains returns origins as they are compared, each once.
func cleanDomains(env ferry.Env, given []string, problems *ferry.Problems) []string {
	clean := []string{}
	if len(given) > maxDomains {
		problems.Add("domains", fmt.Sprintf("Must have at most %d origins", maxDomains))
		return clean
	}
	for i, domain := range given {
		origin := originOf(domain)
		problem := text.Origin(origin)
		if problem == "" && env == ferry.Live && !strings.HasPrefix(origin, "https://") {
			problem = "The scheme must be https"
		}
		problems.Note(fmt.Sprintf("domains.%d", i), problem)
		if problem == "" && !slices.Contains(clean, origin) {
			clean = append(clean, origin)
		}
	}
	return clean
}

// originOf is the origin that a domain means: a host alone means https.
func originOf(domain string) string {
	origin := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(domain)), "/")
	if !strings.Contains(origin, "://") {
		origin = "https://" + origin
	}
	return origin
}

func cleanSides(given []ramp.Side, problems *ferry.Problems) []ramp.Side {
	clean := []ramp.Side{}
	for _, side := range allSides {
		if slices.Contains(given, side) {
			clean = append(clean, side)
		}
	}
	for i, side := range given {
		if !slices.Contains(allSides, side) {
			problems.Add(fmt.Sprintf("sides.%d", i), "Must be onramp or offramp")
		}
	}
	if len(given) == 0 {
		problems.Add("sides", "Must have at least one")
	}
	return clean
}

var color = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

func (t Theme) check(problems *ferry.Problems) {
	if t.Mode != "" && t.Mode != Light && t.Mode != Dark && t.Mode != Auto {
		problems.Add("theme.mode", "Must be light, dark or auto")
	}
	if t.Color != "" && !color.MatchString(t.Color) {
		problems.Add("theme.color", "Must be of the form #1a2b3c")
	}
}
