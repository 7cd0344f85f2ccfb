package links

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

const (
	maxSlug = 50
	// randomSlug is the length of a random slug.
	randomSlug = 12
)

var slugPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,50}$`)

// reserved are slugs that would be mistaken for something else.
var reserved = []string{
	"admin", "api", "assets", "checkout", "dashboard", "health", "healthz", "help", "inline", "js", "link", "links",
	"login", "logout", "metrics", "new", "null", "openapi", "pay", "payment", "payments", "readyz", "robots", "settings",
	"signup", "static", "status", "support", "undefined", "v1", "webhook", "webhooks", "www",
}

// FoldSlug is the form in which slugs are compared.
func FoldSlug(slug string) string { return strings.ToLower(slug) }

func checkSlug(slug string, problems *ferry.Problems) {
	switch {
	case slug == "":
	case !slugPattern.MatchString(slug):
		problems.Add("slug", "Must be 1 to 50 letters, digits, hyphens or underscores")
	case slices.Contains(reserved, FoldSlug(slug)):
		problems.Add("slug", "Is a reserved word")
	}
}

// chooseSlug returns a slug for a new link. When the asked one is taken, policy A
// refuses with ErrSlugTaken, and policy B appends -2, -3 and so on.
func chooseSlug(ctx context.Context, tx Tx, policy business.Dialect, asked string) (string, error) {
	if asked == "" {
		id := tx.NewID("")
		asked = id[len(id)-randomSlug:]
	}
	for n := 1; ; n++ {
		slug := asked
		if n > 1 {
			suffix := fmt.Sprintf("-%d", n)
			slug = asked[:min(len(asked), maxSlug-len(suffix))] + suffix
		}
		_, err := LinkKind.Find(ctx, tx, BySlug, Link{Slug: slug})
		switch {
		case errors.Is(err, ErrNotFound):
			return slug, nil
		case err != nil:
			return "", err
		case policy == business.DialectA:
			return "", ErrSlugTaken
		}
	}
}
