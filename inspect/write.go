package inspect

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var assetFiles embed.FS

// screen is what a template gets: the page, and what stands around it.
type screen struct {
	Head frame
	View string
	Data any
	// Did is the newest act of this page, if it was done just now.
	Did *did
}

// did is what came of an act.
type did struct {
	Line Line
	Text string
}

// write answers with a page, or with its data.
func (i *Inspector) write(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(data) // the client may be gone
		return
	}
	var page bytes.Buffer
	if err := i.templates.ExecuteTemplate(&page, name+".html", screen{i.head(r), name, data, i.didBefore(r)}); err != nil {
		i.config.Logger.ErrorContext(r.Context(), "no page of the inspector", "page", name, "error", err)
		http.Error(w, "This page cannot be shown; the log says why.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}

// sorry answers with an error.
func (i *Inspector) sorry(w http.ResponseWriter, r *http.Request, err error) {
	said, known := errors.AsType[problem](err)
	if !known {
		i.config.Logger.ErrorContext(r.Context(), "the inspector failed", "path", r.URL.Path, "error", err)
		said = problem{http.StatusInternalServerError, "The engine did not answer; the log says why."}
	}
	i.write(w, r, said.Status, "problem", said)
}

// serveAsset answers a file that pages load.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	body, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	kinds := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
	w.Header().Set("Content-Type", kinds[path.Ext(name)])
	_, _ = w.Write(body)
}
