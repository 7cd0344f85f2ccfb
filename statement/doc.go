// Package statement keeps the list of all money in and out of a business, which
// /v1/transactions shows (docs/api.md, "All transactions").
//
// A Transaction is one line of it. The domain that moves the money adds the line, in the
// unit that books the movement; this package reads the lines and marks those whose money
// was taken back. It knows none of those domains: a line names what it belongs to by its
// trx_id (a Name) and its reference.
//
// What a program needs, on the service Engine.Statement:
//
//   - [Service.List], with a [Filter]: lines, newest first, each a [Transaction]
//   - [Service.Get]: one line, by its trx_id or its reference
//   - [In] and [Success]: words of a filter
//   - [ErrNotFound]: there is no such line
//   - [ErrDuplicateTrxID]: the order has a payment already
//
// [Name], [Incoming], [ReverseIn], [SenderOf] and [Tx] are for the domains that move money,
// and for the stores.
package statement
