// Package outflow decides whether an operation may send money away (docs/api.md, "Outflow
// controls"): limits for one operation, for a key and a day and for a business and a day, and a
// list of the destinations that may be paid. From a sum on an operation waits for the approval
// of a second key.
//
// Two set limits: the operator, whose [Ceilings] are a setting of the engine, and the business,
// whose [Rules] are a row. The lower one counts.
//
// What a program needs, on the service Engine.Outflow:
//
//   - [Service.Rules] and [Service.ChangeIn]: what a business allows itself
//   - [Ceilings] and [Limits]: what the operator allows, for engine.Config
//   - [By]: says in a context which API key asks for an operation
//   - [Service.Approvals] and [Service.Approval]: what waits, and what was decided; Engine.Decide
//     decides. What nobody decides about in time is rejected
//   - [ErrLimit], whose cause is an [Exceeded], and [ErrDestination]
//
// A domain that sends money away calls [Guard.AdmitIn] in the unit that reserves the money, and
// keeps the [Stage] that it returns on the row of the operation.
package outflow
