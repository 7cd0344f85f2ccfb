// Package openapi reads as much of the OpenAPI document of the API as its generators need.
package openapi

import (
	"encoding/json"
	"slices"
	"strings"
)

// Document is an OpenAPI document.
type Document struct {
	Tags []struct {
		Name string `json:"name"`
	} `json:"tags"`
	// Paths are the operations by path, and then by method in lower case.
	Paths      map[string]map[string]*Operation `json:"paths"`
	Components struct {
		Schemas map[string]*Schema `json:"schemas"`
	} `json:"components"`
}

// Operation is what one method of a path does.
type Operation struct {
	ID          string      `json:"operationId"`
	Tags        []string    `json:"tags"`
	Summary     string      `json:"summary"`
	Description string      `json:"description"`
	AliasOf     string      `json:"x-alias-of"`
	Parameters  []Parameter `json:"parameters"`
	RequestBody Content     `json:"requestBody"`
	// Responses are by status, as in 200 and 4XX.
	Responses map[string]Content `json:"responses"`
}

// Parameter stands in a path, a query or a header. One that refers to a component has no name.
type Parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Required    bool    `json:"required"`
	Description string  `json:"description"`
	Schema      *Schema `json:"schema"`
}

// Content is a body.
type Content struct {
	Content map[string]struct {
		Schema *Schema `json:"schema"`
	} `json:"content"`
}

// JSON returns the schema of a body, or nil when it is no JSON.
func (c Content) JSON() *Schema { return c.Content["application/json"].Schema }

// Answer returns the part of the operation's answer that its envelope does not have.
func (o *Operation) Answer() *Schema { return o.Responses["200"].JSON().AllOf[1] }

// Schema is a JSON Schema.
type Schema struct {
	Ref         string             `json:"$ref"`
	Type        Types              `json:"type"`
	Format      string             `json:"format"`
	Form        string             `json:"x-form"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Properties  map[string]*Schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *Schema            `json:"items"`
	Additional  *Schema            `json:"additionalProperties"`
	OneOf       []*Schema          `json:"oneOf"`
	AnyOf       []*Schema          `json:"anyOf"`
	AllOf       []*Schema          `json:"allOf"`
	MaxLength   int                `json:"maxLength"`
	MaxProps    int                `json:"maxProperties"`
	Minimum     *float64           `json:"minimum"`
	Maximum     *float64           `json:"maximum"`
}

// Types is a type, or a list of types.
type Types []string

// UnmarshalJSON reads either.
func (t *Types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = Types{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// Name is that of the component which a schema refers to, or nothing.
func (s *Schema) Name() string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

// Plain returns a schema without null, and whether null was allowed.
func (s *Schema) Plain() (*Schema, bool) {
	for i, of := range s.AnyOf {
		if slices.Equal(of.Type, Types{"null"}) {
			other := *s.AnyOf[1-i]
			other.Description = s.Description
			return &other, true
		}
	}
	if !slices.Contains(s.Type, "null") {
		return s, false
	}
	other := *s
	other.Type = slices.DeleteFunc(slices.Clone(s.Type), func(t string) bool { return t == "null" })
	return &other, true
}

// Words are the values of an enumeration of texts.
func (s *Schema) Words() []string {
	var words []string
	for _, value := range s.Enum {
		if text, ok := value.(string); ok {
			words = append(words, text)
		}
	}
	return words
}
