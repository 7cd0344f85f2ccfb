package client

import (
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"time"
)

// queryOf returns the members of a struct that carry the tag query. Zero values are left out.
func queryOf(params any) url.Values {
	query := url.Values{}
	of := reflect.ValueOf(params)
	for i := range of.NumField() {
		name := of.Type().Field(i).Tag.Get("query")
		if name != "" && !of.Field(i).IsZero() {
			query.Set(name, parameter(of.Field(i).Interface()))
		}
	}
	return query
}

// parameter writes a value as a query has it.
func parameter(value any) string {
	switch v := value.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case *bool:
		return strconv.FormatBool(*v)
	}
	return fmt.Sprint(value)
}

// with adds a parameter.
func with(query url.Values, name, value string) url.Values {
	query.Set(name, value)
	return query
}
