package httpapi

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// inputField is a field of an input with its parsed tags.
type inputField struct {
	reflect.StructField
	// member is its name in a body, path its name in the path of a route, and names are its
	// names in the query.
	member, path string
	names        []string
	// words are the texts that it may have, or nil for any.
	words []string
}

// fieldsOf returns the fields of a struct. Their tags are parsed at the first request.
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

// hasMember reports whether an input has a member of that name.
func hasMember[In any](name string) bool {
	return slices.ContainsFunc(fieldsOf(reflect.TypeFor[In]()), func(f *inputField) bool { return f.member == name })
}

// listed returns the words of a tag, or nil.
func listed(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

// inputFields caches the results of fieldsOf, by type.
var inputFields sync.Map
