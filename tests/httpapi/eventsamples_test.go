package httpapi_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// The samples are real bodies, so the schemas of events describe what is sent.
func TestTheSampleOfEveryEventHasTheMembersOfItsSchemaAndNoOthers(t *testing.T) {
	for name, hook := range apitest.Document(t).Webhooks {
		content := hook.Post.RequestBody.Value.Content.Get("application/json")
		require.NotNil(t, content.Example, name)
		require.NoError(t, content.Schema.Value.VisitJSON(content.Example, openapi3.EnableJSONSchema2020()), name)
		requireMembers(t, name, content.Schema.Value, content.Example)
	}
}

// requireMembers requires that the objects of a value have only members that their schemas name.
func requireMembers(t *testing.T, place string, schema *openapi3.Schema, value any) {
	switch value := value.(type) {
	case map[string]any:
		if schema.Properties == nil { // a map of the business's own
			return
		}
		for _, member := range slices.Sorted(maps.Keys(value)) {
			of := schema.Properties[member]
			require.NotNil(t, of, "%s has a member %s that its schema does not name", place, member)
			requireMembers(t, place+"."+member, of.Value, value[member])
		}
	case []any:
		for _, item := range value {
			requireMembers(t, place, schema.Items.Value, item)
		}
	}
}
