package widgets

import "github.com/ferrypay/ferry"

var (
	// ErrNotFound says that there is no such widget.
	ErrNotFound = ferry.NewError(ferry.NotFound, "widget_not_found", "Widget not found")
	// ErrOrigin refuses a session to a page that the widget does not allow. It says no more, as
	// every refusal of a credential.
	ErrOrigin = ferry.NewError(ferry.Forbidden, "forbidden", "Forbidden")
	// ErrSession refuses a token.
	ErrSession = ferry.NewError(ferry.Unauthenticated, "unauthorized", "Unauthorized")
)
