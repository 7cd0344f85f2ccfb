package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ferrypay/ferry/httpapi"
)

// jsonType is the media type of nearly all bodies.
const jsonType = "application/json"

// bodies holds JSON bodies against the schemas of the OpenAPI document, which are JSON
// Schema as they stand. It compiles each schema once, where kin-openapi compiles it
// again for each body.
type bodies struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema // by their places in the document
}

// documentName is what the compiler calls the document.
const documentName = "https://ferry.example/openapi.json"

var bodySchemas = sync.OnceValues(func() (*bodies, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(httpapi.OpenAPI()))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.RegisterFormat(&jsonschema.Format{Name: "int64", Validate: fitsInt64})
	compiler.AssertFormat()
	return &bodies{compiler: compiler, compiled: map[string]*jsonschema.Schema{}}, compiler.AddResource(documentName, doc)
})

func fitsInt64(v any) error {
	if n, ok := v.(json.Number); ok {
		_, err := strconv.ParseInt(n.String(), 10, 64)
		return err
	}
	return nil
}

// schema compiles what stands at a place, or returns what it compiled before.
func (b *bodies) schema(place string) (*jsonschema.Schema, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.compiled[place]; ok {
		return known, nil
	}
	schema, err := b.compiler.Compile(documentName + "#" + place)
	if err != nil {
		return nil, err
	}
	b.compiled[place] = schema
	return schema, nil
}

// check holds a body that was decoded against the JSON content at a place.
func (b *bodies) check(place string, body any) error {
	schema, err := b.schema(place + "/content/" + inPlace(jsonType) + "/schema")
	if err != nil {
		return err
	}
	return schema.Validate(body)
}

// inPlace escapes a name for a place, which is a JSON pointer in a URL.
func inPlace(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}

func placeOf(route *routers.Route) string {
	return "/paths/" + inPlace(route.Path) + "/" + strings.ToLower(route.Method)
}

// placeOfResponse follows a reference, which is none of JSON Schema.
func placeOfResponse(route *routers.Route, status int, response *openapi3.ResponseRef) string {
	if response.Ref != "" {
		return strings.TrimPrefix(response.Ref, "#")
	}
	return fmt.Sprintf("%s/responses/%d", placeOf(route), status)
}
