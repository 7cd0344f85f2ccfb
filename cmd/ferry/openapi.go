package main

import (
	"os"

	"github.com/ferrypay/ferry/httpapi"
)

type openAPICommand struct{}

// Run prints the document that a server answers at /openapi.json.
func (openAPICommand) Run() error {
	_, err := os.Stdout.Write(httpapi.OpenAPI())
	return err
}
