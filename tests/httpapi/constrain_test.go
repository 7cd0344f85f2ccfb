package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// eachMember calls f with every member of a request's body that the document bounds.
func eachMember(t *testing.T, f func(method, path, name string, schema *openapi3.Schema)) {
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			body := operation.RequestBody.Value.Content.Get("application/json").Schema.Value
			for name, member := range body.Properties {
				f(method, strings.NewReplacer("{", "", "}", "").Replace(path), name, member.Value)
			}
		}
	}
}

func TestAnUnknownWordIsRefusedWhereverTheDocumentListsWords(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	found := 0
	eachMember(t, func(method, path, name string, schema *openapi3.Schema) {
		if len(schema.Enum) == 0 {
			return
		}
		found++
		by := s.Client
		if slices.Contains(visited, method+" "+path) {
			by = visitor(s)
		}
		refused := by.Do(method, path, apitest.Object{"public_key": s.Tenant.PublicKey, name: "no such word"}).Fails(400, "validation_error")
		said, _ := refused.At("errors." + name).([]any)
		require.Len(t, said, 1, "%s %s %s", method, path, refused.Raw)
		for _, word := range schema.Enum {
			if word != nil {
				require.Contains(t, said[0], word, "%s %s", method, path)
			}
		}
	})
	require.Greater(t, found, 10)
}

func TestANumberOutOfBoundsIsRefusedWhereverTheDocumentNamesThem(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	found := 0
	eachMember(t, func(method, path, name string, schema *openapi3.Schema) {
		wrong := []float64{}
		if schema.Min != nil && schema.Type.Includes("integer") { // an amount has decimals
			wrong = append(wrong, *schema.Min-1)
		}
		if schema.Max != nil {
			wrong = append(wrong, *schema.Max+1)
		}
		for _, n := range wrong {
			found++
			refused := s.Do(method, path, apitest.Object{name: int64(n)}).Fails(400, "validation_error")
			require.Len(t, refused.At("errors."+name), 1, "%s %s %s", method, path, refused.Raw)
		}
	})
	require.Greater(t, found, 5)
}

func TestWhatIsWrongWithAWordIsNamedWithAllElse(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "a b", "validFor": 86401}).Refuses(
		"reference", "Must be 1 to 100 letters, digits, hyphens or underscores", "validFor", "Must be 1 to 86400")
	s.As("").Post("/v1/checkout", and(orderA(s, "o"), "payment_method", "cash", "email", nil)).Refuses(
		"payment_method", "Must be bank-transfer or crypto", "email", "Missing required field")
	s.Patch("/v1/business", apitest.Object{"api_variant": "", "name": ""}).Refuses(
		"api_variant", "Must be A or B", "name", "Must be 1 to 100 characters")
}
