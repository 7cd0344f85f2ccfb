package inspect

import (
	"context"
	"errors"
	"net/http"

	"github.com/ferrypay/ferry"
)

// seed fills an empty sandbox with the shop of Config.Seed, and leads to the timeline.
func (i *Inspector) seed(w http.ResponseWriter, r *http.Request) {
	if i.config.Seed == nil {
		i.sorry(w, r, missing("This sandbox has nothing to begin with"))
		return
	}
	if !i.untouched() {
		i.sorry(w, r, problem{http.StatusConflict, "A busy shop begins in an empty sandbox, and this one was asked for something. Empty the sandbox first, on the page of the clock."})
		return
	}
	if err := i.config.Seed(r.Context()); err != nil {
		i.sorry(w, r, problem{http.StatusConflict, err.Error() + ". Empty the sandbox first, on the page of the clock."})
		return
	}
	http.Redirect(w, r, i.config.Prefix, http.StatusSeeOther)
}

// aside remembers a moment of the sandbox, or goes back to it, and leads to the timeline.
func (i *Inspector) aside(work func(context.Context) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := work(r.Context())
		if refused, ok := errors.AsType[*ferry.Error](err); ok {
			err = problem{http.StatusConflict, refused.Message}
		}
		if err != nil {
			i.sorry(w, r, err)
			return
		}
		i.tellTurns()
		http.Redirect(w, r, i.config.Prefix, http.StatusSeeOther)
	}
}
