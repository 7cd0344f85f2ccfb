package httpapi_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/tests/apitest"
)

// documented is the document as a tool reads it.
func documented(t *testing.T) apitest.Object {
	t.Helper()
	var doc apitest.Object
	require.NoError(t, json.Unmarshal(httpapi.OpenAPI(), &doc))
	return doc
}

// walk calls visit for every object of a document.
func walk(node any, at string, visit func(at string, o apitest.Object)) {
	switch node := node.(type) {
	case apitest.Object:
		visit(at, node)
		for name, inner := range node {
			if name != "example" {
				walk(inner, at+"/"+name, visit)
			}
		}
	case []any:
		for _, inner := range node {
			walk(inner, at, visit)
		}
	}
}

func TestASchemaHasOneTypeOrThatAndNull(t *testing.T) {
	walk(documented(t), "", func(at string, o apitest.Object) {
		types, many := o["type"].([]any)
		if !many {
			return
		}
		require.Len(t, types, 2, at)
		require.Equal(t, "null", types[1], at)
	})
}

func TestANumberSaysThatItNeedsDoublePrecision(t *testing.T) {
	seen := 0
	walk(documented(t), "", func(at string, o apitest.Object) {
		types, _ := o["type"].([]any)
		if o["type"] == "number" || len(types) > 0 && types[0] == "number" {
			seen++
			require.Equal(t, "double", o["format"], at)
		}
	})
	require.Greater(t, seen, 20)
}

// identifier is what generators make of a name.
func identifier(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return strings.ToLower(b.String())
}

// TestNamesStayDistinctAsIdentifiers counts the members of schemas too: generators
// name the type of a member by both.
func TestNamesStayDistinctAsIdentifiers(t *testing.T) {
	doc := documented(t)
	seen := map[string]string{}
	note := func(name, what string) {
		t.Helper()
		require.NotContains(t, seen, identifier(name), "%s and %s", seen[identifier(name)], what)
		seen[identifier(name)] = what
	}
	schemas := doc["components"].(apitest.Object)["schemas"].(apitest.Object)
	for name, schema := range schemas {
		note(name, name)
		properties, _ := schema.(apitest.Object)["properties"].(apitest.Object)
		for property := range properties {
			note(name+"_"+property, name+"."+property)
		}
	}
}

// TestParametersOfAnOperationStayDistinctAsIdentifiers counts those of its body apart.
func TestParametersOfAnOperationStayDistinctAsIdentifiers(t *testing.T) {
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			seen := map[string]bool{}
			for _, parameter := range operation.Parameters {
				name := identifier(parameter.Value.Name)
				require.False(t, seen[name], "%s %s: %s", method, path, parameter.Value.Name)
				seen[name] = true
				require.NotContains(t, []string{"fromdate", "todate", "fiatcurrency"}, name, "it is described beside the first spelling")
			}
			for _, property := range bodyProperties(operation) {
				name := "body " + identifier(property)
				require.False(t, seen[name], "%s %s: %s in the body", method, path, property)
				seen[name] = true
			}
			require.NotEmpty(t, operation.Description, "%s %s", method, path)
			require.NotEqual(t, operation.Summary, operation.Description, "%s %s", method, path)
		}
	}
	from := apitest.Document(t).Paths.Find("/v1/customers").Get.Parameters.GetByInAndName("query", "date_from")
	require.Contains(t, from.Description, "Also accepted as from_date, fromDate")
}

func TestTheOtherSpellingsOfAParameterAreAccepted(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Post("/v1/customers", newCustomer(1)).OK()
	for _, name := range []string{"date_from", "from_date", "fromDate"} {
		require.Zero(t, s.Get("/v1/customers?"+name+"=2030-01-01").OK().Len("data"), name)
	}
	for _, name := range []string{"currency", "fiat_currency"} {
		s.Get("/v1/stablecoin/wallets/rate?"+name+"=XXX").Fails(http.StatusBadRequest, "invalid_currency")
	}
}

func TestWhatEveryAnswerHasBesideItsDataIsRequired(t *testing.T) {
	document := apitest.Document(t)
	for path, names := range map[string][]string{
		"GET /v1/events": {"next_cursor"}, "GET /v1/wallets/balance": {"counter"}, "POST /v1/wallets/transfer": {"url", "transaction_hash"},
		"POST /v1/payment-links": {"url"}, "GET /v1/payouts/reconcile": {"summary"}, "POST /v1/checkout/create": {"url", "trx_id", "account"},
		"POST /v1/checkout": {"url", "trx_id", "account", "crypto_available"},
	} {
		method, path, _ := strings.Cut(path, " ")
		answer := document.Paths.Find(path).GetOperation(method).Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
		require.Subset(t, answer.AllOf[1].Value.Required, append(names, "data"), path)
	}
	either := document.Paths.Find("/v1/wallets/addresses").Get.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
	require.Equal(t, []string{"data"}, either.AllOf[1].Value.Required, "one address has no summary")
}

func TestTheDocumentNamesTheLicence(t *testing.T) {
	licence := apitest.Document(t).Info.License
	require.Equal(t, "Apache License 2.0", licence.Name)
	require.Equal(t, "https://www.apache.org/licenses/LICENSE-2.0", licence.URL)
}

// bodyProperties are the members of the body of an operation.
func bodyProperties(operation *openapi3.Operation) (names []string) {
	if operation.RequestBody == nil {
		return nil
	}
	for _, media := range operation.RequestBody.Value.Content {
		return slices.Collect(maps.Keys(media.Schema.Value.Properties))
	}
	return nil
}
