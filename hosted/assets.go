package hosted

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
)

// assetPath is where files that never change under their name are served.
const assetPath = "/assets/"

//go:embed assets
var assetFiles embed.FS

// assets are the files that pages load, by name with their digest in it, so that
// browsers keep them for ever.
type assets struct {
	byName map[string]asset
	// CSS, JS and Icon are the paths of the files of pages.
	CSS, JS, Icon string
}

type asset struct {
	kind, etag string
	body       []byte
	// zipped returns the body compressed.
	zipped func() []byte
}

func loadAssets() assets {
	a := assets{byName: map[string]asset{}}
	for name, to := range map[string]*string{"page.css": &a.CSS, "page.js": &a.JS, "icon.svg": &a.Icon} {
		file := newAsset(name, lean(mustRead(name)))
		sum := strings.Trim(file.etag, `"`)
		hashed := strings.TrimSuffix(name, path.Ext(name)) + "-" + sum + path.Ext(name)
		a.byName[hashed], *to = file, assetPath+hashed
	}
	return a
}

// inlineScript is the script of the dialog, with the words of a configuration and of all
// languages.
func (l languages) inlineScript(c Config) asset {
	source, _ := json.Marshal(c.Source) // strings
	brand, _ := json.Marshal(c.Global)
	script := bytes.Replace(mustRead("inline.js"), []byte(`"`+DefaultSource+`"`), source, 1)
	script = l.said(script, func(w *words) map[string]string {
		return map[string]string{"lang": w.Tag, "close": w.texts["close"], "loading": w.texts["dialog.loading"], "title": w.texts["dialog.title"]}
	})
	return newAsset("inline.js", bytes.Replace(script, []byte(`brand = ""`), append([]byte("brand = "), brand...), 1))
}

// said is a script with its words in all languages.
func (l languages) said(script []byte, of func(*words) map[string]string) []byte {
	texts := map[string]map[string]string{}
	for _, w := range l.all {
		texts[w.Tag] = of(w)
	}
	said, _ := json.Marshal(texts) // strings
	return bytes.Replace(script, []byte(`texts = {}`), append([]byte("texts = "), said...), 1)
}

// mustRead returns a file that was compiled in.
func mustRead(name string) []byte {
	body, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		panic(err)
	}
	return body
}

// notes are comments that stand on lines of their own, with their line, and what indents lines.
var notes = regexp.MustCompile(`(?m)^[ \t]*(//.*\n|/\*.*\*/\n)?|^[ \t]+`)

// lean is a file of ours without comments and indentation, which payers need not load. No
// text in those files spans lines.
func lean(body []byte) []byte { return notes.ReplaceAll(body, nil) }

func newAsset(name string, body []byte) asset {
	sum := sha256.Sum256(body)
	return asset{
		mime.TypeByExtension(path.Ext(name)), `"` + hex.EncodeToString(sum[:8]) + `"`, body,
		sync.OnceValue(func() []byte { return zip(body) }),
	}
}

func (a assets) serve(w http.ResponseWriter, r *http.Request) {
	file, ok := a.byName[r.PathValue("name")]
	if !ok {
		file, ok = accentNamed(r.PathValue("name"))
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	file.serve(w, r)
}

// serveScript serves a script for shops, which pages of any origin load. It makes the
// script at the first request, so that a fake for one test starts fast.
func serveScript(made func() asset) http.HandlerFunc {
	script := sync.OnceValue(made)
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Set("Access-Control-Allow-Origin", "*") // for the integrity attribute
		script().serve(w, r)
	}
}

func (f asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Del("X-Robots-Tag")
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.etag)
	zipped := takesGzip(w, r)
	if r.Header.Get("If-None-Match") == f.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.body
	if zipped {
		h.Set("Content-Encoding", "gzip")
		body = f.zipped()
	}
	_, _ = w.Write(body)
}
