package httpapi

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNoBodySetsWhatPathAndQuerySay(t *testing.T) {
	for _, r := range (&api{}).routes() {
		if r.writes() {
			requireTagged(t, r.name(), r.in)
		}
	}
}

func requireTagged(t *testing.T, route string, in reflect.Type) {
	for i := range in.NumField() {
		field := in.Field(i)
		if field.Anonymous {
			requireTagged(t, route, field.Type)
			continue
		}
		if !field.IsExported() {
			continue // no body sets it
		}
		tag, ok := field.Tag.Lookup("json")
		require.True(t, ok, "%s: %s has no JSON name", route, field.Name)
		outside := field.Tag.Get("query") != "" || field.Tag.Get("path") != ""
		require.Equal(t, outside, tag == "-", "%s: %s", route, field.Name)
	}
}

func TestEveryParameterIsOfATypeThatIsRead(t *testing.T) {
	for _, r := range (&api{}).routes() {
		requireRead(t, r.name(), r.in)
	}
}

func requireRead(t *testing.T, route string, in reflect.Type) {
	for _, field := range fieldsOf(in) {
		_, is := reflect.New(field.Type).Interface().(reader)
		switch {
		case field.Anonymous && field.Type.Kind() == reflect.Struct:
			requireRead(t, route, field.Type)
		case (field.names != nil || field.path != "") && !is:
			kinds := []reflect.Kind{reflect.String, reflect.Int, reflect.Pointer}
			require.Contains(t, kinds, field.Type.Kind(), "%s: %s is ignored", route, field.Name)
		}
	}
}

func TestSecretAnswersCanBeGivenAgain(t *testing.T) {
	for _, r := range (&api{}).routes() {
		switch r.path {
		case "/v1/api-keys/rotate-secret", "/v1/webhook/rotate-secret", "/v1/customers/identity/validate", "/v1/test_helpers/businesses", "/v1/ramp/widgets/session":
			require.True(t, r.secret, r.name())
		case "/v1/api-keys":
			require.Equal(t, r.writes(), r.secret, r.name())
		default:
			require.False(t, r.secret, r.name())
		}
	}
}
