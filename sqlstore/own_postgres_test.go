//go:build postgres && unix

package sqlstore_test

import "testing"

func TestOwnRowsOnAServer(t *testing.T) { testOwn(t, freshServer) }
