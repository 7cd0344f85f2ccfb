// Package inspect is the window through which a developer sees what his program and a sandbox
// say to each other (docs/inspector.md).
//
//	GET  /                 the timeline: requests, pages, money, events, deliveries, faults, the clock
//	GET  /live             the same as server-sent events
//	GET  /things/{id}      one resource: its state, why it is not done, its events, what can be done with it
//	GET  /lists/{kind}     payments, links, customers, …
//	GET  /requests/{seq}   a request and its answer; /deliveries/{seq} the same of a webhook
//	GET  /webhooks /rails /faults /clock /books /api /record
//	POST /do               steps of the API, with the key of the business
//	POST /snapshot         remembers this moment of a sandbox in memory; /restore goes back to it
//	POST /seed             fills an empty sandbox with a busy shop
//	POST /inbox            a receiver of webhooks that takes everything
//
// Every page answers JSON to a request with "Accept: application/json". Pages are rendered here and
// complete without script.
//
// A page knows no domain: it asks the API for resources and acts on them through it, so that all
// that is done here can be done by a program too. Each act shows how.
//
// What a program needs:
//
//   - [NewRecorder]: sees requests and deliveries; its Deliveries go into engine.Config
//   - [New], with a [Config]: an [Inspector], which is an http.Handler before the server
//   - [Inspector.Run]: follows the engine until a context ends
//   - [NewOperator], with an [OperatorConfig]: the view of ferry serve for the operator's people, which reads all businesses,
//     notes who looked, and shows no secrets (docs/operations.md, "The operator's view"); [TokenDigest]: what is kept of a token
//
// The inspector shows secrets of the sandbox and moves its money. It is for loopback addresses, or for who
// has Config.Token, and never for a live environment.
package inspect
