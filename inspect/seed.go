package inspect

import "net/http"

// seed fills the sandbox with the shop of Config.Seed, and leads to the timeline.
func (i *Inspector) seed(w http.ResponseWriter, r *http.Request) {
	if i.config.Seed == nil {
		i.sorry(w, r, missing("This sandbox has nothing to begin with"))
		return
	}
	if err := i.config.Seed(r.Context()); err != nil {
		i.sorry(w, r, problem{http.StatusConflict, err.Error() + ". Empty the sandbox first, on the page of the clock."})
		return
	}
	http.Redirect(w, r, i.config.Prefix, http.StatusSeeOther)
}
