package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// decode reads the text of a configuration into c. Errors name the field and the
// values that it may have. They never quote a value, which may be a secret.
func (c *config) decode(text []byte) error {
	err := json.Unmarshal(text, c, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*json.SemanticError](err); ok && e.JSONPointer != "" {
		return aboutField(e)
	}
	e, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case ok && errors.Is(e.Err, jsontext.ErrDuplicateName):
		return fmt.Errorf("field %q stands twice", fieldName(e.JSONPointer))
	case ok && len(text) > 0:
		return fmt.Errorf("not one JSON object: see line %d", 1+bytes.Count(text[:min(int(e.ByteOffset), len(text))], []byte("\n")))
	}
	return errors.New("not one JSON object")
}

// fieldName is the name of a field as people write it: rate_limit.test.
func fieldName(p jsontext.Pointer) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", ".")
}

func aboutField(e *json.SemanticError) error {
	name := fieldName(e.JSONPointer)
	if errors.Is(e.Err, json.ErrUnknownName) {
		return fmt.Errorf("unknown field %q: there are %s", name, strings.Join(members(e.GoType), ", "))
	}
	return wrongValue(name, cmp.Or(allowed(e.GoType), shape(e.GoType)))
}

// wrongValue says what a field must be.
func wrongValue(name, words string) error {
	return fmt.Errorf("field %q has a wrong value: it must be %s", name, words)
}

// members are the names of the fields of an object.
func members(of reflect.Type) (names []string) {
	if of == nil || of.Kind() != reflect.Struct {
		return nil
	}
	for field := range of.Fields() {
		if field.Anonymous {
			names = append(names, members(field.Type)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// allowed lists the words that a field of a type may have, or nothing for a
// type that is no enumeration.
func allowed(field reflect.Type) string {
	switch field {
	case reflect.TypeFor[slog.Level]():
		return "debug, info, warn or error"
	case reflect.TypeFor[logFormat]():
		return fmt.Sprintf("%s or %s", logJSON, logText)
	case reflect.TypeFor[bool]():
		return "true or false"
	}
	return ""
}

// shape says how a value of a type is written.
func shape(field reflect.Type) string {
	if field == reflect.TypeFor[netip.Prefix]() {
		return "a network, as 10.0.0.0/8, or 10.0.0.7/32 for one address"
	}
	switch field.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number from 0 on"
	case reflect.Slice:
		return "a list in brackets"
	case reflect.Struct, reflect.Map:
		return "an object in braces"
	}
	return "a text in quotes"
}
