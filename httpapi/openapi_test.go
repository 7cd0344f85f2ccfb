package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/apitest"
)

func TestTheDocumentIsValid(t *testing.T) {
	require.Equal(t, "3.1.0", apitest.Document(t).OpenAPI)
}

func TestSmoke(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	s.Get("/v1/business").OK()
	s.Get("/v1/business/balance").OK()
}
