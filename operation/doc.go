// Package operation runs a ferry.Operation: its steps in order, and at most once for each
// idempotency key.
//
// The claim of a key commits with what the operation records, and the answer of the key
// with its outcome. A repeated key is answered with the first answer. A run that finds
// another one with its key at work waits for the answer; one that finds the claim of a
// run that died goes on where that one stopped.
//
// A program calls engine.Do, which calls [Once]. A package of operations of its own needs:
//
//   - ferry.Operation and ferry.Steps: what is done, and in which steps
//   - [Run]: without a key
//   - [Once], with a [Claim]: once for each key
//
// [Do], [Codec] and [Stored] are for package httpapi, which keeps answers of its own form.
package operation
