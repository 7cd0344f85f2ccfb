package sqlstore

import "github.com/ferrypay/ferry/statement"

var lineRows = defineKind(statement.Kind)

// Statement returns the port of all money in and out.
func (u *unit) Statement() statement.Store { return lineRows.in(u) }
