package apitest

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

func TestEveryBodyOfTheDocumentHasASchemaThatCompiles(t *testing.T) {
	b, doc := bodiesOf(t), Document(t)
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			route := &routers.Route{Path: path, Method: method}
			if takes := operation.RequestBody; takes != nil && takes.Value.Content[jsonType] != nil {
				_, err := b.schema(placeOf(route) + "/requestBody/content/application~1json/schema")
				require.NoError(t, err)
			}
			for _, status := range slices.Sorted(maps.Keys(operation.Responses.Map())) {
				code, err := strconv.Atoi(strings.Replace(status, "XX", "00", 1))
				require.NoError(t, err)
				response := operation.Responses.Status(code)
				if response.Value.Content[jsonType] != nil {
					_, err := b.schema(placeOfResponse(route, code, response) + "/content/application~1json/schema")
					require.NoError(t, err)
				}
			}
		}
	}
}

func TestABodyIsHeldAgainstTheDocument(t *testing.T) {
	advance := &routers.Route{Path: "/v1/test_helpers/clock/advance", Method: http.MethodPost}
	const envelope = `"success":true,"status":"success","status_code":200,"message":"Done","request_id":"req_1"`
	for text, message := range map[string]string{
		`{` + envelope + `,"data":{"now":"2026-03-02T10:15:00.120Z","done":true}}`: "",
		`{` + envelope + `,"data":{"now":"2026-03-02T10:15:00.120Z"}}`:             "missing property 'done'",
		`{` + envelope + `,"data":{"now":"yesterday","done":true}}`:                "not valid date-time",
		`{` + envelope + `,"data":{"now":"2026-03-02T10:15:00.120Z","done":1}}`:    "got number, want boolean",
	} {
		requireCheck(t, placeOf(advance)+"/responses/200", text, message)
	}
	for text, message := range map[string]string{
		`{"seconds":60}`:                  "",
		`{}`:                              "missing property 'seconds'",
		`{"seconds":0.5}`:                 "want null or integer",
		`{"seconds":9223372036854775808}`: "not valid int64",
	} {
		requireCheck(t, placeOf(advance)+"/requestBody", text, message)
	}
	links := &routers.Route{Path: "/v1/payment-links/{id}", Method: http.MethodGet}
	response := Document(t).Paths.Value("/v1/wallets/transfer").Post.Responses.Status(http.StatusBadRequest)
	requireCheck(t, placeOfResponse(links, http.StatusBadRequest, response), `{}`, "missing properties")
}

func requireCheck(t *testing.T, place, text, message string) {
	t.Helper()
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
	require.NoError(t, err)
	err = bodiesOf(t).check(place, body)
	if message == "" {
		require.NoError(t, err, text)
		return
	}
	require.ErrorContains(t, err, message, text)
}
