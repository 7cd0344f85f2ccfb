package widgets

import (
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/ramp"
)

// ID names a widget: rwdg_ and 32 hexadecimal digits.
type ID string

// Prefix begins the id of a widget.
const Prefix = "rwdg_"

// Widget is a place on the pages of a business at which visitors buy or sell USDC.
type Widget struct {
	ID    ID
	Scope ferry.Scope
	Name  string
	// Key is the first API key of the widget: the public key, and whatever replaces it.
	Key business.KeyID
	// Domains are the origins of the pages that may open sessions. In the test environment none
	// means every origin.
	Domains []string
	// Sides are what visitors may do: buy, sell, or both.
	Sides []ramp.Side
	Theme Theme
	// Destination is the address that bought USDC goes to. Empty: each visitor names one.
	Destination string
	Status      Status
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Version     int64
}

// allSides are both sides of the ramp.
var allSides = []ramp.Side{ramp.Onramp, ramp.Offramp}

// Status says whether a widget may be used.
type Status string

const (
	// Active: pages open sessions.
	Active Status = "active"
	// Disabled: no page opens a session, and no session goes on. Orders that were made go on.
	Disabled Status = "disabled"
)

// Statuses returns all statuses.
func Statuses() []Status { return []Status{Active, Disabled} }

// Theme is how a widget looks. The zero value follows the visitor's system.
type Theme struct {
	// Mode is light, dark or auto. Empty is auto.
	Mode Mode `json:"mode,omitempty"`
	// Color is that of buttons: #rrggbb, or empty for the default.
	Color string `json:"color,omitempty"`
}

// Mode is the brightness of a theme.
type Mode string

// The modes of a theme.
const (
	Light Mode = "light"
	Dark  Mode = "dark"
	Auto  Mode = "auto"
)

// longestOrigin is that of a name of a host, with scheme and port.
const longestOrigin = 300

// allows reports whether pages of an origin may open sessions. The origin "null" of a page without
// one never may, and neither may what no browser sends.
func (w Widget) allows(origin string) bool {
	if origin == "" || origin == "null" || len(origin) > longestOrigin || strings.ContainsFunc(origin, notInOrigin) {
		return false
	}
	return slices.Contains(w.Domains, origin) || len(w.Domains) == 0 && w.Scope.Env == ferry.Test
}

func notInOrigin(r rune) bool { return r <= ' ' || r > '~' }

// Offers reports whether visitors of the widget may do something.
func (w Widget) Offers(side ramp.Side) bool { return slices.Contains(w.Sides, side) }
