// Package statement keeps the list of all money in and out of a business, which
// /v1/transactions shows (docs/api.md, "All transactions").
//
// A Transaction is one line of it. The domain that moves the money adds the line, in the
// unit that books the movement; this package reads the lines and marks those whose money
// was taken back. It knows none of those domains: a line names what it belongs to by its
// trx_id (a Name) and its reference.
package statement
