// Package records says once what a row is. A domain declares each kind of row beside
// the type of it: its columns, who owns it, the names that lead to one row, what an
// update never changes, the lists that are counted. Every store derives from that
// declaration how it keeps, finds, checks and lists such rows, and package storetest
// derives the tests of it. See [Kind] for the parts and payments.Returns for a small
// one.
//
// A domain's Store has one Table a kind. Within a unit of work it is used like this:
//
//	r, err := tx.Payments().Returns().Get(ctx, scope, id)
//	r.State = payments.Refused
//	err = tx.Payments().Returns().Update(ctx, r)
package records
