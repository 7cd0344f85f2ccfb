//go:build postgres

package postgres

import (
	"testing"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
