package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/internal/openapi"
)

const clientDir = "../../client"

// routes are those of the document, by id.
func routes(t *testing.T) map[string]*operation {
	t.Helper()
	var d openapi.Document
	require.NoError(t, json.Unmarshal(httpapi.OpenAPI(), &d))
	all := map[string]*operation{}
	for path, verbs := range d.Paths {
		for verb, of := range verbs {
			all[of.ID] = &operation{Operation: of, verb: strings.ToUpper(verb), path: path}
		}
	}
	return all
}

func TestTheClientIsFresh(t *testing.T) {
	want, err := generate(httpapi.OpenAPI())
	require.NoError(t, err)
	have, err := generatedIn(clientDir)
	require.NoError(t, err)
	for name, text := range want {
		require.Equal(t, string(text), string(have[name]), "%s is stale: make generate", name)
	}
	require.Len(t, have, len(want), "a file of a group that is gone: make generate")
}

// TestEveryRouteHasAMethodOrAReason reads the client as text: a route without a call in it is
// one that no program can make.
func TestEveryRouteHasAMethodOrAReason(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(clientDir, "*.go"))
	require.NoError(t, err)
	var client strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		client.Write(text)
	}
	for id, o := range routes(t) {
		if _, hand := byHand[id]; !hand && reasonToSkip(o.Operation) != "" {
			continue
		}
		path := `"` + o.path + `"`
		if before, _, found := strings.Cut(o.path, "{"); found {
			path = `"` + before + `" + url.PathEscape(`
		}
		require.Contains(t, client.String(), `request{method: "`+o.verb+`", path: `+path, "%s has no method", id)
	}
}

func TestPlansAndReasonsAreOfRoutesThatExist(t *testing.T) {
	all := routes(t)
	for id := range plans {
		require.Contains(t, all, id)
		require.NotContains(t, skipped, id)
	}
	for id, why := range skipped {
		require.Contains(t, all, id)
		require.NotEmpty(t, why)
	}
	for id := range byHand {
		require.Contains(t, all, id)
	}
}

func TestAnAliasIsOfARouteThatExists(t *testing.T) {
	all := routes(t)
	named := map[string]bool{}
	for _, o := range all {
		named[o.verb+" "+o.path] = o.AliasOf == ""
	}
	for id, o := range all {
		require.True(t, o.AliasOf == "" || named[o.AliasOf], "%s is an alias of %s", id, o.AliasOf)
	}
}

func TestNamesAreThoseThatGoExpects(t *testing.T) {
	for wire, name := range map[string]string{
		"trx_id": "TrxID", "imageBase64": "ImageBase64", "validFor": "ValidFor", "publicKey": "PublicKey", "_id": "ID", "SOLANA": "Solana",
		"NGN": "NGN", "phoneNumber1": "PhoneNumber1", "duration_ms": "DurationMS", "bank-transfer": "BankTransfer", "AWAITING_DEPOSIT": "AwaitingDeposit",
	} {
		require.Equal(t, name, camel(wire))
	}
	require.Equal(t, "walletID", unexported("wallet_id"))
	require.Equal(t, "id", unexported("id"))
}

// TestAGroupThatNobodyHasPlannedHasMethods is about routes that are new.
func TestAGroupThatNobodyHasPlannedHasMethods(t *testing.T) {
	files, err := generate([]byte(`{
		"paths": {"/v1/bills": {
			"post": {"operationId": "payBill", "tags": ["Bills"], "summary": "Pay a bill",
				"requestBody": {"content": {"application/json": {"schema": {"type": "object", "required": ["amount"], "properties": {
					"amount": {"oneOf": [{"type": "number"}, {"type": "string"}], "x-form": "full"}, "note": {"type": "string"}}}}}},
				"responses": {"200": {"content": {"application/json": {"schema": {"allOf": [{}, {"properties": {"data": {"$ref": "#/components/schemas/Bill"}}}]}}}}}},
			"get": {"operationId": "getBills", "tags": ["Bills"], "summary": "Read one bill, or list them",
				"parameters": [{"name": "id", "in": "query", "schema": {"type": "string"}}, {"name": "page", "in": "query", "schema": {"type": "integer"}},
					{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
				"responses": {"200": {"content": {"application/json": {"schema": {"allOf": [{}, {"properties": {"meta": {"type": "object"},
					"data": {"oneOf": [{"$ref": "#/components/schemas/Bill"}, {"type": "array", "items": {"$ref": "#/components/schemas/Bill"}}]}}}]}}}}}}
		}},
		"components": {"schemas": {"ErrorCode": {}, "Bill": {"type": "object", "properties": {"id": {"type": "string"}}}}}
	}`))
	require.NoError(t, err)
	bills := string(files["bills.go"])
	require.Contains(t, bills, "func (s *BillsService) Pay(ctx context.Context, params PayBillParams, options ...Option) (*Bill, error)")
	require.Contains(t, bills, "Amount Amount `json:\"amount\"`")
	require.Contains(t, bills, "func (s *BillsService) Get(ctx context.Context, id string, options ...Option) (*Bill, error)")
	require.Contains(t, bills, "func (s *BillsService) All(")
}
