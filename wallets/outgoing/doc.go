// Package outgoing sends what wallets hold, inside the engine or to any address on the
// chain.
//
//	transfer: (internal) ────────────────────────────> success
//	          (external) pending ──landed, finalized──> success
//	                             └─failed, finalized──> failed
//	attempt:  live ──landed──> landed
//	               ├─failed──> failed
//	               └─expired─> expired, and the next attempt is signed
//
// An external transfer reserves amount and fee, is signed, committed with its
// bytes, and only then sent. Only a finalized status on the chain ends it. An
// attempt is given up only when it can no longer land. At most one attempt of a
// transfer is live.
//
// An embedder needs [Service.Transfer] or, with a key, [Service.TransferOp]; and
// [Service.FindTransfer], [Service.Line] and [Service.Attempts]. [Service.PaidIn],
// [NoteSeenIn], [ResumeIn], [AttemptBy], [LiveAttempt] and [PendingIn] are there for sibling
// packages.
package outgoing
