// Package operation runs a ferry.Operation: its steps in order, and at most once for each
// idempotency key.
//
// The claim of a key commits with what the operation records, and the answer of the key
// with its outcome. A repeated key is answered with the first answer. A run that finds
// another one with its key at work waits for the answer; one that finds the claim of a
// run that died goes on where that one stopped.
package operation
