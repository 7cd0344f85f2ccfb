// Package recovery keeps a copy of the keys of addresses, in a file, for the day on which the
// store, its keyset or the key of the keyset is lost. Who has the keys has the money.
//
// The file is encrypted for a recovery key (HPKE, RFC 9180: X25519, HKDF-SHA256, AES-256-GCM). Its
// public half, the [Recipient], is all that writing needs. So the secret half is kept away from
// the servers, and is needed on the bad day only.
//
// The file is lines of JSON: a header, one line for each key, and how many keys there are. Each
// key is encrypted by itself and bound to the rest of its line. A damaged line costs one key, and
// a file that was cut off says so. The lines show addresses and ids. Nothing in the file says who
// wrote it: everybody who knows the recipient can write one.
//
// What a program needs:
//
//   - [NewKey], [Key.Recipient]: a recovery key, and its public half
//   - [NewWriter], [Writer.Add], [Writer.Close]: a file; engine.EachKey yields what goes in
//   - [Read]: the keys of a file, each compared with its address
package recovery
