package inspect

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"log/slog"
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
	if asksForData(r) {
		writeData(w, status, data)
		return
	}
	writePage(w, r, status, i.templates, name, screen{i.head(r), name, data, i.didBefore(r)}, i.config.Logger)
}

// asksForData reports whether a program asks, and no browser.
func asksForData(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "application/json")
}

// writeData answers with the data of a page.
func writeData(w http.ResponseWriter, status int, data any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(data) // the client may be gone
}

// writePage answers with a page, made of what its template gets.
func writePage(w http.ResponseWriter, r *http.Request, status int, templates *template.Template, name string, screen any, logger *slog.Logger) {
	var page bytes.Buffer
	if err := templates.ExecuteTemplate(&page, name+".html", screen); err != nil {
		logger.ErrorContext(r.Context(), "no page", "page", name, "error", err)
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
