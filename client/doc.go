// Package client calls the /v1 API of a server from Go: of `ferry serve`, of `ferry dev`, or
// of any other server of the same contract.
//
// A [Client] has a service for each group of the API. Methods take a context and typed
// parameters, and return typed results. Amounts are decimal text in the unit that the route
// speaks: [Amount] is full units, and [Price] is kobo for naira; they do not mix. What the
// server knows beside that is ignored, so that a newer one works.
//
// Every call that writes bears an idempotency key, its own or that of [WithIdempotencyKey]. A
// call without an answer, one that met a busy or failing server, and one whose twin is under
// way, is attempted again with the same key. So it has one effect, however often it is sent.
// A refusal is an [*Error]; errors.Is finds its [Code]. A call that never got an answer is an
// [*Unanswered], which has the key to ask again.
//
// Lists are read by [Page], or to their end by a method that begins with All.
//
// What a program needs:
//
//   - [New], with a [Config]
//   - [Option]: [WithIdempotencyKey], [WithRequestID], [WithAnswer]; [WithOrigin] for visitors of a ramp widget
//   - [AmountOf], [ParseAmount] and [PriceOf]; package money has the arithmetic
package client

//go:generate go run ../internal/clientgen .
