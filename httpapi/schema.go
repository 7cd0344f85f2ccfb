package httpapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/strictjson"
)

// object is a JSON object of the OpenAPI document.
type object = map[string]any

// schemas makes JSON Schemas from the Go types of inputs and views. What the
// types do not say, their tags do:
//
//	doc       a sentence
//	eg        an example: as it stands for a text, else JSON; "-" for none
//	enum      the allowed values, by commas
//	min, max  bounds of a number, or lengths of a text
//	required  of an input's member; a view's is required unless it may be omitted
//	form      the extension x-form, where the type does not say it
type schemas struct {
	// components are the schemas of views, by name.
	components object
}

// xForm says what JSON Schema has no word for: which unit an amount is in, and that a text is
// an instant.
const (
	xForm       = "x-form"
	formFull    = "full"    // full units: naira or USDC
	formPrice   = "price"   // kobo for NGN, full units for USDC
	formInstant = "instant" // a date, or an ISO 8601 time
)

// special is the schemas of types that encode themselves.
var special = map[reflect.Type]object{
	reflect.TypeFor[number]():             {"type": "number", "format": "double", xForm: formFull},
	reflect.TypeFor[price]():              {"type": "number", "format": "double", xForm: formPrice},
	reflect.TypeFor[instantText]():        {"type": "string", xForm: formInstant},
	reflect.TypeFor[linkMetadata]():       {"type": "object"},
	reflect.TypeFor[timestamp]():          {"type": "string", "format": "date-time"},
	reflect.TypeFor[optionalTime]():       {"type": []string{"string", "null"}, "format": "date-time"},
	reflect.TypeFor[optionalText]():       {"type": []string{"string", "null"}},
	reflect.TypeFor[since]():              {"type": "string", xForm: formInstant},
	reflect.TypeFor[until]():              {"type": "string", xForm: formInstant},
	reflect.TypeFor[strictjson.Literal](): {"oneOf": []any{object{"type": "number", "format": "double", "minimum": 0}, object{"type": "string"}}, xForm: formFull},
	reflect.TypeFor[json.Number]():        {"type": "number", "format": "double"},
	reflect.TypeFor[eventBody]():          eventSchema(object{"type": "object"}),
	reflect.TypeFor[metadata]():           metadataSchema("string", "number", "boolean"),
	reflect.TypeFor[ferry.Metadata]():     metadataSchema("string", "number", "boolean", "null"),
}

func metadataSchema(types ...string) object {
	kinds := make([]any, 0, len(types))
	for _, kind := range types {
		value := object{"type": kind}
		if kind == "number" {
			value["format"] = "double"
		}
		kinds = append(kinds, value)
	}
	return object{"type": "object", "additionalProperties": object{"oneOf": kinds}, "maxProperties": ferry.MaxMetadataKeys}
}

// of returns the schema of a type. A view becomes a component and a reference.
func (s *schemas) of(t reflect.Type) object {
	if known, ok := special[t]; ok {
		return maps.Clone(known)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem()))
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.component(t)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer", "format": "int64"}
	case reflect.String:
		return object{"type": "string"}
	}
	return object{}
}

// nullable lets a schema be null as well.
func nullable(schema object) object {
	if kind, ok := schema["type"].(string); ok {
		schema["type"] = []string{kind, "null"}
		return schema
	}
	return object{"anyOf": []any{schema, object{"type": "null"}}}
}

func (s *schemas) component(t reflect.Type) object {
	name := componentName(t)
	if _, known := s.components[name]; !known {
		optional := isOptional
		if strings.HasSuffix(name, "Input") {
			optional = isOptionalInput
		}
		s.components[name] = object{} // ends recursion
		s.components[name] = s.objectOf(t, optional)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// componentName turns walletView into Wallet.
func componentName(t reflect.Type) string {
	name := strings.TrimSuffix(t.Name(), "View")
	return strings.ToUpper(name[:1]) + name[1:]
}

// objectOf returns the schema of a struct's JSON members. The description of a member also
// names its other spellings: members whose tag "as" names it.
func (s *schemas) objectOf(t reflect.Type, optional func(reflect.StructField) bool) object {
	properties, required := object{}, []string{}
	for _, field := range members(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if first := field.Tag.Get("as"); first != "" {
			also(properties[first].(object), name)
			continue
		}
		properties[name] = s.field(field)
		if !optional(field) {
			required = append(required, name)
		}
	}
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// members are the fields of a struct that are JSON members, those of embedded
// structs included.
func members(t reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		switch {
		case field.Anonymous && tag == "":
			fields = append(fields, members(field.Type)...)
		case tag != "" && tag != "-":
			fields = append(fields, field)
		}
	}
	return fields
}

// isOptional reports whether a view leaves the member out at times.
func isOptional(field reflect.StructField) bool {
	return strings.Contains(field.Tag.Get("json"), ",omit")
}

// isOptionalInput reports whether a caller may leave the member out.
func isOptionalInput(field reflect.StructField) bool { return field.Tag.Get("required") == "" }

// field returns the schema of a member or parameter with what its tags say.
func (s *schemas) field(field reflect.StructField) object {
	schema := s.of(field.Type)
	if text := field.Tag.Get("doc"); text != "" {
		schema["description"] = text
	}
	if enum := field.Tag.Get("enum"); enum != "" {
		schema["enum"] = enumOf(schema, enum)
	}
	if form := field.Tag.Get("form"); form != "" {
		bearer := schema
		if either, nullable := schema["anyOf"].([]any); nullable {
			bearer = either[0].(object)
		}
		bearer[xForm] = form
	}
	addBounds(schema, field)
	return schema
}

// enumOf lists the values of an enumeration, null among them where the schema
// allows it.
func enumOf(schema object, enum string) []any {
	var values []any
	for _, value := range strings.Split(enum, ",") {
		values = append(values, value)
	}
	if holds(schema, "null") {
		values = append(values, nil)
	}
	return values
}

// holds reports whether a schema allows a type.
func holds(schema object, kind string) bool {
	types, _ := schema["type"].([]string)
	return schema["type"] == kind || slices.Contains(types, kind)
}

func addBounds(schema object, field reflect.StructField) {
	low, high := "minimum", "maximum"
	if holds(schema, "string") {
		low, high = "minLength", "maxLength"
	}
	for tag, word := range map[string]string{"min": low, "max": high} {
		if n, err := strconv.Atoi(field.Tag.Get(tag)); err == nil {
			schema[word] = n
		}
	}
}

// example composes an example of a type from the examples of its members.
func example(t reflect.Type) any {
	switch {
	case t == reflect.TypeFor[eventBody]():
		return exampleEvent
	case t.Kind() == reflect.Pointer:
		return example(t.Elem())
	case t.Kind() == reflect.Slice && special[t] == nil:
		return []any{example(t.Elem())}
	case t.Kind() != reflect.Struct || special[t] != nil:
		return nil
	}
	value := object{}
	for _, field := range members(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if shown, ok := exampleOf(field); ok {
			value[name] = shown
		}
	}
	return value
}

// exampleOf is the example of a member. Without one of its own, a struct or a
// list has that of its type; anything else is left out of the example.
func exampleOf(field reflect.StructField) (any, bool) {
	if text, ok := field.Tag.Lookup("eg"); ok {
		return parseExample(field.Type, text), text != noExample
	}
	shown := example(field.Type)
	if members, ok := shown.(object); ok && len(members) == 0 {
		return nil, false
	}
	return shown, shown != nil
}

// noExample leaves a member out of the example, which would be refused with it.
const noExample = "-"

// parseExample reads an example: as it stands where it is for a text, else as
// JSON.
func parseExample(t reflect.Type, text string) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var value any
	plain := t.Kind() == reflect.String && text != "null" &&
		t != reflect.TypeFor[strictjson.Literal]() && t != reflect.TypeFor[json.Number]()
	if plain || json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}
