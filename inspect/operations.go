package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/engine"
)

// operation is a route of the API, as its description has it.
type operation struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Tag     string `json:"tag"`
	Summary string `json:"summary"`
	// Example is a body that it takes, or empty.
	Example string `json:"example,omitempty"`
}

// operationsData is the page of the API.
type operationsData struct {
	Operations []operation `json:"operations"`
	// Chosen is the one whose form is open.
	Chosen *operation `json:"chosen,omitempty"`
	URL    string     `json:"url"`
}

// operations lists the routes of the API, with a form to try one.
func (i *Inspector) operations(ctx context.Context, r *http.Request) (any, error) {
	d := operationsData{Operations: i.allOperations(ctx), URL: originOf(r)}
	name := r.URL.Query().Get("try")
	for n, o := range d.Operations {
		if name == o.Method+" "+o.Path {
			d.Chosen = &d.Operations[n]
		}
	}
	return d, nil
}

// allOperations reads the description of the API.
func (i *Inspector) allOperations(ctx context.Context) (all []operation) {
	var described struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if json.Unmarshal(i.quiet.get(ctx, "/openapi.json").Body, &described) != nil {
		return nil
	}
	for path, item := range described.Paths {
		for method, raw := range item {
			var o struct {
				Tags        []string `json:"tags"`
				Summary     string   `json:"summary"`
				RequestBody struct {
					Content map[string]struct {
						Example json.RawMessage `json:"example"`
					} `json:"content"`
				} `json:"requestBody"`
			}
			if !slices.Contains(methods, strings.ToUpper(method)) || json.Unmarshal(raw, &o) != nil {
				continue
			}
			op := operation{Method: strings.ToUpper(method), Path: path, Summary: o.Summary}
			if len(o.Tags) > 0 {
				op.Tag = o.Tags[0]
			}
			if example := o.RequestBody.Content["application/json"].Example; example != nil {
				op.Example = pretty(string(example))
			}
			all = append(all, op)
		}
	}
	slices.SortFunc(all, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return all
}

// keysData is what a program needs of the sandbox.
type keysData struct {
	URL string `json:"url"`
	engine.Tenant
}

// keys shows the keys. It is asked for by a press, so that no picture of a page has them.
func (i *Inspector) keys(_ context.Context, r *http.Request) (any, error) {
	return keysData{originOf(r), i.config.Tenant}, nil
}
