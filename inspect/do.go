package inspect

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const (
	// maxForm is the greatest length of a posted form, maxSteps that of an act.
	maxForm  = 1 << 20
	maxSteps = 20
)

// do makes the steps of a form with the key of the business, one after the other until one fails, and
// leads back to the page of the form.
func (i *Inspector) do(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		i.sorry(w, r, problem{http.StatusBadRequest, "The form cannot be read: " + err.Error()})
		return
	}
	steps, wrong := stepsOf(r.PostForm)
	if wrong != "" {
		i.sorry(w, r, problem{http.StatusBadRequest, wrong})
		return
	}
	got, seq := answer{}, int64(0)
	for _, s := range steps {
		if got = i.api.do(context.WithValue(r.Context(), seqKey{}, &seq), s); !got.ok() {
			break
		}
	}
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(got.Status)
		_, _ = w.Write(got.Body)
		return
	}
	http.Redirect(w, r, i.back(r.PostForm.Get("back"), seq), http.StatusSeeOther)
}

// stepsOf are the steps of a form: a list in JSON, or the fields of one step. It says what is wrong
// with them.
func stepsOf(form url.Values) (steps []Step, wrong string) {
	if text := form.Get("steps"); text != "" {
		if err := json.Unmarshal([]byte(text), &steps); err != nil {
			return nil, "steps: must be a list of method, path and body"
		}
	} else {
		steps = []Step{{form.Get("method"), form.Get("path"), strings.TrimSpace(form.Get("body"))}}
	}
	if len(steps) == 0 || len(steps) > maxSteps {
		return nil, "steps: must be 1 to " + strconv.Itoa(maxSteps)
	}
	for _, s := range steps {
		if wrong := s.check(); wrong != "" {
			return nil, wrong
		}
	}
	return steps, ""
}

// back is the page of a form, with the last request of the act named in its query. Anything but a
// page of the inspector is the timeline.
func (i *Inspector) back(page string, seq int64) string {
	u, err := url.Parse(page)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, i.config.Prefix) || strings.HasPrefix(u.Path, "//") {
		u = &url.URL{Path: i.config.Prefix}
	}
	query := u.Query()
	query.Set("did", strconv.FormatInt(seq, 10))
	u.RawQuery = query.Encode()
	return u.String()
}
