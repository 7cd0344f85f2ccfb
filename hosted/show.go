package hosted

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"github.com/ferrypay/ferry/business"
)

//go:embed templates/*.html
var templateFiles embed.FS

// parseTemplates parses the files that were compiled in.
func parseTemplates() *template.Template {
	return template.Must(template.ParseFS(templateFiles, "templates/*.html"))
}

// show writes a page. It is rendered whole before the first byte leaves.
func (v *visit) show(w http.ResponseWriter, status int, name string, data any) error {
	var body bytes.Buffer
	if err := v.templates.ExecuteTemplate(&body, name+".html", data); err != nil {
		return err
	}
	h := w.Header()
	v.allow(h)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", v.words.Tag)
	h.Add("Vary", "Accept-Language")
	// Compression reveals no secret by its length: a page is protected by its address
	// alone, there is no cookie, and each page has a new form token.
	sent := body.Bytes()
	if takesGzip(w, v.http) {
		h.Set("Content-Encoding", "gzip")
		sent = zip(sent)
	}
	w.WriteHeader(status)
	_, err := w.Write(sent)
	return err
}

// messagePage is a page that only says something.
type messagePage struct {
	frame
	Heading, Advice, Back string
	// Origin is the origin of the framing page, which gets Code. It may be empty.
	Origin, Source, Code string
}

// apologyCodes are the codes for the page that frames an apology, by reason.
var apologyCodes = map[string]string{
	"missing": "not_found", "unavailable": "provider_unavailable", "refused": "validation_error", "busy": "rate_limit_exceeded", "fault": "internal_error",
}

// apologize shows a page that says why there is no other; its words stand under
// sorry.* in lang.
func (v *visit) apologize(w http.ResponseWriter, status int, why string) {
	page := messagePage{Heading: v.words.Say("sorry." + why), Advice: v.words.Say("sorry." + why + ".advice")}
	page.Origin, page.Source, page.Code = v.origin, v.config.Source, apologyCodes[why]
	page.frame = v.frame(page.Heading, business.Business{}, "")
	page.Languages = nil
	if err := v.show(w, status, "message", page); err != nil {
		v.report(err)
	}
}
