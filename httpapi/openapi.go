package httpapi

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// OpenAPI returns the OpenAPI 3.1 document of the surface, as a server answers
// it at /openapi.json.
func OpenAPI() []byte { return document((&api{}).routes()) }

// document describes a table of routes.
func document(table []route) []byte {
	s := &schemas{components: object{}}
	paths := object{}
	for _, r := range table {
		item, ok := paths[r.path].(object)
		if !ok {
			item = object{}
			paths[r.path] = item
		}
		item[strings.ToLower(r.method)] = s.operation(r)
	}
	hooks := s.webhooks()
	s.describeEnvelopes()
	body, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "ferry", "version": "v1",
			"summary":     "Customers, collection in NGN and USDC, payouts, transfers and refunds, USDC wallets and signed webhooks",
			"description": "Every answer is an envelope. Programs decide on error.code; see the schema ErrorCode for all of them.",
			"license":     object{"name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		"servers":    []object{{"url": "/", "description": "The server that answers this document"}},
		"security":   []object{{"secretKey": []string{}}},
		"tags":       tagsOf(table),
		"paths":      paths,
		"webhooks":   hooks,
		"components": s.allComponents(),
	}, "", "  ")
	if err != nil {
		panic(err) // made of maps, slices and texts only
	}
	return append(body, '\n')
}

func tagsOf(table []route) []object {
	var names []string
	for _, r := range table {
		if !slices.Contains(names, r.tag) {
			names = append(names, r.tag)
		}
	}
	tags := make([]object, 0, len(names))
	for _, name := range names {
		tags = append(tags, object{"name": name, "description": "docs/api.md, \"" + name + "\""})
	}
	return tags
}

func (s *schemas) operation(r route) object {
	operation := object{
		"operationId": r.id,
		"tags":        []string{r.tag},
		"summary":     r.summary,
		"description": r.describe(),
		"parameters":  s.parameters(r),
		"responses": object{
			"200": s.answer(r),
			"4XX": object{"$ref": "#/components/responses/Error"},
			"5XX": object{"$ref": "#/components/responses/Error"},
		},
	}
	if body := s.requestBody(r); body != nil {
		operation["requestBody"] = body
	}
	if r.aliasOf != "" {
		operation["x-alias-of"] = r.aliasOf
	}
	switch r.place {
	case inBody:
		operation["security"] = []object{{}}
	case bySession:
		operation["security"] = []object{{"sessionToken": []string{}}}
	case optional:
		operation["security"] = []object{{}, {"secretKey": []string{}}}
	}
	return operation
}

// parameters are those of path and query, and the header of idempotency.
func (s *schemas) parameters(r route) []object {
	all := s.paramsOf(r.in)
	if r.writes() {
		all = append(all, object{"$ref": "#/components/parameters/IdempotencyKey"})
	}
	return all
}

func (s *schemas) paramsOf(t reflect.Type) []object {
	all := []object{}
	for i := range t.NumField() {
		field := t.Field(i)
		path, names := field.Tag.Get("path"), field.Tag.Get("query")
		switch {
		case field.Anonymous && field.Type.Kind() == reflect.Struct:
			all = append(all, s.paramsOf(field.Type)...)
		case path != "":
			all = append(all, s.parameter(field, path, "path", true))
		case names != "":
			name, aliases, _ := strings.Cut(names, ",")
			all = append(all, also(s.parameter(field, name, "query", !isOptionalInput(field)), aliases))
		}
	}
	return all
}

// also names the other spellings of a parameter or member in its description: listed beside
// it, generators would make one identifier of them all.
func also(parameter object, aliases string) object {
	if aliases == "" {
		return parameter
	}
	text := "Also accepted as " + strings.ReplaceAll(aliases, ",", ", ")
	if doc, ok := parameter["description"].(string); ok {
		text = doc + ". " + text
	}
	parameter["description"] = text
	return parameter
}

func (s *schemas) parameter(field reflect.StructField, name, in string, required bool) object {
	plain := field
	if field.Type.Kind() == reflect.Pointer { // null has no form in a query
		plain.Type = field.Type.Elem()
	}
	schema := s.field(plain)
	if plain.Type.Kind() == reflect.Bool {
		schema["type"], schema["enum"] = "string", []string{"true", "false", "1", "0"}
	}
	if words := statusWords(field); name == "status" && words != nil {
		schema["enum"] = words
	}
	parameter := object{"name": name, "in": in, "required": required, "schema": schema}
	if text, ok := schema["description"]; ok {
		parameter["description"] = text
		delete(schema, "description")
	}
	return parameter
}

func (s *schemas) requestBody(r route) object {
	in := r.in
	if !r.writes() || len(members(in)) == 0 {
		return nil
	}
	schema := s.objectOf(in, isOptionalInput)
	_, required := schema["required"]
	content := jsonContent(schema, example(in))
	if r.forms {
		content[formType] = object{"schema": formSchema(in)}
	}
	return object{
		"required": required,
		"content":  content,
	}
}

// formSchema is the schema of an input as an HTML form: texts.
func formSchema(in reflect.Type) object {
	properties := object{}
	for _, field := range members(in) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Type.Kind() == reflect.String {
			properties[name] = object{"type": "string"}
		}
	}
	return object{"type": "object", "properties": properties}
}

func jsonContent(schema object, example any) object {
	media := object{"schema": schema}
	if example != nil {
		media["example"] = example
	}
	return object{"application/json": media}
}

// answer describes the success of a route.
func (s *schemas) answer(r route) object {
	it := r.shape()
	data, shown := s.data(it)
	properties := object{"data": data}
	required := []string{"data"}
	sample := exampleEnvelope(r.message, shown)
	if it.row != nil {
		properties["pagination"] = object{"$ref": "#/components/schemas/Pagination"}
		properties["meta"] = object{"$ref": "#/components/schemas/Pagination"}
		s.of(reflect.TypeFor[pagination]())
	}
	if it.row != nil && it.one == nil {
		required = append(required, "pagination", "meta")
		sample["pagination"], sample["meta"] = example(reflect.TypeFor[pagination]()), example(reflect.TypeFor[pagination]())
	}
	if it.beside != nil {
		required = append(required, s.addBeside(it, properties, sample)...)
	}
	schema := object{"allOf": []any{
		object{"$ref": "#/components/schemas/Success"},
		object{"type": "object", "properties": properties, "required": required},
	}}
	return object{
		"description": r.message,
		"headers": object{
			"X-Request-Id":         object{"schema": object{"type": "string"}, "description": "The request's id, as in request_id"},
			"Idempotency-Replayed": object{"schema": object{"type": "string"}, "description": "true when this is the answer of an earlier request"},
		},
		"content": jsonContent(schema, sample),
	}
}

// data is the schema of data, and an example.
func (s *schemas) data(it shape) (schema object, shown any) {
	switch {
	case it.row == nil:
		return s.of(it.one), example(it.one)
	case it.one == nil:
		return s.of(reflect.SliceOf(it.row)), example(reflect.SliceOf(it.row))
	}
	return object{"oneOf": []any{s.of(it.one), s.of(reflect.SliceOf(it.row))}}, example(it.one)
}

// addBeside adds what stands beside the data, and returns what of it every answer has. One
// resource of a list has none of it.
func (s *schemas) addBeside(it shape, properties, sample object) (required []string) {
	beside := s.objectOf(it.beside, isOptional)
	for name, schema := range beside["properties"].(object) {
		properties[name] = schema
	}
	if it.row != nil && it.one != nil {
		return nil
	}
	if shown, ok := example(it.beside).(object); ok {
		for name, value := range shown {
			sample[name] = value
		}
	}
	required, _ = beside["required"].([]string)
	return required
}

const exampleRequestID = "req_019cadd45a807bcda2867a995904aa6e"

func exampleEnvelope(message string, data any) object {
	return object{
		"success": true, "status": "success", "status_code": http.StatusOK,
		"message": message, "data": data, "request_id": exampleRequestID,
	}
}

// describeEnvelopes adds the two envelopes.
func (s *schemas) describeEnvelopes() {
	s.components["Success"] = object{
		"type": "object",
		"properties": object{
			"success":     object{"type": "boolean", "enum": []bool{true}},
			"status":      object{"type": "string", "enum": []string{"success"}},
			"status_code": object{"type": "integer", "enum": []int{http.StatusOK}},
			"message":     object{"type": "string"},
			"request_id":  object{"type": "string"},
		},
		"required": []string{"success", "status", "status_code", "message", "request_id"},
	}
	s.components["ErrorCode"] = object{"type": "string", "description": catalogueText(), "enum": codes()}
	s.components["Error"] = errorSchema()
}

func errorSchema() object {
	text := object{"type": "string"}
	detail := object{
		"type":       "object",
		"properties": object{"field": text, "message": text},
		"required":   []string{"field", "message"},
	}
	shortage := object{
		"type":       "object",
		"properties": object{"available": special[reflect.TypeFor[number]()], "required": special[reflect.TypeFor[number]()]},
		"required":   []string{"available", "required"},
	}
	limit := (&schemas{components: object{}}).objectOf(reflect.TypeFor[limitDetail](), isOptional)
	return object{
		"type": "object",
		"properties": object{
			"success":     object{"type": "boolean", "enum": []bool{false}},
			"status":      object{"type": "string", "enum": []string{"error"}},
			"status_code": object{"type": "integer", "minimum": http.StatusBadRequest},
			"message":     text,
			"errors":      object{"type": "object", "additionalProperties": object{"type": "array", "items": text}},
			"error": object{
				"type": "object",
				"properties": object{
					"code":    object{"$ref": "#/components/schemas/ErrorCode"},
					"message": text,
					"details": object{"oneOf": []any{object{"type": "array", "items": detail}, shortage, limit}},
				},
				"required": []string{"code", "message", "details"},
			},
			"request_id":  text,
			"retry_after": object{"type": "integer", "minimum": 1, "description": "Seconds after which to try again"},
		},
		"required": []string{"success", "status", "status_code", "message", "errors", "error", "request_id"},
	}
}

func (s *schemas) allComponents() object {
	return object{
		"schemas": s.components,
		"securitySchemes": object{
			"secretKey":    object{"type": "http", "scheme": "bearer", "description": "A secret key, sk_test_… or sk_live_…"},
			"sessionToken": object{"type": "http", "scheme": "bearer", "description": "The token of a visitor's session, rst_test_… or rst_live_…"},
		},
		"parameters": object{
			"IdempotencyKey": object{
				"name": "Idempotency-Key", "in": "header", "required": false,
				"description": "A repeated request with the same key has no second effect",
				"schema":      object{"type": "string", "minLength": 1, "maxLength": 255},
			},
		},
		"responses": object{
			"Error": object{
				"description": "What went wrong",
				"content":     jsonContent(object{"$ref": "#/components/schemas/Error"}, nil),
			},
		},
	}
}
