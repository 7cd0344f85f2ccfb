package tinkseal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/subtle/random"
)

// format is the version of the key file.
const format = "ferry-keys-1"

// document is a key file: JSON with two encrypted keysets.
type document struct {
	Format string `json:"format"`
	// ID is that of the file's Create. The keysets are bound to it, so that
	// those of two files do not mix.
	ID string `json:"id"`
	// Primary is the key that seals, for a server that only has to know
	// whether that is another one now.
	Primary string `json:"primary"`
	Seal    []byte `json:"seal"`
	Digest  []byte `json:"digest"`
	// Sum distinguishes a damaged file from one under another KEK. It proves nothing.
	Sum string `json:"sum"`
}

// keys are the keysets of a file in the clear.
type keys struct {
	id           string
	seal, digest *keyset.Handle
}

// newKeys draws the keys of a new file.
func newKeys() (keys, error) {
	sealing, err := keyset.NewHandle(aead.XChaCha20Poly1305KeyTemplate())
	if err != nil {
		return keys{}, fmt.Errorf("tinkseal: %w", err)
	}
	digest, err := keyset.NewHandle(prf.HMACSHA256PRFKeyTemplate())
	if err != nil {
		return keys{}, fmt.Errorf("tinkseal: %w", err)
	}
	return keys{hex.EncodeToString(random.GetRandomBytes(16)), sealing, digest}, nil
}

// bound is the associated data of a keyset in a file.
func bound(purpose, id string) []byte { return fmt.Appendf(nil, "%s %q %q", format, purpose, id) }

// encode returns keys as a file under a KEK.
func (k keys) encode(kek KEK) ([]byte, error) {
	d := document{Format: format, ID: k.id, Primary: name(k.seal.KeysetInfo().GetPrimaryKeyId())}
	var err error
	if d.Seal, err = encrypt(k.seal, kek, bound("seal", k.id)); err != nil {
		return nil, err
	}
	if d.Digest, err = encrypt(k.digest, kek, bound("digest", k.id)); err != nil {
		return nil, err
	}
	d.Sum = d.sum()
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

func encrypt(h *keyset.Handle, kek KEK, bound []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := h.WriteWithAssociatedData(keyset.NewBinaryWriter(&b), kek, bound); err != nil {
		return nil, fmt.Errorf("tinkseal: encrypt a keyset: %w", err)
	}
	return b.Bytes(), nil
}

// parse reads the outside of a file, or returns ErrDamaged.
func parse(text []byte) (document, error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return d, ErrDamaged // err would show a part of the file
	}
	if d.Format != format {
		return d, fmt.Errorf("%w: its format is %.20q, want %q", ErrDamaged, d.Format, format)
	}
	if d.Sum != d.sum() {
		return d, fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return d, nil
}

func (d document) sum() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %x %x", d.Format, d.ID, d.Primary, d.Seal, d.Digest))
	return hex.EncodeToString(sum[:])
}

// open decrypts the keys, or returns ErrWrongKEK.
func (d document) open(kek KEK) (keys, error) {
	sealing, err := decrypt(d.Seal, kek, bound("seal", d.ID))
	if err != nil {
		return keys{}, err
	}
	digest, err := decrypt(d.Digest, kek, bound("digest", d.ID))
	return keys{d.ID, sealing, digest}, err
}

func decrypt(text []byte, kek KEK, bound []byte) (*keyset.Handle, error) {
	h, err := keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(text)), kek, bound)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWrongKEK, err)
	}
	return h, nil
}

// name is the id of a key as people read it and sealed texts carry it.
func name(id uint32) string { return strconv.FormatUint(uint64(id), 10) }
