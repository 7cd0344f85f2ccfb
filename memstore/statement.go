package memstore

import "github.com/ferrypay/ferry/statement"

// Statement returns the port of all money in and out.
func (u *unit) Statement() statement.Store { return tableOf(u, statement.Kind, &u.tables.statement) }
