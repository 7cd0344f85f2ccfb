// Package tinkseal is a seal.Sealer whose keys rotate: Tink keysets in a file,
// encrypted under a key encryption key (KEK) that is kept elsewhere.
//
// The file holds two keysets. One encrypts (XChaCha20-Poly1305): it grows by
// Rotate, its newest key seals, and all of its keys open. The other is a single
// key that never changes: digests and the pepper of API keys come from it, so
// what was found by a digest is found after every rotation.
//
//	Create   a new file
//	Load     the Sealer
//	Rotate   a new key to seal under; old ones go on opening
//	         (then engine.Rewrap seals every row anew)
//	Drop     remove an old key that nothing is sealed under
//	ChangeKEK  the same keys under another KEK
//
// Each of these writes a whole new file beside the old one, flushes it, reads it
// back and renames it. Servers need not stop for it: a Keyset looks at its file
// before it seals, and when it meets a text under a key that it does not know.
// Where servers have copies of the file, all copies are replaced before the next
// step, as the texts of one server are read by the others.
//
// Losing the file or the KEK loses everything that is sealed, private keys of
// addresses included. A backup of the database is worth as much as the backup of
// the key file that belongs to it.
//
// What a program needs:
//
//   - [CreateKEK], [FileKEK] and [EnvKEK]: the key encryption key
//   - [Create] and [Load]: the keys, encrypted under it; a [Keyset] is a Sealer
//   - [Rotate]: new texts get a new key; Engine.Rewrap seals the others anew, [Drop] removes a key
//   - [Keyset.Pepper]: the key of API key digests
package tinkseal
