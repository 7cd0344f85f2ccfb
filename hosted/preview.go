package hosted

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/ferrypay/ferry/payments/links"
)

// preview is what chats and social networks show of the page of a link (ogp.me).
type preview struct{ Site, Title, About, URL, Image string }

// preview is that of a link, whose page says the amount already.
func (v *visit) preview(l links.Link, page linkPage) *preview {
	said := make([]string, 0, 2)
	for _, text := range []string{page.Amount, l.Description} {
		if text != "" {
			said = append(said, text)
		}
	}
	return &preview{Site: page.Shop, Title: l.Title, About: strings.Join(said, " · "), URL: v.linkURL(l), Image: page.Logo}
}

// linkURL is where payers reach the page of a link.
func (v *visit) linkURL(l links.Link) string { return v.baseURL() + "/pay/" + l.Slug }

// linkQR answers the QR code of a link, as a picture for posters and pages. A link that takes no
// payments has one, too: its page says why.
func (p *pages) linkQR(v *visit, w http.ResponseWriter) error {
	l, err := p.engine.Links.BySlug(v.http.Context(), v.http.PathValue("slug"))
	if err != nil {
		return err
	}
	code, err := newQR(v.linkURL(l), onPaper)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of shops show it
	newAsset("qr.svg", []byte(code.picture())).serve(w, v.http)
	return nil
}

// module is the side of a module of a picture, in pixels, where nothing says how large it is.
const module = 8

// picture is the code as a file of its own.
func (c qrCode) picture() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[2]d" height="%[2]d" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path stroke="#000" d="%[3]s"/></svg>`, c.Side, c.Side*module, c.Path)
}
