package inspect

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"html/template"
	"strings"
	"time"

	"github.com/ferrypay/ferry/explain"
)

//go:embed templates
var templateFiles embed.FS

// parseTemplates parses files that were compiled in.
func parseTemplates(files string) *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"clock": func(at time.Time) string { return at.UTC().Format("15:04:05.000") },
		"when":  func(at time.Time) string { return at.UTC().Format("2 Jan 2006 15:04:05") },
		"ms":    func(d time.Duration) int64 { return d.Milliseconds() },
		"word":  func(v any, path ...string) string { return word(v, path...) },
		"words": func(name string) string { return strings.ReplaceAll(name, "_", " ") },
		"text":  pretty,
		"full":  explain.Money,
		"short": short,
		"isID":  looksLikeID,
		"idOf":  idOf,
		"add":   func(a, b int) int { return a + b },
		"last":  func(lines []Line) int { return len(lines) - 1 },
		"press": func(h frame, name string, seconds int64) press {
			return press{h.Prefix, h.Path, act(name, wait(seconds))}
		},
		"goOf":    func(a Act) string { return a.Go("") }, // each inspector knows its public key
		"pressed": func(h frame, a Act) press { return press{h.Prefix, h.Path, a} },
		"presses": func(h frame, acts []Act) (all []press) {
			for _, a := range acts {
				all = append(all, press{h.Prefix, h.Path, a})
			}
			return all
		},
		"titleOf":         titleOf,
		"titleOfOperator": titleOfOperator,
		"rows":            func(root string, rows any) rowsBelow { return rowsBelow{root, rows} },
		"prefix":          func() string { return "" }, // each inspector has its own
	}).ParseFS(templateFiles, files))
}

// press is a button that does an act and leads back to its page.
type press struct {
	Prefix, Back string
	Act          Act
}

// short is an identifier as a line shows it.
func short(id string) string {
	if len(id) <= 20 {
		return id
	}
	return id[:10] + "…" + id[len(id)-4:]
}

// idOf is by what the page of a row of a list is found.
func idOf(row map[string]any) string {
	id := word(row, "id")
	if !looksLikeID(id) { // a bill has a number as its id, and a session its trx_id
		id = ""
	}
	return cmp.Or(word(row, "trx_id"), id, word(row, "reference"), word(row, "uid"), word(row, "id"))
}

// titleOf is the title of a page.
func titleOf(s screen) string {
	switch data := s.Data.(type) {
	case thingData:
		return data.Title
	case listData:
		return data.Title
	case railsData:
		return "Bank and chain"
	case exchangeData:
		return data.Exchange.Method + " " + data.Exchange.URL
	}
	return strings.ToUpper(s.View[:1]) + s.View[1:]
}

// pretty is a value as a person reads it: JSON with line breaks, other text as it is.
func pretty(v any) string {
	if text, ok := v.(string); ok {
		var indented bytes.Buffer
		if json.Indent(&indented, []byte(text), "", "  ") == nil {
			return indented.String()
		}
		return text
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}
