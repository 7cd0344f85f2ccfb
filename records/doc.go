// Package records says once what a row is. A domain declares each kind of row beside
// the type of it: its columns, who owns it, the names that lead to one row, what an
// update never changes, the lists that are counted. Every store derives from that
// declaration how it keeps, finds, checks and lists such rows, and package storetest
// derives the tests of it. See [Kind] for the parts and payments.ReturnKind for a small
// one.
//
// A kind is also how its rows are reached within a unit of work:
//
//	r, err := payments.ReturnKind.Get(ctx, tx, scope, id)
//	r.State = payments.Refused
//	err = payments.ReturnKind.Update(ctx, tx, r)
//
// A program that embeds the engine needs it for records of its own only. A
// domain that keeps records needs:
//
//   - [Define], with a [Kind]: what a row is
//   - [ID], [Owner], [Version] and [CreatedAt]: the columns that every row has
//   - [Text], [Word], [Int], [Time], [Money] and [Document]: columns of its own
//   - [Unique]: a name that leads to one row at most
//   - [Where], with [Is], [By] and [Not]: a [Query] for a list
//   - [Kind.Get], [Kind.Insert] and [Kind.Update]: its rows within a unit of work
//   - [Kind.Prefetch], and [Rows] with [Kind.PrefetchOf]: what a unit will read, so that it takes
//     fewer round trips to the database
//
// A backend implements [Store], which has the rows of all kinds and knows none of them. The
// other methods of Kind, [Bound], [Cell] and [Value] are for stores.
package records
