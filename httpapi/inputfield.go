package httpapi

import (
	"reflect"
	"strings"
	"sync"
)

// inputField is a field of an input with its tags taken apart.
type inputField struct {
	reflect.StructField
	// member is its name in a body, path the name of a part of the path, and names those of
	// a parameter of the query.
	member, path string
	names        []string
	// words are those that a text must be one of, or nil.
	words []string
}

// fieldsOf returns the fields of a struct. They are found out at the first request.
func fieldsOf(t reflect.Type) []*inputField {
	if known, is := inputFields.Load(t); is {
		return known.([]*inputField)
	}
	fields := make([]*inputField, t.NumField())
	for i := range fields {
		f := t.Field(i)
		member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[i] = &inputField{f, member, f.Tag.Get("path"), listed(f.Tag.Get("query")), listed(f.Tag.Get("enum"))}
	}
	inputFields.Store(t, fields)
	return fields
}

// listed returns the words of a tag, or nil.
func listed(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

// inputFields is what fieldsOf has found out, by type.
var inputFields sync.Map
